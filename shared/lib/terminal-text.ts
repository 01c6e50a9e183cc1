/** Text of servers, files and agents on its way to a terminal: it cannot move the cursor, change colours or reorder what is read. */
import { visibleText } from './visible-text.ts';

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
