/** Generates random JSON texts, valid and nearly valid, and compares two readers on them. */

import type { FormatReader } from '../core/reader.ts';
import { answerOf, type Chance, caseOf, damaged, elementsOf, sourceOf, type TextCase, textOf } from '../fixtures/fuzz-fixture.ts';
import { readJson, readJsonl } from './json-reader.ts';
import { readJsonl as readJsonlSlowly, readJson as readJsonSlowly } from './json-reference.ts';

const junk = [...'{}[]",:\\ \n\r\t0123456789.eE+-truefalsnu/xüé', '\u0001', '\u0000', '\u007f', '€', '😀', '\n', '"', ','];

/** Whitespace of a text: what may stand between tokens, and how often. */
type Layout = readonly string[];
const layouts: Layout[] = [
  [''],
  ['', '', '', ' '],
  [' ', '\n', '\r\n', '\r', '\t', '', '  \n    '],
  ['\n                      ', ' ', ''],
  ['', ' \r', '\n\n\r'],
];
const inLine: Layout[] = [[''], ['', ' '], [' ', '\t', '', '\r', '                   ']];

const pieces = [
  'a',
  'b ',
  'ü',
  '€',
  '😀',
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\u00e9',
  '\\uD800',
  '\\n',
  ' ',
  '{',
  ']',
  ',',
  "'",
  '\u007f',
];

function stringBy(chance: Chance): string {
  let text = '';
  for (let left = chance.once(6) ? chance.below(60) : chance.below(6); left > 0; left -= 1) text += chance.of(pieces);
  return `"${text}"`;
}

const keys = [
  '"id"',
  '"name"',
  '"a key of more than sixteen bytes"',
  '"a key of far more than thirty-two bytes in all"',
  '""',
  '"__proto__"',
];

function numberBy(chance: Chance): string {
  const digits = (most: number) => Array.from({ length: 1 + chance.below(most) }, () => chance.below(10)).join('');
  const sign = chance.once(3) ? '-' : '';
  const whole = chance.once(5) ? '0' : digits(chance.once(6) ? 40 : 6).replace(/^0+(?=.)/, '');
  const fraction = chance.once(3) ? `.${digits(chance.once(6) ? 40 : 6)}` : '';
  const exponent = chance.once(8) ? `${chance.of(['e', 'E'])}${chance.of(['', '+', '-'])}${digits(3)}` : '';
  return sign + whole + fraction + exponent;
}

function valueBy(chance: Chance, layout: Layout, depth: number): string {
  const space = () => chance.of(layout);
  const kind = chance.below(depth > 4 ? 5 : 8);
  if (kind < 2) return stringBy(chance);
  if (kind < 4) return numberBy(chance);
  if (kind === 4) return chance.of(['true', 'false', 'null']);
  const count = chance.once(5) ? 0 : 1 + chance.below(depth === 0 && chance.once(4) ? 40 : 5);
  const members: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const value = valueBy(chance, layout, depth + 1);
    // The same keys in the same order, as records have them, or random ones.
    const key = chance.once(4) ? stringBy(chance) : (keys[i % keys.length] as string);
    members.push(kind === 5 ? value : `${key}${space()}:${space()}${value}`);
  }
  const inside = members.length === 0 ? space() : members.map((member) => `${space()}${member}${space()}`).join(',');
  return kind === 5 ? `[${inside}]` : `{${inside}}`;
}

/** A JSON text, or JSON Lines with `asLines`; half of the texts are damaged. */
export function jsonBy(chance: Chance, asLines: boolean): TextCase {
  let text: string;
  if (asLines) {
    const layout = chance.of(inLine);
    const lines = Array.from({ length: chance.below(8) }, () =>
      chance.once(5) ? chance.of(layout) : chance.of(layout) + valueBy(chance, layout, 1) + chance.of(layout),
    );
    text = lines.join(chance.once(3) ? '\r\n' : '\n') + chance.of(['', '\n', '\n\n', ' ']);
  } else {
    const layout = chance.of(layouts);
    text = chance.of(layout) + valueBy(chance, layout, 0) + chance.of(layout);
    // As most programs format it for people.
    if (chance.once(4)) text = JSON.stringify(JSON.parse(text), null, chance.of([1, 2, 4, '\t']));
  }
  return caseOf(chance.once(2) ? text : damaged(text, chance, junk), chance);
}

/** Undefined if the reader's answer equals the reference reader's; otherwise both answers. */
export async function jsonDifference(given: TextCase, asLines: boolean): Promise<unknown> {
  const [fast, slow]: [FormatReader, FormatReader] = asLines ? [readJsonl, readJsonlSlowly] : [readJson, readJsonSlowly];
  const [answer, expected] = [await answerOf(fast, given), await answerOf(slow, given)];
  if (JSON.stringify(answer) !== JSON.stringify(expected)) return { given, answer, expected };
  const fault = asLines ? undefined : againstParser(given, expected);
  return fault ?? ((expected as { code?: string }).code === undefined ? ofItself(fast, given) : undefined);
}

/** The runtime's own parser is the second reference. */
function againstParser(given: TextCase, answer: unknown): unknown {
  const { code, hint, content } = answer as { code?: string; hint?: string; content?: { text: string } | [string, number][] };
  // JSON.parse does not limit the depth.
  if (hint?.includes('maxNesting')) return undefined;
  let parsed: string | undefined;
  try {
    parsed = JSON.stringify(JSON.parse(given.text));
  } catch {
    return code === undefined ? { given, parser: 'refuses it' } : undefined;
  }
  if (content === undefined) return { given, parser: 'takes it' };
  const text = Array.isArray(content) ? `[${content.map(([element]) => element).join(',')}]` : content.text;
  return JSON.stringify(JSON.parse(text)) === parsed ? undefined : { given, parser: parsed };
}

/** Whether a scan's measured size and checkpoints are correct. */
async function ofItself(read: FormatReader, given: TextCase): Promise<unknown> {
  const scan = await read(sourceOf(given), { options: {}, bounds: given.bounds });
  const { measured } = scan;
  if (!measured) return { given, measured };
  if (scan.kind !== 'array') {
    const bytes = Buffer.byteLength(await textOf(scan.json()));
    return measured.bytes === bytes && measured.records === 1 ? undefined : { given, measured, bytes };
  }
  const elements = await elementsOf(scan.elements());
  const bytes = elements.reduce((sum, [element]) => sum + Buffer.byteLength(element) + 1, elements.length > 0 ? 1 : 2);
  if (measured.bytes !== bytes || measured.records !== elements.length) return { given, measured, bytes };
  const whole = scan.arrayJson && (await textOf(scan.arrayJson()));
  if (whole !== `[${elements.map(([element]) => element).join(',')}]`) return { given, whole };
  const middle = measured.resumePoints.before(elements.length >> 1);
  if (given.seekable !== (middle !== undefined) && elements.length > 0) return { given, middle };
  if (!middle) return undefined;
  const rest = await elementsOf(scan.elements(undefined, middle));
  const expected = elements.slice(middle.record);
  return JSON.stringify(rest) === JSON.stringify(expected) ? undefined : { given, middle, rest, expected };
}
