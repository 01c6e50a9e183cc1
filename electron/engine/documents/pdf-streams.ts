/** Bounds the size of a PDF file's compressed streams before a library unpacks them in memory, and looks for signs of hidden text in them. */
import { createInflate } from 'node:zlib';
import { throwIfCancelled } from '../core/failures.ts';

const KEYWORD = Buffer.from('stream');
/** Streams may be compressed several times over. */
const MOST_LAYERS = 3;
/** All streams together may have this many times as many bytes as one. */
const ALL_STREAMS = 10;

/**
 * Throws what `tooLarge` returns if a deflated stream has more than `limit` bytes, or all of them ten times as many. Whether text may be drawn
 * so that it cannot be seen: false is certain.
 */
export async function streamsWithin(
  data: Uint8Array,
  limit: number,
  tooLarge: () => Error,
  signal?: AbortSignal,
): Promise<{ mayHideText: boolean }> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const search = new HiddenTextSearch();
  for (let from = 0; from < bytes.length && !search.found; from += WINDOW) {
    throwIfCancelled(signal);
    search.lookAt(bytes.subarray(from, from + WINDOW));
  }
  search.endStream();
  let left = limit * ALL_STREAMS;
  for (let at = bytes.indexOf(KEYWORD); at >= 0; at = bytes.indexOf(KEYWORD, at)) {
    throwIfCancelled(signal);
    at += KEYWORD.length;
    if (bytes[at] === 0x0d) at += 1;
    if (bytes[at] === 0x0a) at += 1;
    if (!isZlib(bytes, at)) continue;
    const { unpacked, packed } = await sizes(bytes.subarray(at), limit, 1, search);
    search.endStream();
    left -= unpacked;
    if (unpacked > limit || left < 0) throw tooLarge();
    at += packed;
  }
  return { mayHideText: search.found };
}

const WINDOW = 256 * 1024;

/** A zlib header (RFC 1950): deflate, a window of up to 32 KB, and a check that fits. */
function isZlib(bytes: Buffer, at: number): boolean {
  const method = bytes[at] ?? 0;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + (bytes[at + 1] ?? 0)) % 31 === 0;
}

/** How many bytes a stream takes and gives; stops soon after it gives more than `limit`. */
function sizes(
  stream: Buffer,
  limit: number,
  layer: number,
  search: HiddenTextSearch,
): Promise<{ unpacked: number; packed: number }> {
  return new Promise((resolve) => {
    const inflate = createInflate();
    let unpacked = 0;
    let inner: Buffer[] | undefined;
    const done = () => {
      const packed = Math.max(inflate.bytesWritten, 1);
      const end = (more: number) => resolve({ unpacked: unpacked + more, packed });
      if (inner === undefined || unpacked > limit || layer === MOST_LAYERS) end(0);
      else void sizes(Buffer.concat(inner), limit - unpacked, layer + 1, search).then((more) => end(more.unpacked));
    };
    inflate.on('data', (chunk: Buffer) => {
      if (unpacked === 0 && isZlib(chunk, 0)) inner = [];
      unpacked += chunk.length;
      inner?.push(chunk);
      if (inner === undefined) search.lookAt(chunk);
      if (unpacked > limit) inflate.destroy();
    });
    inflate.on('close', done);
    // Data after the stream or a damaged stream ends inflating; the library reports real damage.
    inflate.on('error', () => undefined);
    inflate.end(stream);
  });
}

/** Streams that are packed in a way that is not unpacked here, and files with encrypted streams. */
const OPAQUE = /\/(?:LZWDecode|LZW|ASCII85Decode|A85|ASCIIHexDecode|AHx|RunLengthDecode|Crypt|Encrypt)\b/;
/** Invisible text, and full transparency (ISO 32000-1, 9.3.6 and 8.4.5). */
const INVISIBLE = /\b[37]\s+Tr\b|\/ca\s+\.?0*(?:\.0*)?(?=[\s/>])/;
/** White as the colour of what is filled, in any colour space (8.6.8). */
const WHITE = /(?:(?:^|[\s\]])(?:1(?:\.0*)?|0?\.9\d*)\s+(?:g|rg|scn?)|(?:^|[\s\]])0?(?:\.0*)?0?\s+(?:k|scn?))(?=\s)/g;
/** Ends the reach of a colour, unless it stands within text. */
const OTHER_COLOR = /[\d.]\s+(?:g|rg|k|scn?)\s|\sQ\s/;
const TEXT = /[(<]|\bBT\b|\bT[jJ]\b|\bDo\b/;
const REACH = 4096;
/** Bytes of a chunk that are looked at again with the next one. */
const OVERLAP = 64;

class HiddenTextSearch {
  found = false;
  private tail = '';

  lookAt(chunk: Buffer): void {
    if (this.found) return;
    const text = this.tail + chunk.toString('latin1');
    this.tail = text.slice(-OVERLAP);
    this.found = INVISIBLE.test(text) || OPAQUE.test(text) || isWhiteText(text);
  }

  endStream(): void {
    this.tail = '';
  }
}

function isWhiteText(text: string): boolean {
  for (const { index, 0: operator } of text.matchAll(WHITE)) {
    const rest = text.slice(index + operator.length, index + operator.length + REACH);
    const end = rest.search(OTHER_COLOR);
    if (TEXT.test(end < 0 ? rest : rest.slice(0, end))) return true;
    // A path that goes on beyond the chunk says nothing yet; text may follow it.
    if (end < 0 && rest.length < REACH && rest.length > OVERLAP) return true;
  }
  return false;
}
