import { expect, it } from 'vitest';
import { XmlScanner } from './workbook-xml.ts';

function attribute(tag: string, name: string): string | undefined {
  let found: string | undefined;
  const scanner = new XmlScanner({
    open: (_, attributes) => {
      found = attributes.get(name);
    },
    text: () => undefined,
    close: () => undefined,
  });
  scanner.push(tag);
  scanner.end();
  return found;
}

it.each([
  ['<c r="A1"/>', 'A1'],
  ['<c s = "1" r = \'A1\'/>', 'A1'],
  ['<x:c x:r = "A&amp;1"/>', 'A&1'],
  ['<c r ="" s="1"/>', ''],
  ['<c s ="r=2" q="1"/>', undefined],
])('reads an attribute of %s', (tag, value) => {
  expect(attribute(tag, 'r')).toBe(value);
});

it.each(['a', '"', "a'", 'a=', 'a '])('reads a tag of a million characters in linear time: %s', (part) => {
  const quote = part.includes('"') ? '"' : part.includes("'") ? "'" : '';
  const noise = part.repeat(Math.floor(900_000 / part.length));
  const even = (noise.split(quote || '\0').length - 1) % 2 === 0 ? noise : noise + quote;
  expect(attribute(`<c ${even} r = "A1"/>`, 'r')).toBe('A1');
});
