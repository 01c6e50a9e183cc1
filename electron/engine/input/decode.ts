/** Detects a file's character encoding and decodes it to UTF-8, as a stream. */

import type { Warning } from '../../../shared/model/conversion.ts';
import { warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { bytesAfter } from './input.ts';
import { Utf8Check, wholeCharacters } from './utf8.ts';

export interface SettledEncoding {
  /** The WHATWG name in lower case, such as `utf-8` or `windows-1252`. */
  readonly encoding: string;
  /** Length of the byte-order mark to skip. */
  readonly bomBytes: number;
  readonly warnings: readonly Warning[];
}

/**
 * The canonical name for a WHATWG label (https://encoding.spec.whatwg.org/#names-and-labels); INVALID_REQUEST if it is
 * unknown.
 */
export function encodingFor(label: string): string {
  try {
    return new TextDecoder(label.trim()).encoding.toLowerCase();
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', say('encoding.unknown', { label }), {
      hint: say('encoding.unknown.hint'),
      cause,
    });
  }
}

/** Enough for a byte-order mark and for a format's encoding declaration. */
export const HEAD_BYTES = 256;

/** Information about the encoding other than the bytes. */
export interface EncodingHints {
  /** The requested label; `auto` if none was requested. */
  readonly requested?: string | undefined;
  /** The encoding that the format declares; called with the first bytes read as Latin-1. */
  readonly declaredIn?: ((head: string) => string | null) | undefined;
}

/**
 * Detects the encoding from all bytes. A byte-order mark always wins, as in browsers; without one, `auto` takes the
 * format's declaration, else UTF-8 if every byte fits, else windows-1252.
 */
export class EncodingWatch {
  private readonly asked: string | null;
  private readonly declaredIn: (head: string) => string | null;
  private readonly check = new Utf8Check();
  private readonly head: number[] = [];
  private firstNul = -1;
  private offset = 0;

  /** INVALID_REQUEST for an unknown label. */
  constructor({ requested = 'auto', declaredIn = () => null }: EncodingHints = {}) {
    this.asked = requested.trim().toLowerCase() === 'auto' ? null : encodingFor(requested);
    this.declaredIn = declaredIn;
  }

  push(chunk: Uint8Array): void {
    // Searching a Buffer is seven times as fast.
    const nul = this.firstNul < 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).indexOf(0) : -1;
    if (nul >= 0) this.firstNul = this.offset + nul;
    this.offset += chunk.length;
    for (let i = 0; this.head.length < HEAD_BYTES && i < chunk.length; i++) this.head.push(chunk[i] as number);
    this.check.push(chunk);
  }

  /** The stream continues at this offset; all bytes before it are UTF-8 without NUL. */
  goTo(offset: number): void {
    this.offset = offset;
    this.check.goTo(offset);
  }

  /**
   * The encoding according to the first bytes, which later bytes may refute; call it after `HEAD_BYTES` or all bytes.
   * ENCODING_INVALID if they are in an encoding that must be named.
   */
  expected(): { encoding: string; bomBytes: number } {
    const mark = markOf(this.head);
    const known = mark?.encoding ?? this.asked ?? this.declared();
    const unmarked = known === null ? unmarkedUtf16(this.head) : null;
    if (unmarked !== null) throw isUtf16(unmarked);
    return { encoding: known ?? 'utf-8', bomBytes: mark?.bytes ?? 0 };
  }

  /** Call it after the last byte. ENCODING_INVALID if bytes do not fit. `cut`: the last character may be cut off. */
  settled(cut = false): SettledEncoding {
    const { asked, check, firstNul } = this;
    if (!cut) check.end();
    const mark = markOf(this.head);
    const { encoding, bomBytes } = this.expected();
    const warnings: Warning[] = [];
    if (mark && asked && asked !== mark.encoding)
      warnings.push(warning('ENCODING_MARK', say('warning.encodingMark', { encoding: mark.encoding, asked })));
    // ASCII letters in UTF-16 are valid UTF-8 with many NULs; a few NULs prove nothing.
    if (!mark && !asked && firstNul >= 0)
      warnings.push(warning('NUL_CHARACTERS', say('warning.nulCharacters', { offset: firstNul })));
    if (encoding === 'utf-8' && check.firstBad >= 0) {
      if (asked ?? mark) throw notUtf8(check.firstBad);
      warnings.push(warning('ENCODING_GUESSED', say('warning.encodingGuessed', { offset: check.firstBad })));
      return { encoding: 'windows-1252', bomBytes: 0, warnings };
    }
    return { encoding, bomBytes, warnings };
  }

  private declared(): string | null {
    return knownEncoding(this.declaredIn(String.fromCharCode(...this.head)));
  }
}

/**
 * Reads all bytes once and detects the encoding. If `isCut`, called at the end, returns true, the last character may be
 * cut off.
 */
export async function settleEncoding(
  chunks: AsyncIterable<Uint8Array>,
  hints?: EncodingHints,
  isCut: () => boolean = () => false,
): Promise<SettledEncoding> {
  const watch = new EncodingWatch(hints);
  for await (const chunk of chunks) watch.push(chunk);
  return watch.settled(isCut());
}

/**
 * A declared encoding, unless it is UTF-16, in which the declaration would be unreadable. ENCODING_INVALID if it is unknown: any other
 * would be a guess against what the file says.
 */
function knownEncoding(label: string | null): string | null {
  if (label === null) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? null : encoding;
  } catch (cause) {
    throw new AppError('ENCODING_INVALID', say('encoding.declared', { label }), { hint: say('encoding.declared.hint'), cause });
  }
}

/**
 * The encoding in an XML declaration (XML 1.0, section 4.3.3): `<?xml version="1.0" encoding="ISO-8859-2"?>`. `head`: the
 * first bytes read as Latin-1, whatever their encoding.
 */
export function xmlDeclaredEncoding(head: string): string | null {
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head)?.[1] ?? null;
}

function notUtf8(offset: number): AppError {
  return new AppError('ENCODING_INVALID', say('encoding.notUtf8', { offset }), {
    hint: say('encoding.notUtf8.hint', {}),
    details: { offset },
  });
}

function isUtf16(encoding: string): AppError {
  return new AppError('ENCODING_INVALID', say('encoding.unmarked', { encoding }), {
    hint: say('encoding.unmarked.hint', { encoding }),
  });
}

/** Fewer bytes prove nothing. */
const UTF16_BYTES = 32;

/** Detects Western text in UTF-16: a NUL at nearly every other byte, and none in between. */
function unmarkedUtf16(head: readonly number[]): string | null {
  if (head.length < UTF16_BYTES) return null;
  const nuls = [0, 1].map((place) => head.filter((byte, at) => byte === 0 && at % 2 === place).length);
  const [even = 0, odd = 0] = nuls;
  const most = 0.75 * Math.floor(head.length / 2);
  if (even === 0 && odd >= most) return 'utf-16le';
  return odd === 0 && even >= most ? 'utf-16be' : null;
}

function markOf(head: readonly number[]): { encoding: string; bytes: number } | null {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', bytes: 3 };
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    throw new AppError('ENCODING_INVALID', say('encoding.utf32'), { hint: say('encoding.utf32.hint') });
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', bytes: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', bytes: 2 };
  return null;
}

/**
 * The text as UTF-8 without byte-order mark. ENCODING_INVALID if a byte does not fit. `cut`: a character cut off at the
 * end is left out.
 */
export async function* decodeToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  settled: SettledEncoding,
  cut = false,
): AsyncIterable<Uint8Array> {
  const content = bytesAfter(chunks, settled.bomBytes);
  // UTF-8 was validated during detection: its bytes are the text.
  if (settled.encoding === 'utf-8') yield* cut ? wholeCharacters(content) : content;
  else if (settled.encoding === 'windows-1252') for await (const chunk of content) yield windows1252ToUtf8(chunk);
  else yield* decodeStream(content, settled.encoding, cut);
}

async function* decodeStream(chunks: AsyncIterable<Uint8Array>, encoding: string, cut: boolean): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  let offset = 0;
  /** A high surrogate whose partner is in the next chunk; some decoders split pairs. */
  let pending = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return pending + (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch (cause) {
      const message = chunk
        ? say('encoding.between', { encoding, from: offset, to: offset + chunk.length })
        : say('encoding.cutOff', { encoding });
      throw new AppError('ENCODING_INVALID', message, {
        hint: say('encoding.invalid.hint', {}),
        cause,
      });
    }
  };
  for await (const chunk of chunks) {
    let text = decode(chunk);
    offset += chunk.length;
    pending = '';
    const last = text.charCodeAt(text.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      pending = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text.length > 0) yield encoder.encode(text);
  }
  if (cut) return;
  const rest = decode();
  if (rest.length > 0) yield encoder.encode(rest);
}

/**
 * Code points of windows-1252's bytes 0x80–0x9F (https://encoding.spec.whatwg.org/index-windows-1252.txt); other bytes
 * equal their code point. Several Node releases decode these bytes as Latin-1, so the engine has a separate table.
 */
const windows1252High = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
];

function windows1252ToUtf8(chunk: Uint8Array): Uint8Array {
  const out = new Uint8Array(chunk.length * 3);
  let at = 0;
  for (const byte of chunk) {
    const code = byte >= 0x80 && byte <= 0x9f ? (windows1252High[byte - 0x80] as number) : byte;
    if (code < 0x80) out[at++] = code;
    else if (code < 0x800) {
      out[at++] = 0xc0 | (code >> 6);
      out[at++] = 0x80 | (code & 0x3f);
    } else {
      out[at++] = 0xe0 | (code >> 12);
      out[at++] = 0x80 | ((code >> 6) & 0x3f);
      out[at++] = 0x80 | (code & 0x3f);
    }
  }
  return out.slice(0, at);
}
