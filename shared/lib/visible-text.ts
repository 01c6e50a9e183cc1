/** Text of others, shown to a person who decides by it: characters that cannot be seen, or that reorder what is seen, by their numbers. */

/**
 * Controls, formats (bidirectional and zero-width), lone surrogates, private and unassigned characters, every space but the common one,
 * everything a font may leave out, and letters that look like nothing.
 */
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Each character that cannot be seen as `⟨U+202E⟩`. `keepLines` leaves line feeds as they are. */
export function visibleText(text: string, { keepLines = false } = {}): string {
  return text.replace(UNSEEN, (character) =>
    character === ' ' || (keepLines && character === '\n') ? character : numbered(character),
  );
}

const numbered = (character: string): string =>
  `⟨U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Text in which nothing is to be replaced: nearly all of it. */
const PLAIN = /^[\n\t\x20-\x7E\u00A0-\u00AC\u00AE-\u02FF\u2010-\u2027]*$/;

/** Line breaks, tabs, the spaces of number and date formats, and what joins or selects inside an emoji: none of it hides or reorders. */
const KEPT =
  /[\n\t \u00A0\u2009\u202F]|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/u;
const ON_PAGE = new RegExp(`(${KEPT.source})|${UNSEEN.source}`, 'gu');

/** Any text of a page, ours or others': characters that hide or reorder what is seen, by their numbers. */
export function pageText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(ON_PAGE, (character, kept?: string) => kept ?? numbered(character));
}

const NAME_CHARS = 80;

/** A name in one line among other words: visible, and cut where it is long. */
export function visibleName(name: string): string {
  const characters = [...visibleText(name.slice(0, 2 * NAME_CHARS))];
  return characters.length <= NAME_CHARS && name.length <= 2 * NAME_CHARS
    ? characters.join('')
    : `${characters.slice(0, NAME_CHARS - 1).join('')}…`;
}

/**
 * JSON text with every string in its shortest spelling, so that `\u0044ROP` reads `DROP`; all else stays digit for digit. Characters that
 * cannot be seen become visible.
 */
export function visibleJson(json: string): string {
  let shown = '';
  let from = 0;
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', from)) {
    const end = afterString(json, quote);
    shown += json.slice(from, quote) + respelled(json.slice(quote, end));
    from = end;
  }
  return visibleText(shown + json.slice(from), { keepLines: true });
}

function afterString(json: string, quote: number): number {
  for (let at = quote + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function respelled(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // The end of a text that was cut.
    return text;
  }
}

// On its way to a terminal, text of others cannot move the cursor, change colours or reorder what is read.

/** Keeps line feeds and tabs; other characters that cannot be seen are named. */
export const terminalText = (text: string): string =>
  text
    .split('\t')
    .map((part) => visibleText(part, { keepLines: true }))
    .join('\t');

/** One message: its further lines are indented, so that none of them looks like a message of ours. */
export const terminalLine = (text: string): string => terminalText(text).replaceAll('\n', '\n  ');

/** JSON text of the same value, in which nothing is invisible. */
export const terminalJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join(''),
  );
