/** Values as XML, in the terms the XML reader uses: `@name` is an attribute, `#text` the text, an array repeats its element. */

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
// XML 1.0 section 2.2 allows no other characters, not even escaped.
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escapeText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value))
    .replaceAll(ILLEGAL, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

const elementName = (key: string) => (NAME.test(key) ? key : `_${key.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`);

function element(key: string, value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => element(key, item, indent)).join('');
  const name = elementName(key);
  if (value === null || value === undefined) return `${indent}<${name}/>\n`;
  if (typeof value !== 'object') return `${indent}<${name}>${escapeText(value)}</${name}>\n`;
  const members = Object.entries(value);
  const attributes = members
    .filter(([member, held]) => member.startsWith('@') && typeof held !== 'object')
    .map(([member, held]) => ` ${elementName(member.slice(1))}="${escapeText(held)}"`)
    .join('');
  const children = members.filter(
    ([member, held]) => !(member.startsWith('@') && typeof held !== 'object') && member !== '#text',
  );
  const text = '#text' in value ? escapeText((value as Record<string, unknown>)['#text']) : '';
  if (children.length === 0) return `${indent}<${name}${attributes}>${text}</${name}>\n`;
  const inner = children.map(([member, held]) => element(member, held, `${indent}  `)).join('');
  return `${indent}<${name}${attributes}>${text}\n${inner}${indent}</${name}>\n`;
}

/** A whole XML document. A value with one object member that can be a root keeps it; anything else is put under `response`. */
export function toXml(value: unknown): string {
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const [only] = members;
  const root =
    members.length === 1 && only && NAME.test(only[0]) && !Array.isArray(only[1])
      ? element(only[0], only[1], '')
      : element('response', Array.isArray(value) ? { item: value } : value, '');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}
