import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const files: [string, string, unknown][] = [
  [
    'a.csv',
    'id,name\n1,Ada\n2,Bo\n',
    [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bo' },
    ],
  ],
  ['a.json', '{"a": [1, 2]}', { a: [1, 2] }],
  ['a.jsonl', '{"a": 1}\n{"a": 2}\n', [{ a: 1 }, { a: 2 }]],
  ['a.xml', '<a><b>1</b></a>', { a: { b: '1' } }],
  ['a.txt', 'one\ntwo\n', 'one\ntwo\n'],
];

function outOfMemory() {
  throw new RangeError('Out of memory: Cannot allocate Wasm memory for new instance');
}

// The modules keep kernels and know whether they run.
beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

describe.each(['Memory', 'Instance'] as const)('without memory for a WebAssembly.%s', (what) => {
  it.each(files)('%s is read all the same', async (name, text, value) => {
    const refused = vi.spyOn(WebAssembly, what).mockImplementation(outOfMemory as never);
    const { parsedOf } = await import('../fixtures/conversion-fixture.ts');
    expect(await parsedOf(name, text)).toEqual(value);
    expect(refused).toHaveBeenCalled();
  });
});
