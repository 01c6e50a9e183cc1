/** Pasted text without what its surroundings add: code fences, prompts, typographic quotes. */

/** The text, and the blocks of code in it where it is a page of instructions. */
export function tidied(text: string): string[] {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/[\u200B\u2060]/g, '')
    .replaceAll(/[\u00A0\u202F]/g, ' ')
    .replaceAll('\r\n', '\n')
    .trim();
  const blocks = [...plain.matchAll(/^[ \t]*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/gm)].map((match) => match[2] ?? '');
  const pieces = blocks.some((block) => block.trim() !== '') ? blocks : [plain.replace(/^`+([^`]*)`+$/, '$1')];
  return pieces.map((piece) => straight(piece.trim())).filter((piece) => piece !== '');
}

/** Word processors turn the quotes of settings into their own. */
const straight = (text: string): string => (/["']/.test(text) ? text : text.replaceAll(/[“”„«»]/g, '"').replaceAll(/[‘’]/g, "'"));
