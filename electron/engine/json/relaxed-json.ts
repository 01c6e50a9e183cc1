/** JSON as people write it: with comments, commas before a closing bracket, or several values one after the other. */

export interface StrictText {
  /** The same values as strict JSON; several values as a list. Lines stay where they are. */
  readonly text: string;
  readonly comments: number;
  readonly commas: number;
  /** Values at the top, which are listed where there are several. */
  readonly values: number;
}

const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';
const opens = (char: string | undefined): boolean => char === '{' || char === '[';
const closes = (char: string | undefined): boolean => char === '}' || char === ']';
const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/** Undefined where nothing of the kind is in the text. Checks nothing else: a parser of strict JSON reads the result. */
export function strictText(text: string): StrictText | undefined {
  const out: string[] = [];
  /** Start of what is not copied yet. */
  let from = 0;
  let [comments, commas, values, depth] = [0, 0, 0, 0];
  /** The last character that is neither space nor comment. */
  let last: string | undefined;
  /** A comma that is one too many if a bracket closes next: its place in the text, and in what was copied for a comment behind it. */
  let comma = -1;
  let copiedComma = -1;
  const copy = (until: number, instead: string) => {
    out.push(text.slice(from, until), instead);
    from = until + instead.length;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isSpace(char)) continue;
    if (char === '"') {
      at = endOfString(text, at);
    } else if (char === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) {
      if (comma >= from) {
        copy(comma, ',');
        copiedComma = out.length - 1;
      }
      const end = endOfComment(text, at);
      copy(at, blank(text.slice(at, end)));
      comments++;
      at = end - 1;
      continue;
    } else if (opens(char)) {
      if (depth === 0) {
        values++;
        // Only lists and objects follow one another: scalars may be a broken number or word.
        if (closes(last)) {
          out.push(text.slice(from, at), ',');
          from = at;
        }
      }
      depth++;
    } else if (closes(char)) {
      depth--;
      if (comma >= 0) {
        if (copiedComma >= 0) out[copiedComma] = ' ';
        else copy(comma, ' ');
        commas++;
      }
    }
    // A comma after an opening bracket or another comma stands for a missing value.
    comma = char === ',' && !opens(last) && last !== ',' && depth > 0 ? at : -1;
    copiedComma = -1;
    last = char;
  }
  if (comments + commas === 0 && values < 2) return undefined;
  const strict = out.join('') + text.slice(from);
  return { text: values > 1 ? `[${strict}]` : strict, comments, commas, values };
}

/** The closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** Behind the comment that begins here. */
function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === '/';
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2);
  if (end < 0) return text.length;
  return isLine ? end : end + 2;
}

/** What else a text that is no JSON may be: numbers that JSON has not, or a literal of Python. */
export function foreignSyntax(text: string): 'notFinite' | 'python' | undefined {
  if (/[[:,]\s*-?(?:NaN|Infinity)\b/.test(text)) return 'notFinite';
  if (/^\s*[[({]\s*(?:[[({]\s*)*'/.test(text) || /[[:,]\s*(?:True|False|None)\b/.test(text)) return 'python';
  return undefined;
}
