import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { readerTests } from '../fixtures/reader-fixture.ts';
import { readXml } from './xml-reference.ts';

const { scanOf, jsonOf, refusalOf } = readerTests(readXml, { maxFileBytes: 1024 * 1024 });

describe('XML as JSON', () => {
  it.each([
    [
      'attributes, text, repeated and lone elements',
      '<o id="7"><i s="a">Nut</i><i>Bolt</i><n>soon</n></o>',
      '{"o":{"@id":"7","i":[{"@s":"a","#text":"Nut"},"Bolt"],"n":"soon"}}',
    ],
    ['repeated elements that stand apart', '<a><b>1</b><c>2</c><b>3</b></a>', '{"a":{"b":["1","3"],"c":"2"}}'],
    ['values that stay strings', '<a><n>007</n><t>true</t></a>', '{"a":{"n":"007","t":"true"}}'],
    ['empty elements', '<a><b/><c></c><d>\n  </d></a>', '{"a":{"b":"","c":"","d":""}}'],
    ['an empty element with attributes', '<a b="1"/>', '{"a":{"@b":"1"}}'],
    ['an empty root', '<a/>', '{"a":""}'],
    ['mixed content, whose text is joined', '<p>Hello <b>big</b> world</p>', '{"p":{"b":"big","#text":"Hello  world"}}'],
    ['text that keeps its white space', '<a> x\n y </a>', '{"a":" x\\n y "}'],
    ['CDATA, even of white space', '<a><b><![CDATA[<&>]]></b><c><![CDATA[ ]]></c></a>', '{"a":{"b":"<&>","c":" "}}'],
    ['the five entities and character references', '<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;</a>', '{"a":"<&>\\"\'A😀"}'],
    [
      'comments and instructions, dropped',
      '<?xml version="1.0"?><!-- c --><a><?pi x?><b>1<!-- c -->2</b></a>',
      '{"a":{"b":"12"}}',
    ],
    ['a declared encoding, which was settled before', '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', '{"a":"é"}'],
    ['prefixes, kept as written', '<x:a xmlns:x="u"><x:b x:k="v"/></x:a>', '{"x:a":{"@xmlns:x":"u","x:b":{"@x:k":"v"}}}'],
    [
      'names that JavaScript finds special',
      '<a><__proto__ __proto__="z">x</__proto__><constructor/></a>',
      '{"a":{"__proto__":{"@__proto__":"z","#text":"x"},"constructor":""}}',
    ],
    ['a document type that declares nothing, read past', '<!DOCTYPE a>\n<a>1</a>', '{"a":"1"}'],
    [
      'a document type that points elsewhere, which is not fetched',
      '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://127.0.0.1:1/P.dtd">\n<plist>1</plist>',
      '{"plist":"1"}',
    ],
    ["a document type in a file of one's own", `<!DOCTYPE a SYSTEM 'a > b.dtd' ><a>1</a>`, '{"a":"1"}'],
    ['line ends, normalised as XML demands', '<a>1\r\n2\r3</a>', '{"a":"1\\n2\\n3"}'],
  ])('%s', async (_name, xml, json) => {
    expect(await jsonOf(xml)).toBe(json);
  });
});

describe('XML that is refused', () => {
  it.each([
    ['two roots', '<a/>\n<b/>', 2],
    ['junk after the root', '<a/>\njunk', 2],
    ['junk before the root', 'junk\n<a/>', 1],
    ['an end that never comes', '<a>\n<b>', 2],
    ['a tag closed by another', '<a>\n<b>\n</c></a>', 3],
    ['an entity nobody declared', '<a>\n&nbsp;</a>', 2],
    ['an entity with the name of an object member', '<a>\n&constructor;&__proto__;</a>', 2],
    ['a bare ampersand', '<a>\nx & y</a>', 2],
    ['an attribute without quotes', '<a\n b=1/>', 2],
    ['an attribute without value', '<a b/>', 1],
    ['an attribute twice', '<a b="1" b="2"/>', 1],
    ['an attribute called __proto__ twice', '<a __proto__="1" __proto__="2"/>', 1],
    ['< in an attribute', '<a b="<"/>', 1],
    ['a control character', '<a>\u0001</a>', 1],
    ['a reference to no character', '<a>&#0;</a>', 1],
    ['--  inside a comment', '<a><!-- a -- b --></a>', 1],
    ['a declaration that is not first', ' <?xml version="1.0"?><a/>', 1],
    ['nothing at all', '', 1],
    ['only a comment', '<!-- c -->', 1],
    ['a document type with a subset', '<!DOCTYPE a []>\n<a/>', 1],
    ['two document types', '<!DOCTYPE a>\n<!DOCTYPE a><a/>', 2],
    ['a document type after the root', '<a/>\n<!DOCTYPE a>', 2],
    ['a document type that is no XML', '<!DOCTYPE a PUBLIC "x">\n<a/>', 1],
    ['an entity that a document type might have declared', '<!DOCTYPE html>\n<a>&nbsp;</a>', 2],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>', 1],
  ])('%s', async (_name, xml, line) => {
    const error = await refusalOf(xml);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.message).toMatch(/^Failed to parse XML file: .+ at line \d+, column \d+$/);
    expect(error.details.line).toBe(line);
  });

  it('says what to do about a document type, however much it would have expanded to', async () => {
    const entities = Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
    const error = await refusalOf(`<!DOCTYPE a [<!ENTITY e0 "ha">${entities}]><a>&e30;</a>`);
    expect(error.message).toContain('DOCTYPE');
    expect(error.hint).toContain('DOCTYPE');
  });

  it('past the bound on its size, which it names', async () => {
    const error = await refusalOf(`<a>${'x'.repeat(2000)}</a>`, { maxFileBytes: 1000 });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.text).toMatch(/exceeds maximum allowed size of 1000 bytes.*maxFileBytes/);
  });
});

describe('nesting', () => {
  const nested = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

  it('is bounded, and the error says where and by what', async () => {
    expect(depthOf(JSON.parse(await jsonOf(nested(512))))).toBe(512);
    const error = await refusalOf(nested(513));
    expect(error.text).toMatch(/512 levels.* at line 1, column \d+.*maxNesting/);
    expect((await refusalOf(nested(100_000))).text).toContain('maxNesting');
  });

  it('counts levels of JSON: lists and attributes too', async () => {
    const element = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constant('<x/>'),
        fc
          .tuple(fc.constantFrom('a', 'b'), fc.boolean(), fc.array(tie('node'), { maxLength: 3 }))
          .map(([name, attribute, inside]) => `<${name}${attribute ? ' k="v"' : ''}>${inside.join('')}</${name}>`),
      ),
    })).node as fc.Arbitrary<string>;
    await fc.assert(
      fc.asyncProperty(element, async (xml) => {
        const depth = depthOf(JSON.parse(await jsonOf(xml)));
        await jsonOf(xml, [], { maxNesting: depth });
        if (depth > 1) await refusalOf(xml, { maxNesting: depth - 1 });
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('chunks', () => {
  it('may end anywhere', async () => {
    const xml = '<?xml version="1.0"?>\r\n<ä k="é😀">\r\n <b>1</b><![CDATA[ü]]><b>&#x1F600;</b>\n</ä>';
    const whole = await jsonOf(xml);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await jsonOf(xml, cuts)).toBe(whole);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('a document longer than what is parsed at once', () => {
  it('is read the same, with its places, and may be cancelled', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => `<row id="${id}"><n>😀 ${id}</n></row>\n`);
    const xml = `<rows>\n${rows.join('')}</rows>`;
    const large = { maxFileBytes: 10 * 1024 * 1024 };
    expect(JSON.parse(await jsonOf(xml, [], large)).rows.row).toEqual(rows.map((_, id) => ({ '@id': `${id}`, n: `😀 ${id}` })));
    const scan = await scanOf(xml, [], large);
    expect(await scan.locate(['rows', 'row', 19_999, 'n'])).toEqual({ line: 20_001, column: 17 });
    const cancelled = scanOf(xml, [], large, AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('places', () => {
  const xml = '<list>\n  <item id="1"><n>x</n></item>\n  <item id="2">\n    <n>ä</n> text\n  </item>\n</list>';
  it.each([
    [['list'], 1, 1],
    [['list', 'item', 1], 3, 3],
    [['list', 'item', 1, 'n'], 4, 5],
    [['list', 'item', 0, '@id'], 2, 3],
    [['list', 'item', 1, '#text'], 3, 3],
  ])('%j', async (pointer, line, column) => {
    const scan = await scanOf(xml);
    expect(await scan.locate(pointer)).toEqual({ line, column });
  });

  it('are unknown for what is not there', async () => {
    const scan = await scanOf(xml);
    for (const pointer of [['other'], ['list', 'item', 7], ['list', 'gone'], ['list', 'item', 'n']]) {
      expect(await scan.locate(pointer)).toBeUndefined();
    }
  });
});
