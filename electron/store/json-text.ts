/** Parses JSON files that people edit, with errors that name the place and never quote possible secrets. */
import type { ParseError } from 'jsonc-parser';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; problem: string };

const words: Record<string, string> = {
  InvalidSymbol: 'an unknown word; texts need double quotes',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'something follows after the end',
  InvalidCommentToken: 'comments are not allowed here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
  UnexpectedEndOfNumber: 'a number is cut short',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an unknown escape after a backslash; write \\\\ for a backslash itself',
  InvalidCharacter: 'a character that is not allowed; line breaks in texts are written \\n',
};

/** Parses text; `comments` admits comments and trailing commas, as editors' settings files have them. */
export async function parseJsonText(text: string, { comments = false } = {}): Promise<ParsedJson> {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(bare) };
  } catch {
    // Node's own message quotes the text; the place is looked up below.
  }
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const value: unknown = parse(bare, errors, { allowTrailingComma: comments, disallowComments: !comments });
  const error = errors[0];
  if (error === undefined && comments) return { ok: true, value };
  const before = bare.slice(0, error?.offset ?? bare.length).split('\n');
  const reason = error === undefined ? 'not valid JSON' : (words[printParseErrorCode(error.error)] ?? 'not valid JSON');
  return { ok: false, problem: `${reason} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}` };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
