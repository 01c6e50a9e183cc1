/** Detects a file's character encoding and decodes it to UTF-8, as a stream. */

import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { bytesAfter } from '../core/byte-streams.ts';
import { OddLines, Utf8Check, wholeCharacters, windows1252ToUtf8 } from './utf8.ts';

export interface SettledEncoding {
  /** The WHATWG name in lower case, such as `utf-8` or `windows-1252`. */
  readonly encoding: string;
  /** Length of the byte-order mark to skip. */
  readonly bomBytes: number;
  readonly warnings: readonly Warning[];
  /** Offset of the first byte that is no UTF-8, where nothing says which encoding it is. */
  readonly badAt?: number | undefined;
}

/**
 * The canonical name for a WHATWG label (https://encoding.spec.whatwg.org/#names-and-labels); INVALID_REQUEST if it is
 * unknown.
 */
function encodingFor(label: string): string {
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
export const HEAD_BYTES = 1024;

/** Information about the encoding other than the bytes. */
export interface EncodingHints {
  /** The requested label; `auto` if none was requested. */
  readonly requested?: string | undefined;
  /** The encoding that the format declares; called with the first bytes read as Latin-1. */
  readonly declaredIn?: ((head: string) => string | null) | undefined;
}

/**
 * Detects the encoding from all bytes, as far as it can be known. A byte-order mark always wins, as in browsers; without one, `auto` takes
 * the format's declaration, else UTF-16 by its NULs, else UTF-8 if every byte fits.
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
   * ENCODING_INVALID for UTF-32 and a declared encoding that is unknown.
   */
  expected(): { encoding: string; bomBytes: number } {
    const mark = markOf(this.head);
    const known = mark?.encoding ?? this.asked ?? this.declared();
    return { encoding: known ?? unmarkedUtf16(this.head) ?? 'utf-8', bomBytes: mark?.bytes ?? 0 };
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
    const isUnmarked = !mark && !asked && encoding.startsWith('utf-16');
    if (isUnmarked) warnings.push(warning('ENCODING_GUESSED', say('warning.encodingUnmarked', { encoding })));
    // ASCII letters in UTF-16 are valid UTF-8 with many NULs; a few NULs prove nothing.
    else if (!mark && !asked && firstNul >= 0)
      warnings.push(warning('NUL_CHARACTERS', say('warning.nulCharacters', { offset: firstNul })));
    if (encoding === 'utf-8' && check.firstBad >= 0) {
      if (asked ?? mark) throw notUtf8(check.firstBad);
      return { encoding, bomBytes, warnings, badAt: check.firstBad };
    }
    return { encoding, bomBytes, warnings };
  }

  private declared(): string | null {
    return knownEncoding(this.declaredIn(String.fromCharCode(...this.head)));
  }
}

/**
 * Reads all bytes once and detects the encoding, by the words where nothing else says it: ENCODING_INVALID if they are not sure. If `isCut`,
 * called at the end, returns true, the last character may be cut off.
 */
export async function settleEncoding(
  chunks: AsyncIterable<Uint8Array>,
  hints?: EncodingHints,
  isCut: () => boolean = () => false,
): Promise<SettledEncoding> {
  const watch = new EncodingWatch(hints);
  const odd = new OddLines();
  for await (const chunk of chunks) {
    watch.push(chunk);
    odd.push(chunk);
  }
  const settled = watch.settled(isCut());
  if (settled.badAt === undefined) return settled;
  odd.end();
  return byWords(odd, settled.badAt, settled.warnings);
}

async function byWords(odd: OddLines, offset: number, warnings: readonly Warning[]): Promise<SettledEncoding> {
  // The detector is large, and most files are UTF-8.
  const { encodingEvidence } = await import('./encoding-evidence.ts');
  const found = encodingEvidence(odd);
  if (found.kind === 'sure') {
    const { encoding, word } = found.reading;
    const guessed = warning('ENCODING_GUESSED', say('warning.encodingGuessed', { offset, encoding, word }));
    return { encoding, bomBytes: 0, warnings: [...warnings, guessed] };
  }
  if (found.kind === 'mixed') {
    throw new AppError('ENCODING_INVALID', say('encoding.mixed', { offset, word: found.word }), {
      hint: say('encoding.mixed.hint', {}),
      details: { offset },
    });
  }
  if (found.kind === 'none') {
    throw new AppError('ENCODING_INVALID', say('encoding.none', { offset }), {
      hint: say('encoding.none.hint', {}),
      details: { offset },
    });
  }
  const { readings } = found;
  throw new AppError('ENCODING_INVALID', say('encoding.unsure', { offset, readings }), {
    hint: say('encoding.unsure.hint', { encoding: readings[0]?.encoding ?? 'windows-1252' }),
    details: { offset },
  });
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

/** The encoding in a page's `meta` element (HTML, 13.2.3.2, which looks as far as this does). `head`: the first bytes read as Latin-1. */
export function htmlDeclaredEncoding(head: string): string | null {
  return /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([A-Za-z][\w:.-]*)/i.exec(head)?.[1] ?? xmlDeclaredEncoding(head);
}

function notUtf8(offset: number): AppError {
  return new AppError('ENCODING_INVALID', say('encoding.notUtf8', { offset }), {
    hint: say('encoding.notUtf8.hint', {}),
    details: { offset },
  });
}

/** Fewer bytes prove nothing. */
const UTF16_BYTES = 16;

/** UTF-16 without a mark: NULs at one of two places only, as ASCII has them there, and a text without controls if read so. */
function unmarkedUtf16(head: readonly number[]): string | null {
  if (head.length < UTF16_BYTES) return null;
  const [even = 0, odd = 0] = [0, 1].map((place) => head.filter((byte, at) => byte === 0 && at % 2 === place).length);
  // Tables have a separator or a line break in a few letters.
  if ((even > 0 && odd > 0) || even + odd < head.length / UTF16_BYTES) return null;
  const encoding = odd > 0 ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(Uint8Array.from(head.slice(0, head.length - (head.length % 4))));
  return /(?![\t\n\r])[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(text.slice(0, -1)) ? null : encoding;
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
