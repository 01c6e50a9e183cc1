/** Compresses a block of ledger lines. Ids and hashes are random, so their hexadecimal digits are stored as bytes, outside of the compression. */

import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

const compress = promisify(brotliCompress);

const hexRuns = /[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Placeholders. JSON escapes control characters, so no valid line has them; a block with such a line is stored without placeholders. */
const HASH = '\x01';
const UUID = '\x02';
const placeholders = new RegExp(`[${HASH}${UUID}]`, 'g');
/** Length of the compressed text, a u32, stands before it; the bytes of the hexadecimal digits follow it. */
const PREFIX_BYTES = 4;

/** Any bytes; `unpackBlock` gives them back. */
export async function packBlock(raw: Buffer): Promise<Buffer> {
  const text = raw.toString('latin1');
  const digits: string[] = [];
  const kept = text.includes(HASH) || text.includes(UUID);
  const short = kept
    ? text
    : text.replace(hexRuns, (run) => {
        digits.push(run.replaceAll('-', ''));
        return run.length === 64 ? HASH : UUID;
      });
  const compressed = await compress(Buffer.from(short, 'latin1'), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(compressed.byteLength);
  return Buffer.concat([prefix, compressed, Buffer.from(digits.join(''), 'hex')]);
}

/** Throws for a block that was damaged. `size`: of the raw block. */
export function unpackBlock(packed: Buffer, size: number): Buffer {
  const end = PREFIX_BYTES + packed.readUInt32LE(0);
  const short = brotliDecompressSync(packed.subarray(PREFIX_BYTES, end), { maxOutputLength: size + 1 }).toString('latin1');
  const digits = packed.subarray(end);
  let at = 0;
  const take = (bytes: number) => {
    at += bytes;
    return digits.toString('hex', at - bytes, at);
  };
  // Without digits, control characters are the text's.
  const text =
    digits.byteLength === 0
      ? short
      : short.replace(placeholders, (placeholder) => {
          if (placeholder === HASH) return take(32);
          const hex = take(16);
          return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
        });
  const raw = Buffer.from(text, 'latin1');
  if (raw.byteLength !== size) throw new AppError('INTERNAL', say('ledger.damaged'));
  return raw;
}
