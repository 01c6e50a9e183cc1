/** Laws of every format: putting an entry in changes that value alone, and taking it out again gives the text from before. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { stringify as toml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { stringify as yaml } from 'yaml';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { valueAt, withValueAt } from '../plain.ts';
import { formatOf } from './format-of.ts';
import type { Format } from './types.ts';

const json = await formatOf('json');
const jsonc = await formatOf('jsonc');
const tomlFormat = await formatOf('toml');
const yamlFormat = await formatOf('yaml');

const entry = {
  command: '/opt/Filebridge "1"/filebridge',
  args: ['serve', '--stdio', 'ü – \\'],
  env: { ELECTRON_RUN_AS_NODE: '1' },
};

async function value(format: Format, text: string): Promise<unknown> {
  const parsed = await format.parse(text);
  if (!parsed.ok) throw new Error(`${parsed.problem}\n${text}`);
  return parsed.value;
}

/** Puts and removes; everything else must read the same, and every line of the original must still be there, in order. */
async function roundTrip(format: Format, text: string, keys: readonly string[]): Promise<{ connected: string; back: string }> {
  const before = await value(format, text);
  const connected = format.put(text, keys, entry);
  expect(await value(format, connected), connected).toEqual(withValueAt(before, keys, entry));
  const back = format.remove(connected, keys);
  const after = await value(format, back);
  const block = keys.slice(0, -1);
  const bare = (whole: unknown) =>
    isDeepStrictEqual(valueAt(whole, block) ?? {}, {}) ? withValueAt(whole, block, undefined) : whole;
  expect(bare(after ?? {}), back).toEqual(bare(before ?? {}));
  return { connected, back };
}

/** Names that real files have, and some that nobody expects. */
const key = fc.oneof(
  fc.constantFrom('a', 'name', 'mcpServers', 'with space', 'with.dot', 'ü', '"', "'", '#', '[x]', 'a: b', 'true', '1', ''),
  fc.string({ maxLength: 8 }),
);
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '[mcp_servers.filebridge]',
    '# no comment',
    '// none',
    '{',
    '}',
    'two\nlines',
    ' edge ',
    '"""',
    "'''",
    '${X}',
    'no: yes',
  ),
);
const leaf = fc.oneof(text, fc.integer(), fc.boolean());
const tree = fc.dictionary(
  key,
  fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.dictionary(key, fc.oneof(leaf, fc.array(text, { maxLength: 2 })), { maxKeys: 3 }),
  ),
  { maxKeys: 4 },
);
const others = fc.dictionary(
  key.filter((name) => name !== 'filebridge'),
  fc.record({ command: text, args: fc.array(text, { maxLength: 3 }) }),
  { maxKeys: 3 },
);

/** A document with other keys before and after the servers, which may be absent. */
const documents = (block: string) =>
  fc.record({ before: tree, servers: fc.option(others, { nil: undefined }), after: tree }).map(({ before, servers, after }) => {
    const without = (part: Record<string, unknown>) => Object.entries(part).filter(([name]) => name !== block);
    return Object.fromEntries([
      ...without(before),
      ...(servers === undefined ? [] : [[block, servers] as const]),
      ...without(after).filter(([name]) => !Object.hasOwn(before, name)),
    ]) as Record<string, unknown>;
  });

const options = { numRuns: runs(300) };

describe('JSON', () => {
  const keys = ['mcpServers', 'filebridge'];
  const layouts = fc.record({
    unit: fc.constantFrom('', '  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\n\n'),
  });

  it('keeps every other value, and every byte where the block was there', async () => {
    await fc.assert(
      fc.asyncProperty(documents('mcpServers'), layouts, async (document, { unit, eol, end }) => {
        const original = (JSON.stringify(document, null, unit) + end).replaceAll('\n', eol);
        const { connected, back } = await roundTrip(json, original, keys);
        if (document.mcpServers !== undefined) expect(back).toBe(original);
        else expect(JSON.parse(back)).toEqual({ ...document, mcpServers: {} });
        // Nothing but an insertion: what was there is there, in order.
        expect(isSubsequence(original.replace(/\s+$/, ''), connected) || document.mcpServers === undefined).toBe(true);
      }),
      options,
    );
  });

  it('keeps comments and trailing commas, wherever they stand', async () => {
    const gap = fc.constantFrom('', ' ', '\n', '\n  // note, with "quotes" {\n', ' /* , } */ ', ' // end\n', '\n\n');
    const property = fc.record({ a: gap, b: gap, c: gap, name: fc.constantFrom('"x"', '"y"', '"z"') });
    const body = fc.record({
      items: fc.uniqueArray(property, { maxLength: 3, selector: (item) => item.name }),
      comma: fc.boolean(),
      end: gap,
    });
    const object = (
      { items, comma, end }: { items: { a: string; b: string; c: string; name: string }[]; comma: boolean; end: string },
      inner: (index: number) => string,
    ) =>
      `{${items.map(({ a, b, c, name }, index) => `${a}${name}${b}:${c}${inner(index)}`).join(',')}${comma && items.length > 0 ? ',' : ''}${end}}`;
    await fc.assert(
      fc.asyncProperty(body, body, fc.nat(3), gap, fc.boolean(), async (outer, inner, place, before, there) => {
        const servers = object(inner, () => '{"command": "x"}');
        const names = outer.items.map((item, index) => (there && index === place ? { ...item, name: '"servers"' } : item));
        const original =
          before + object({ ...outer, items: names }, (index) => (there && index === place ? servers : '[1, /* two */ 2,]'));
        const { connected, back } = await roundTrip(jsonc, original, ['servers', 'filebridge']);
        const comments = (whole: string) => whole.match(/\/\/[^\n]*|\/\*.*?\*\//g) ?? [];
        expect(comments(connected)).toEqual(comments(original));
        expect(comments(back)).toEqual(comments(original));
      }),
      options,
    );
  });

  it.each([
    ['{}', '{\n  "mcpServers": {\n    "filebridge": {…}\n  }\n}'],
    ['', '{\n  "mcpServers": {\n    "filebridge": {…}\n  }\n}\n'],
    ['{"a":1}', '{"a":1,"mcpServers":{"filebridge":{…}}}'],
    ['{ "a": 1 }', '{ "a": 1, "mcpServers": {"filebridge": {…}} }'],
    ['{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"filebridge": {…}\n\t}\n}\n'],
    [
      '{\r\n    "mcpServers": {\r\n        "x": {}\r\n    },\r\n    "b": 2\r\n}\r\n',
      '{\r\n    "mcpServers": {\r\n        "x": {},\r\n        "filebridge": {…}\r\n    },\r\n    "b": 2\r\n}\r\n',
    ],
    ['{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n    "filebridge": {…}\n  }\n}'],
    ['{\n  "mcpServers": null\n}', '{\n  "mcpServers": {\n    "filebridge": {…}\n  }\n}'],
    [
      '{\n  "mcpServers": {\n    "filebridge": { "command": "old" },\n    "x": {}\n  }\n}',
      '{\n  "mcpServers": {\n    "filebridge": {…},\n    "x": {}\n  }\n}',
    ],
  ])('writes in the style of %j', async (original, expected) => {
    const changed = json.put(original, keys, entry).replace(/("filebridge":\s*)\{.*?"1"\s*\}\s*\}/s, '$1{…}');
    expect(changed).toBe(expected);
  });

  it.each([
    ['{\n  // note\n  "filebridge": {}, "x": 1\n}', '{\n  // note\n   "x": 1\n}'],
    ['{ "x": 1, // note\n  "filebridge": {} }', '{ "x": 1 // note\n   }'],
    ['{"x":1,"filebridge":{}}', '{"x":1}'],
    ['{\n  "filebridge": {}, // ours\n  "x": 1\n}', '{\n   // ours\n  "x": 1\n}'],
  ])('takes a property out of %j', (original, expected) => {
    expect(jsonc.remove(original, ['filebridge'])).toBe(expected);
  });

  it('says what is wrong and where, and quotes nothing', async () => {
    expect(await json.parse('{"token": "s3cret",\n  nonsense}')).toEqual({
      ok: false,
      problem: expect.stringMatching(/at line 2, column 3$/),
    });
    expect(await json.parse('{\n  // no\n}')).toEqual({
      ok: false,
      problem: 'comments are not allowed here at line 2, column 3',
    });
    expect(await jsonc.parse('{\n  // yes\n}')).toEqual({ ok: true, value: {} });
  });
});

describe('TOML', () => {
  const keys = ['mcp_servers', 'filebridge'];

  it('keeps every other value, and every byte', async () => {
    const comment = fc.constantFrom(
      '',
      '# [mcp_servers.filebridge]\n',
      'text = """\n[mcp_servers.filebridge]\n"""\n',
      "list = [\n  '[x]', # ]\n]\n",
    );
    await fc.assert(
      fc.asyncProperty(
        documents('mcp_servers'),
        comment,
        fc.boolean(),
        fc.constantFrom('', '\n', '\n\n'),
        async (document, head, crlf, end) => {
          const { text: _text, list: _list, ...rest } = document;
          // A lone carriage return ends no line and may stand in no document.
          const body = toml(rest).trimEnd() + end;
          fc.pre((await tomlFormat.parse(head + body)).ok);
          const original = crlf ? (head + body).replaceAll('\n', '\r\n') : head + body;
          const { connected, back } = await roundTrip(tomlFormat, original, keys);
          expect(connected.startsWith(original)).toBe(true);
          if (original === '' || original.endsWith('\n')) expect(back).toBe(original);
          else expect(back.trimEnd()).toBe(original.trimEnd());
        },
      ),
      options,
    );
  });

  it.each([
    ['at the end', 'a = 1\n\n[mcp_servers.filebridge]\ncommand = "x"\n', 'a = 1\n'],
    [
      'with tables of its own',
      '[mcp_servers.filebridge]\ncommand = "x"\n\n[mcp_servers.filebridge.env]\nA = "1"\n\n# next\n[b]\n',
      '\n# next\n[b]\n',
    ],
    [
      'with a header that is written differently',
      '[a]\n[ "mcp_servers" . \'filebridge\' ] # ours\ncommand = "x"\n[c]\n',
      '[a]\n[c]\n',
    ],
    ['in two places', '[mcp_servers.filebridge]\ncommand = "x"\n[b]\n[mcp_servers.filebridge.env]\nA = "]"\n', '[b]\n'],
    ['before a comment with half a bracket', '[mcp_servers.filebridge]\ncommand = "x" # it\'s [ open\n[b]\n', '[b]\n'],
    ['without an end of line', 'a = 1\n\n[mcp_servers.filebridge]\nargs = [\n  "]", # ]\n]', 'a = 1\n'],
  ])('finds its table %s', (_how, original, expected) => {
    expect(tomlFormat.remove(original, keys)).toBe(expected);
  });

  it('replaces its table in place', async () => {
    const original = '[mcp_servers.filebridge]\ncommand = "old"\n\n[mcp_servers.filebridge.env]\nA = "1"\n\n[b]\nc = 1\n';
    const changed = tomlFormat.put(original, keys, { command: 'new' });
    expect(changed).toBe('[mcp_servers.filebridge]\ncommand = "new"\n\n[b]\nc = 1\n');
  });

  it('says what is wrong and where', async () => {
    expect(await tomlFormat.parse('a = 1\nb = "s3cret')).toEqual({
      ok: false,
      problem: expect.stringMatching(/ at line 2, column \d+$/),
    });
  });
});

describe('YAML', () => {
  const keys = ['extensions', 'filebridge'];

  it('refuses an alias without its anchor', async () => {
    expect(await yamlFormat.parse('a: *b')).toEqual({ ok: false, problem: expect.stringContaining('alias') });
  });

  it('keeps every other value, and every byte where the block holds others', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents('extensions'),
        fc.constantFrom(2, 4),
        fc.boolean(),
        fc.boolean(),
        async (document, indent, crlf, comments) => {
          const printed = yaml(document, { indent });
          const commented = comments ? `# head\n${printed}# tail\n` : printed;
          const original = crlf && !/[|>][+-]?\d?\n/.test(commented) ? commented.replaceAll('\n', '\r\n') : commented;
          const { connected, back } = await roundTrip(yamlFormat, original, keys);
          if (Object.keys(document.extensions ?? {}).length > 0) {
            expect(back).toBe(original);
            expect(isSubsequence(original, connected)).toBe(true);
          }
        },
      ),
      options,
    );
  });

  it('puts its lines after the others, and leaves comments where they are', () => {
    const original = `GOOSE_MODE: auto # asks
extensions:
  # built in
  developer:
    enabled: true   # yes
    args:
    - a

  # another
  memory: {enabled: false}  # no
# after
other: |
  extensions:
`;
    const changed = yamlFormat.put(original, keys, { enabled: true, args: ['x: y'] });
    expect(changed).toBe(original.replace('# no\n', '# no\n  filebridge:\n    enabled: true\n    args:\n    - "x: y"\n'));
    expect(yamlFormat.remove(changed, keys)).toBe(original);
  });

  it.each([
    ['extensions:\n', 'extensions:\n  filebridge:\n    cmd: 1\n'],
    ['extensions: {}\nb: 1\n', 'extensions:\n  filebridge:\n    cmd: 1\nb: 1\n'],
    ['extensions: {x: {a: 2}}\n', 'extensions: {x: {a: 2}, "filebridge": {"cmd":1}}\n'],
    ['a: 1', 'a: 1\nextensions:\n  filebridge:\n    cmd: 1\n'],
    ['', 'extensions:\n  filebridge:\n    cmd: 1\n'],
    ['# only a comment\n', '# only a comment\nextensions:\n  filebridge:\n    cmd: 1\n'],
    ['extensions:\n  filebridge:\n    old: 1\n  x:\n    a: 2\n', 'extensions:\n  filebridge:\n    cmd: 1\n  x:\n    a: 2\n'],
  ])('copes with %j', (original, expected) => {
    expect(yamlFormat.put(original, keys, { cmd: 1 })).toBe(expected);
  });

  it('says what is wrong and where, and quotes nothing', async () => {
    const parsed = await yamlFormat.parse('a: 1\nb: "s3cret\n');
    expect(parsed).toEqual({ ok: false, problem: expect.stringMatching(/ at line \d+, column \d+$/) });
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let from = 0;
  for (const character of part) {
    const found = whole.indexOf(character, from);
    if (found === -1) return false;
    from = found + 1;
  }
  return true;
}

describe('a TOML file with strings that do not end', () => {
  it.each(['"\\"', '"""', "'''", "'", '"'])('is cut in linear time: %s', (part) => {
    const text = `a = ${part.repeat(100_000)}`;
    expect(tomlFormat.put(text, ['mcp_servers', 'x'], { command: 'y' }).length).toBeGreaterThan(text.length);
  });
});
