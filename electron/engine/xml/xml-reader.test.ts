/** The kernel's reader of XML says what the slow one says, byte for byte and word for word. */
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import { testBounds } from '../fixtures/conversion-fixture.ts';
import { answerOf, Chance, sourceOf, type TextCase } from '../fixtures/fuzz-fixture.ts';
import { xmlBy, xmlDifference } from './xml-fuzz-fixture.ts';
import { readXml, XmlKernel } from './xml-reader.ts';
import { readXml as readXmlSlowly } from './xml-reference.ts';

function given(text: string, rest: Partial<TextCase> = {}): TextCase {
  return { text, sizes: [64 * 1024 + 1], seekable: false, bounds: testBounds, ...rest };
}

/** Whether the kernel takes a document without asking anybody. */
function isTaken({ text, bounds }: TextCase): boolean {
  const kernel = new XmlKernel(bounds.maxNesting);
  try {
    for (let at = 0; at < text.length; at += 10_000) if (!kernel.read(Buffer.from(text.slice(at, at + 10_000)))) return false;
    return kernel.finish();
  } finally {
    kernel.close();
  }
}

describe('XML', () => {
  it('by chance, well-formed and damaged, in chunks of any size', async () => {
    const chance = new Chance(5);
    for (let i = 0; i < runs(1500); i += 1) expect(await xmlDifference(xmlBy(chance))).toBeUndefined();
  });

  it('every truncation of a document', async () => {
    const text =
      '<?xml version="1.0" encoding="utf-8"?>\r\n<!-- c --><!DOCTYPE a:b PUBLIC "-//x//EN" \'y>z\' ><a:b x="1 &lt;\t2" y=\'ü\'>\r\n <c>1</c><d/>t&#x20AC;<![CDATA[ ]] ]]><c z="">2</c><?p i?></a:b>\n';
    for (let length = 0; length <= text.length; length += 1)
      for (const sizes of [[1], [7, 3], [1000]])
        expect(await xmlDifference(given(text.slice(0, length), { sizes }))).toBeUndefined();
  });

  it.each([
    ['elements of one name at several depths', '<r><b>1</b><a><b>2</b><a><b>3</b></a><b>4</b></a><b>5</b><a/></r>'],
    ['a name that is hidden and comes back', '<r><x><y><x><y/></x></y></x><y><x/></y><x/></r>'],
    ['a root that is only text', '<r>text</r>'],
    ['elements whose names come again after others', '<r><a/><b>1</b><a>2</a><c/><b/><b><a/>x</b><a/>y</r>'],
    ['the same at several depths', '<r><a><b/><c/><b/></a><b/><a><c/><b><b/><a/><b/></b><c/></a></r>'],
    ['an attribute and an element of one name', '<r a="1"><a>2</a></r>'],
    ['a document type', '<!DOCTYPE r PUBLIC "-//A//DTD R 1.0//EN" "http://a.example/r.dtd"><r>1</r>'],
  ])('%s, without the slow reader', async (_, text) => {
    expect(isTaken(given(text))).toBe(true);
    expect(await answerOf(readXml, given(text))).toEqual(await answerOf(readXmlSlowly, given(text)));
  });
});

describe('files made to hurt', () => {
  const many = (count: number, part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i)).join('');

  it.each([
    ['10,000 elements of different names', `<r>${many(10_000, (i) => `<n${i}/>`)}</r>`],
    ['10,000 attributes', `<r ${many(10_000, (i) => `a${i}="" `)}/>`],
    [
      'names that hide each other',
      `<r>${many(200, (i) => `<n${i}/>`)}${many(300, (i) => `<m>${many(100, (k) => `<n${(i + k) % 200}/>`)}</m><n${i % 200}/>`)}</r>`,
    ],
    ['10,000 empty elements of one name', `<r>${'<a/>'.repeat(10_000)}</r>`],
    ['one text that is long', `<r>${'text of no end '.repeat(20_000)}</r>`],
    ['one attribute that is long', `<r><a b='${'<a> &amp; "'.replaceAll('<', '').repeat(20_000)}'/></r>`],
    ['comments and CDATA that are long', `<r><!--${'<a> - '.repeat(20_000)}--><![CDATA[${'<a>]]'.repeat(20_000)}]]></r>`],
    ['names by turns', `<r>${'<a/><b>1</b>'.repeat(5_000)}</r>`],
    ['lists in lists', `${'<a>'.repeat(50)}${'<b/>'.repeat(5_000)}${'</a><a/>'.repeat(49)}</a>`],
    ['one name that is very long', `<${'n'.repeat(100_000)}/>`],
    ['references only', `<r>${'&#9;&quot;'.repeat(20_000)}</r>`],
    ['line ends only', `<r><![CDATA[${'\r\n\r'.repeat(30_000)}]]></r>`],
    ['an element cut into 10,000 texts', `<r>${'a<!---->'.repeat(10_000)}</r>`],
  ])('%s', async (_, text) => {
    expect(isTaken(given(text))).toBe(true);
    const [answer, expected] = [await answerOf(readXml, given(text)), await answerOf(readXmlSlowly, given(text))];
    expect(JSON.stringify(answer) === JSON.stringify(expected)).toBe(true);
  });

  it.each([
    ['elements that never end', '<a>'.repeat(100_000)],
    ['brackets', '<'.repeat(100_000)],
    ['a comment that never ends', `<a><!--${' - '.repeat(50_000)}`],
    ['text that looks like the end of CDATA', `<a><![CDATA[${']'.repeat(100_000)}`],
    ['a document type', `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(10_000)}]><a/>`],
  ])('%s', async (_, text) => {
    const answer = await answerOf(readXml, given(text));
    expect(answer).toEqual(await answerOf(readXmlSlowly, given(text)));
    expect(answer).toHaveProperty('code');
  });

  it('more than is held in memory', async () => {
    const text = given(`<a>${'x'.repeat(200_000)}</a>`, { bounds: { ...testBounds, maxFileBytes: 200_000 } });
    const answer = await answerOf(readXml, text);
    expect(answer).toEqual(await answerOf(readXmlSlowly, text));
    expect(answer).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('are left at once when cancelled', async () => {
    const text = given(`<r>${'<a b="c">d</a>'.repeat(10_000)}</r>`);
    const read = readXml(sourceOf(text), { options: {}, bounds: testBounds, signal: AbortSignal.abort() });
    await expect(read).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
