/** A command as one line, as people copy it, to program and arguments and back. */

/** Undefined when a quotation mark is not closed. Knows double and single quotes, and `\"` and `\\` within double ones. */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    const next = line[at + 1];
    if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

/** A line that `splitCommand` takes apart into the same words. */
export const joinCommand = (words: readonly string[]): string =>
  words.map((word) => (word !== '' && !/[\s"']/.test(word) ? word : `"${word.replace(/(["\\])/g, '\\$1')}"`)).join(' ');
