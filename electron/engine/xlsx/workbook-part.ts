/** Reads one XML part of a workbook, and says what is wrong with it. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Format } from '../../../shared/model/formats.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { XmlFault, type XmlHandler, XmlScanner } from './xml-scanner.ts';

export interface WorkbookBounds {
  readonly maxFileBytes: number;
  readonly maxStreamedFileBytes: number;
}

export const workbookFault = (reason: Message, hint?: Message, format: Format = 'xlsx'): AppError =>
  new AppError('PARSE_FAILED', say('workbook.failed', { reason, format }), hint === undefined ? {} : { hint });

/** Feeds a part to a scanner, chunk by chunk. PARSE_FAILED if it is broken. */
export async function* scanPart(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handler: XmlHandler,
  format: Format = 'xlsx',
): AsyncIterable<void> {
  const scanner = new XmlScanner(handler);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      scanner.push(decoder.decode(chunk, { stream: true }));
      yield;
    }
    scanner.push(decoder?.decode() ?? '');
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

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
