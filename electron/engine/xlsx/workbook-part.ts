/** Reads one XML part of a workbook, and says what is wrong with it. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Format } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { XmlFault, type XmlHandler, XmlScanner } from './xml-scanner.ts';

export interface WorkbookBounds {
  readonly maxFileBytes: number;
  readonly maxStreamedFileBytes: number;
  readonly keptBytes?: number | undefined;
}

export const workbookFault = (reason: Message, hint?: Message, format: Format = 'xlsx'): AppError =>
  new AppError('PARSE_FAILED', say('workbook.failed', { reason, format }), hint === undefined ? {} : { hint });

/** A handler that also reads markup of usual form by its bytes, in UTF-8. */
export interface PlainHandler extends XmlHandler {
  /**
   * Reads what is at `at` in the open element `inside`. The offset behind it; 0 where that is the scanner's, -1 where its end is not there
   * yet. It tells the scanner which elements it opened and closed.
   */
  plain(bytes: Uint8Array, at: number, inside: string | undefined, scanner: XmlScanner): number;
}

/** Plain markup is not waited for longer than this. Bytes. */
const MOST_WAITING = 64 * 1024;
const TAG_END = 0x3e;

/** Feeds a part to a scanner, chunk by chunk. PARSE_FAILED if it is broken. */
export async function* scanPart(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handler: XmlHandler | PlainHandler,
  format: Format = 'xlsx',
): AsyncIterable<void> {
  const scanner = new XmlScanner(handler);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      if ('plain' in handler && decoder.encoding === 'utf-8') {
        rest = pushPlain(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), handler, scanner, decoder);
      } else scanner.push(decoder.decode(chunk, { stream: true }));
      yield;
    }
    scanner.push(decoder?.decode(rest) ?? '');
    scanner.end();
  } catch (error) {
    if (error instanceof XmlFault)
      throw workbookFault(say('workbook.part', { entry: name, reason: error.said }), undefined, format);
    if (error instanceof TypeError)
      throw workbookFault(
        say('workbook.partEncoding', { entry: name, encoding: decoder?.encoding ?? 'UTF-8' }),
        undefined,
        format,
      );
    throw error;
  }
}

/** Takes all but what is incomplete at the end, which it returns. Markup of other forms goes to the scanner, a tag at a time. */
function pushPlain(
  bytes: Uint8Array,
  handler: PlainHandler,
  scanner: XmlScanner,
  decoder: InstanceType<typeof TextDecoder>,
): Uint8Array {
  let at = 0;
  while (at < bytes.length) {
    const end = handler.plain(bytes, at, scanner.inside, scanner);
    if (end > 0) {
      at = end;
      continue;
    }
    if (end < 0 && bytes.length - at < MOST_WAITING) break;
    const tagEnd = bytes.indexOf(TAG_END, at) + 1;
    if (tagEnd === 0 && bytes.length - at < MOST_WAITING) break;
    const to = tagEnd === 0 ? bytes.length : tagEnd;
    scanner.push(decoder.decode(bytes.subarray(at, to), { stream: true }));
    at = to;
  }
  return bytes.slice(at);
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
