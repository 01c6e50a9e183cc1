/** Generates random XML, well-formed and nearly so, and compares two readers on it. */

import { answerOf, type Chance, caseOf, damaged, sourceOf, type TextCase, textOf } from '../fixtures/fuzz-fixture.ts';
import { readXml } from './xml-reader.ts';
import { readXml as readXmlSlowly } from './xml-reference.ts';

const junk = [
  ...'<>&;/?!-[]="\' \n\r\ta:_.1xü€\u0001\u007f\u0085\u2028\ufffe\uffff\ufeff·',
  '😀',
  '<a>',
  '</a>',
  '<b/>',
  ']]>',
  '-->',
  '<!--',
  '<![CDATA[',
  '&#x',
  '&lt;',
  '&nbsp;',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a>',
  ' a="1"',
];

const names = ['a', 'b', 'c', 'row', 'name', 'x:y', '_', 'größe', '日本', 'ab·c', '__proto__', 'constructor'];
const longNames = [
  'a-name-of-16-byte',
  'exactly-sixteen-',
  'a-name-of-more-than-sixteen-bytes',
  'a-name-of-more-than-sixteen-bites',
  'exactly8',
];
const references = [
  '&amp;',
  '&lt;',
  '&gt;',
  '&quot;',
  '&apos;',
  '&#65;',
  '&#x1F600;',
  '&#xe9;',
  '&#9;',
  '&#10;',
  '&#13;',
  '&#32;',
  '&#160;',
  '&#0065;',
];
const letters = [
  'x',
  'some words',
  '"',
  "'",
  '\\',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  'ü',
  '€',
  '😀',
  '>',
  ']',
  ']]',
  '\u2028',
  '\u0085',
  '\u007f',
  '，',
];

function nameBy(chance: Chance): string {
  return chance.of(chance.once(8) ? longNames : names);
}

function textBy(chance: Chance): string {
  if (chance.once(3)) return chance.of(['', ' ', '\n  ', '\r\n\t']);
  let text = '';
  for (let left = chance.once(8) ? chance.below(40) : chance.below(4); left > 0; left -= 1)
    text += chance.once(6) ? chance.of(references) : chance.of(letters);
  return text;
}

function attributesBy(chance: Chance): string {
  const used = new Set<string>();
  let text = '';
  for (let left = chance.once(2) ? 0 : chance.below(4); left > 0; left -= 1) {
    const name = nameBy(chance);
    if (used.has(name) && !chance.once(20)) continue;
    used.add(name);
    const quote = chance.of(['"', "'"]);
    const equals = chance.once(8) ? chance.of([' =', '= ', '\n=\n']) : '=';
    text += chance.of([' ', ' ', '\n  ', '\r\n\t']) + name + equals + quote + textBy(chance).replaceAll(quote, '') + quote;
  }
  return text + (chance.once(8) ? chance.of([' ', '\n']) : '');
}

function between(chance: Chance): string {
  if (chance.once(10)) return `<!--${chance.of(['', ' c ', '-', '>', '<a>&', 'ü'])}-->`;
  if (chance.once(15))
    return `<?${chance.of(['pi', 'x', 'ö', 'xmls', 'xml', 'XmL'])}${chance.of(['', ' ', ' ?', ' a="b" ', '?'])}?>`;
  return '';
}

function elementBy(chance: Chance, depth: number): string {
  const name = nameBy(chance);
  const attributes = attributesBy(chance);
  if (chance.once(6)) return `<${name}${attributes}/>`;
  let inside = '';
  // Repeated elements, as in rows, or random ones.
  const repeated = chance.once(3) ? elementBy(chance, depth + 2) : '';
  for (let left = depth > 4 || chance.once(3) ? 0 : 1 + chance.below(4); left > 0; left -= 1) {
    inside += textBy(chance) + between(chance) + (repeated !== '' && chance.once(2) ? repeated : elementBy(chance, depth + 1));
  }
  inside += chance.once(8) ? `<![CDATA[${chance.of(['', ' ', '<&>', ']', ']]', 'x\r\ny'])}]]>` : '';
  return `<${name}${attributes}>${inside}${textBy(chance)}${between(chance)}</${name}${chance.once(10) ? chance.of([' ', '\n']) : ''}>`;
}

const declarations = [
  '',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>\r\n',
  "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n",
  '<?xml\nversion = "1.0"?>',
];
const oddDeclarations = [
  '<?xml version="1.1"?>',
  '<?xml version="1.0" standalone="no" encoding="x"?>',
  '<?xml encoding="UTF-8"?>',
  '<?xml?>',
  '\n',
];

const documentTypes = [
  '<!DOCTYPE a>',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\r\n',
  "<!DOCTYPE\tplist\nSYSTEM 'a>b&lt;\u00fc\r\n' >",
  '<!DOCTYPE a PUBLIC "x">',
  "<!DOCTYPE a PUBLIC '(+),' ''>",
  '<!DOCTYPE a []>',
  '<!DOCTYPE a SYSTEM "b" [<!ENTITY x "y">]>',
  '<!DOCTYPE a SYSTEM"b">',
  '<!DOCTYPE 1>',
];

/** A random document; half of them are damaged. */
export function xmlBy(chance: Chance): TextCase {
  const text =
    chance.of(chance.once(10) ? oddDeclarations : declarations) +
    between(chance) +
    (chance.once(4) ? chance.of(documentTypes) + between(chance) : '') +
    elementBy(chance, 0) +
    chance.of(['', '\n', ' ']) +
    between(chance);
  return caseOf(chance.once(2) ? text : damaged(text, chance, junk), chance);
}

/** Undefined if the reader's answer equals the reference reader's and its measurements are correct; otherwise both answers. */
export async function xmlDifference(given: TextCase): Promise<unknown> {
  const [answer, expected] = [await answerOf(readXml, given), await answerOf(readXmlSlowly, given)];
  if (JSON.stringify(answer) !== JSON.stringify(expected)) return { given, answer, expected };
  if ((expected as { code?: string }).code !== undefined) return undefined;
  const scan = await readXml(sourceOf(given), { options: {}, bounds: given.bounds });
  if (!scan.measured) return undefined;
  const bytes = Buffer.byteLength(await textOf(scan.json()));
  return scan.measured.bytes === bytes ? undefined : { given, measured: scan.measured, bytes };
}
