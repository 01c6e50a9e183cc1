/** What strict JSON refuses, and how it is read all the same where nothing is guessed. */

import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { isMessage, say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { Value } from '../core/payload.ts';
import type { ByteSource } from '../core/source.ts';
import { detectFormat } from '../input/detect.ts';
import { ScanProgress } from '../input/input.ts';
import { readText } from '../input/text-input.ts';
import { type Content, contentAs, isHashed } from './text-content.ts';

/** Programs that write JSON Lines often call them `.json`. Undefined for another fault. */
export async function jsonLines(
  error: AppError,
  source: ByteSource,
  request: ConvertRequest,
  head: number | undefined,
): Promise<Content | null | undefined> {
  if (request.format !== undefined || !isBehindALine(error)) return undefined;
  const lines = await contentAs('jsonl', source, request, new ScanProgress(request, source.size, 2), head).catch(
    (later: unknown) => void parseFaultOf(later),
  );
  if (lines && !(await beginsWithRecord(lines.value))) {
    lines.close();
    return undefined;
  }
  return lines && withNotice(lines, warning('JSON_LINES', say('warning.jsonLines')));
}

const withNotice = (content: Content, notice: Warning): Content => ({
  ...content,
  report: { ...content.report, warnings: [notice, ...content.report.warnings] },
});

/** A text that strict JSON refuses, if all of its values can be read; else the error, with a way out. */
export async function relaxedContent(
  format: 'json' | 'jsonl',
  error: AppError,
  source: ByteSource,
  request: ConvertRequest,
  head: number | undefined,
): Promise<Content | null> {
  // The beginning alone says nothing, and a big file is no text that a person wrote.
  if (head !== undefined || source.size > request.bounds.maxFileBytes) throw error;
  const { strictText, foreignSyntax } = await import('../json/relaxed-json.ts');
  const progress = new ScanProgress(request, source.size, 2);
  const wanted = {
    named: { ...detectFormat(source.name, request.format), format },
    encoding: request.encoding,
    bound: { setting: 'maxFileBytes', limit: request.bounds.maxFileBytes },
    progress,
    signal: request.signal,
    head,
    hashed: isHashed(request),
  } as const;
  const facts = await readText(source, wanted);
  const text = Buffer.from(await collect(facts.text.read(request.signal), Number.POSITIVE_INFINITY, () => error)).toString(
    'utf8',
  );
  const strict = strictText(text);
  const isOne = strict === undefined || strict.values === 1;
  const whole = strict?.text ?? text;
  // One object of several lines is a list of it, as it would be in one line.
  const bytes = Buffer.from(format === 'jsonl' && isOne && /^\s*\{/.test(whole) ? `[${whole}]` : whole);
  const held: ByteSource = {
    name: 'text.json',
    size: bytes.length,
    async *read() {
      yield new Uint8Array(bytes);
    },
  };
  const readable = format === 'jsonl' || strict !== undefined;
  let fault = error;
  const content = readable
    ? await contentAs('json', held, { ...request, format: 'json', encoding: 'utf-8' }, progress, undefined).catch(
        (later: unknown) => {
          const found = parseFaultOf(later);
          // Lines are still where they were, and a comment is no fault any more.
          if (strict?.values === 1) fault = found;
          return null;
        },
      )
    : null;
  if (content === null || (format === 'jsonl' && content.value.kind !== 'array')) {
    content?.close();
    const foreign = foreignSyntax(text);
    if (foreign === undefined) throw fault;
    throw new AppError('PARSE_FAILED', fault.asText, { hint: say(`json.${foreign}.hint`), details: fault.details });
  }
  const notice =
    format === 'jsonl'
      ? warning('JSON_LINES_WRAPPED', say('warning.jsonLinesWrapped'))
      : warning(
          'JSON_RELAXED',
          say('warning.jsonRelaxed', {
            comments: strict?.comments ?? 0,
            commas: strict?.commas ?? 0,
            values: strict?.values ?? 1,
          }),
        );
  const { compression } = wanted.named;
  const { encoding, warnings } = facts.settled;
  return {
    ...content,
    heldBytes: () => content.heldBytes() + bytes.length,
    report: {
      ...content.report,
      format,
      compression,
      encoding,
      inputBytes: facts.bytes,
      sha256: facts.sha256,
      warnings: [notice, ...warnings, ...content.report.warnings],
    },
  };
}

/** Throws any other error: a file that changed or was cancelled says nothing about its text. */
function parseFaultOf(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'PARSE_FAILED') return error;
  throw error;
}

/** A record that ends with its line, and another one after it: so JSON Lines look to a JSON parser. */
function isBehindALine(error: unknown): boolean {
  if (!(error instanceof AppError) || (error.details.line ?? 1) < 2) return false;
  const { reason } = (error.said.message?.params ?? {}) as { reason?: unknown };
  if (!isMessage(reason) || reason.code !== 'json.afterEnd') return false;
  const { found } = reason.params as { found?: unknown };
  return found === '"{"' || found === '"["';
}

/** Lines of numbers or words are rather a broken file. */
async function beginsWithRecord(value: Value): Promise<boolean> {
  for await (const { data } of value.elements()) return data[0] === 0x7b || data[0] === 0x5b;
  return false;
}
