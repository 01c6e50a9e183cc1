/** The interface of a format: parse a file, and change one value in its text without touching the rest. */

export type Parsed =
  /** `value` is undefined for a file without content. */
  | { ok: true; value: unknown }
  /** The error and its position, without quoting the text. */
  | { ok: false; problem: string };

/** Texts are without a byte order mark. What `put` and `remove` cannot do safely they leave undone or spoil: the caller compares. */
export interface Format {
  parse(text: string): Promise<Parsed>;
  /** Puts an object at a path of keys, in place of what is there, or as the last of its siblings. */
  put(text: string, keys: readonly string[], entry: Readonly<Record<string, unknown>>): string;
  remove(text: string, keys: readonly string[]): string;
}

/** A piece of text replaced by another. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Edits may not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((changed, { start, end, text: by }) => changed.slice(0, start) + by + changed.slice(end), text);
}

export const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
