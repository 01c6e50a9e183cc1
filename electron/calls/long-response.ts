/** Writes a long answer to disk in chunks, with the same output as `renderResponse`. */
import type { ResponseFormat } from '../../shared/model/call.ts';
import type { Warning } from '../../shared/model/conversion.ts';
import { DEEPEST_NESTING, JsonCheck } from '../engine/json/json-check.ts';
import { isOnlyMember } from '../engine/json/json-only-member.ts';
import { type JsonStyle, NeedsWhole, rewrittenJson } from '../engine/json/json-rewrite.ts';
import { JsonEscape, JsonUnescape } from '../engine/json/json-strings.ts';
import type { ToolResult } from '../upstream/types.ts';
import type { LongAnswer, LongText, LongValue } from '../wire/long-answer.ts';
import { binaryPart, textPart } from './answer.ts';
import { longTable } from './long-table.ts';
import { isIn, notATable, type StoredFormat } from './response-format.ts';

type Bytes = AsyncIterable<Uint8Array>;

interface LongBody {
  format: StoredFormat;
  /** The file's bytes; read again at each call. Throws NeedsWhole where they cannot be written in parts. */
  content: () => Bytes;
  warnings: Warning[];
}

/** Characters that tell whether a text is in a format already. */
const HEAD_CHARS = 64 * 1024;
/** Nesting limit of answers that are rewritten. */
const MAX_NESTING = 512;

export { NeedsWhole };

/** The files of a long answer, with the beginning of its text. Throws NeedsWhole where it must be held to be rendered in this format. */
export async function renderedInParts(answer: LongAnswer, format: ResponseFormat, previewChars: number) {
  const body = await renderLongResponse(answer, format);
  if (!body) throw new NeedsWhole(`as ${format}`);
  const preview = await headOf(body.content(), previewChars);
  const binaries = longBinaries(answer.outline);
  // Before the first file is written.
  for (const { content } of binaries) for await (const _ of content());
  return {
    format: body.format,
    text: preview === '' && binaries.length > 0 ? null : body.content,
    preview,
    warnings: body.warnings,
    binaries,
  };
}

/** Undefined where the answer must be held to be rendered in this format. */
async function renderLongResponse(answer: LongAnswer, format: ResponseFormat): Promise<LongBody | undefined> {
  const { structuredContent } = answer.outline;
  if (structuredContent !== undefined && !isLongValue(structuredContent)) return undefined;
  const text = textOf(answer.outline);
  const structured =
    structuredContent !== undefined && !(text && (await isOnlyMember(structuredContent.read(), text({ keepHalves: true }))))
      ? structuredContent
      : undefined;
  const body = (chosen: StoredFormat, content: () => Bytes, warnings: Warning[] = []): LongBody => ({
    format: chosen,
    content,
    warnings,
  });
  const rewritten = (style: JsonStyle) => () =>
    structured ? rewrittenJson(structured.read(), style) : rewrittenText(text, style);
  const verbatim = () =>
    text ? text() : structuredContent ? rewrittenJson(structuredContent.read(), 'compact') : once(Buffer.alloc(0));
  const asTable = format === 'csv' || format === 'tsv';

  if (structured || (await isJson(text, DEEPEST_NESTING))) {
    if (format === 'txt') return body('txt', verbatim);
    if (format === 'auto' || format === 'json') return body('json', structured ? rewritten('pretty') : verbatim);
    if (!structured && !(await isJson(text, MAX_NESTING))) return undefined;
    if (format === 'jsonl') return body('jsonl', rewritten('lines'));
    if (!asTable) return undefined;
    const table = await longTable(rewritten('compact'), format === 'csv' ? ',' : '\t');
    return table ? body(format, table) : body('json', structured ? rewritten('pretty') : verbatim, [notATable('json', format)]);
  }
  if (format === 'auto' || format === 'txt' || format === 'md') return body(format === 'auto' ? 'txt' : format, verbatim);
  if (format === 'json') return body('json', () => quoted(text));
  if (format === 'jsonl') {
    const lines = await areJsonLines(verbatim());
    return lines === undefined ? undefined : body('jsonl', lines ? verbatim : () => quoted(text, '\n'));
  }
  const head = await headOf(verbatim(), HEAD_CHARS);
  if (!(enough[format] ?? /\S/).test(head)) return undefined;
  if (isIn(format, head)) return body(format, verbatim);
  return asTable ? body('txt', verbatim, [notATable('txt', format)]) : undefined;
}

/** Characters needed to recognise each format, where the first one is not enough. */
const enough: Partial<Record<StoredFormat, RegExp>> = {
  csv: /(\r\n|\r(?!\n)|\n)[^\r\n]*[\r\n]/,
  tsv: /(\r\n|\r(?!\n)|\n)[^\r\n]*[\r\n]/,
  yaml: /^\s*\S[^\r\n]*[\r\n]/,
};

type Text = (options?: { keepHalves?: boolean; onHalves?: () => void }) => Bytes;

/** The texts of an answer's blocks, joined by line breaks; undefined where it has none. */
function textOf(outline: ToolResult): Text | undefined {
  const texts = outline.content.map(textPart).filter(isText);
  if (texts.length === 0) return undefined;
  return async function* joined(options = {}) {
    for (const [index, text] of texts.entries()) {
      if (index > 0) yield Buffer.from('\n');
      if (typeof text !== 'string') yield* text.read(options);
      else {
        const meaning = new JsonUnescape(options);
        yield meaning.push(Buffer.from(JSON.stringify(text).slice(1, -1)));
        yield meaning.end();
        if (meaning.halves) options.onHalves?.();
      }
    }
  };
}

async function* rewrittenText(text: Text | undefined, style: JsonStyle): AsyncGenerator<Uint8Array> {
  const onHalves = () => {
    throw new NeedsWhole('half of a surrogate pair');
  };
  if (text) yield* rewrittenJson(text({ onHalves }), style);
}

/** The text as a JSON string. */
async function* quoted(text: Text | undefined, after = ''): AsyncGenerator<Uint8Array> {
  const spelling = new JsonEscape();
  yield Buffer.from('"');
  for await (const chunk of text?.({ keepHalves: true }) ?? []) yield spelling.push(chunk);
  yield Buffer.from(`"${after}`);
}

/** Whether the text is the JSON of a list or an object. */
async function isJson(text: Text | undefined, maxNesting: number): Promise<boolean> {
  const check = new JsonCheck(maxNesting);
  try {
    let first = '';
    for await (const chunk of text?.() ?? []) {
      if (first === '') first = Buffer.from(chunk).toString('latin1').trimStart().slice(0, 1);
      if (first !== '' && first !== '{' && first !== '[') return false;
      check.push(chunk);
      if (!check.fits) return false;
    }
    return check.end();
  } finally {
    check.close();
  }
}

/** Whether each line is JSON; undefined where one is too long to be looked at. */
async function areJsonLines(text: Bytes): Promise<boolean | undefined> {
  let rest = '';
  let any = false;
  const fits = (line: string): boolean => {
    if (line.trim() === '') return true;
    any = true;
    try {
      JSON.parse(line);
      return true;
    } catch {
      return false;
    }
  };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const chunk of text) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (!lines.every(fits)) return false;
    if (rest.length > 1024 * 1024) return undefined;
  }
  return fits(rest + decoder.decode()) && any;
}

/** The first characters of a text. */
async function headOf(text: Bytes, characters: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let head = '';
  for await (const chunk of text) {
    head += decoder.decode(chunk.subarray(0, 4 * characters), { stream: true });
    if (head.length >= characters) break;
  }
  return head.slice(0, characters);
}

/** The bytes that are in a long answer as base64, by the block they are in. */
function longBinaries(outline: ToolResult): { index: number; mimeType: string; content: () => Bytes }[] {
  return outline.content.flatMap((block, index) => {
    const { data, mimeType } = binaryPart(block);
    if (typeof data === 'string') return { index, mimeType, content: () => once(Buffer.from(data, 'base64')) };
    return isLongText(data) ? { index, mimeType, content: () => fromBase64(data.read()) } : [];
  });
}

/** Throws NeedsWhole where something else than white space is in the base64: what that means is for the decoder to say. */
async function* fromBase64(text: Bytes): AsyncGenerator<Buffer> {
  let rest = '';
  for await (const chunk of text) {
    const signs =
      rest +
      Buffer.from(chunk)
        .toString('latin1')
        .replaceAll(/[ \t\r\n]/g, '');
    const whole = signs.length - (signs.length % 4) - 4;
    if (whole <= 0) rest = signs;
    else {
      if (!/^[A-Za-z0-9+/_-]*$/.test(signs.slice(0, whole))) throw new NeedsWhole('signs that are none of base64');
      yield Buffer.from(signs.slice(0, whole), 'base64');
      rest = signs.slice(whole);
    }
  }
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(rest)) throw new NeedsWhole('signs that are none of base64');
  yield Buffer.from(rest, 'base64');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const isText = (part: unknown): part is string | LongText => typeof part === 'string' || isLongText(part);
const isLongText = (part: unknown): part is LongText => isReadable(part);
const isLongValue = (value: unknown): value is LongValue => isReadable(value);

function isReadable(value: unknown): boolean {
  return typeof (value as { read?: unknown } | null | undefined)?.read === 'function';
}
