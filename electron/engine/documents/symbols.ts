/** Characters of symbol fonts (Wingdings, Symbol, …) by their meaning. */
import { hex } from 'dingbat-to-unicode';

/** Boxes of forms, by what the symbol looks like. */
const boxes: Readonly<Record<string, string>> = {
  '☑': '[x]',
  '☒': '[x]',
  '🗹': '[x]',
  '🗷': '[x]',
  '🗵': '[x]',
  '☐': '[ ]',
  '🞎': '[ ]',
  '🞏': '[ ]',
  '◻': '[ ]',
  '□': '[ ]',
};

/** `code`: four hexadecimal digits, as in Word's `w:char`; those from F000 on count from 0. What is not known is U+FFFD. */
export function symbolOf(font: string, code: string): string {
  const point = Number.parseInt(code, 16);
  if (Number.isNaN(point)) return '';
  const own = point >= 0xf000 && point <= 0xf0ff ? point - 0xf000 : point;
  const found = hex(font, own.toString(16).toUpperCase().padStart(2, '0'))?.string;
  if (found !== undefined) return boxes[found] ?? found;
  // Of a font that is no symbol font, the character is what it is.
  return point < 0xe000 || point > 0xf8ff ? String.fromCodePoint(point) : '\uFFFD';
}
