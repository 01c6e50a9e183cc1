/** JSON's strings as streams: what is written between the quotes, and what that stands for. */
import { ByteBuilder } from './byte-builder.ts';

const BACKSLASH = 0x5c;

/** What a backslash makes of the byte that follows it. */
const SHORT = Uint8Array.from({ length: 256 }, (_, byte) => byte);
for (const [letter, meant] of Object.entries({ b: 0x08, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 }))
  SHORT[letter.charCodeAt(0)] = meant;

/**
 * The content of a valid JSON string, given without its quotes and in pieces, as the bytes it stands for. Half of a surrogate pair
 * becomes U+FFFD, as it does wherever a string is written as UTF-8; or, with `keepHalves`, the three bytes that would stand for it.
 */
export class JsonUnescape {
  /** Halves of surrogate pairs without their other half were met. */
  halves = false;
  readonly #keepHalves: boolean;
  #out = new ByteBuilder();
  /** 0 outside of an escape, 1 after its backslash, 2 and more in its digits. */
  #step = 0;
  #code = 0;
  /** The first half of a pair whose second half may follow. */
  #high = 0;

  constructor({ keepHalves = false } = {}) {
    this.#keepHalves = keepHalves;
  }

  push(chunk: Uint8Array): Uint8Array {
    const { length } = chunk;
    const out = this.#out;
    let run = 0;
    let at = 0;
    while (at < length) {
      if (this.#step === 0) {
        while (at < length && chunk[at] !== BACKSLASH) at += 1;
        if (at > run) {
          this.#endHalf();
          out.bytes(chunk, run, at);
        }
        if (at === length) break;
        const next = chunk[at + 1];
        if (next === undefined || next === 0x75) {
          this.#step = 1;
          at += 1;
        } else {
          this.#endHalf();
          out.byte(SHORT[next] as number);
          at += 2;
        }
      } else {
        this.#escaped(chunk[at] as number);
        at += 1;
      }
      run = at;
    }
    return out.take();
  }

  /** What is left after the last piece. */
  end(): Uint8Array {
    this.#endHalf();
    return this.#out.take();
  }

  #escaped(byte: number): void {
    if (this.#step === 1) {
      if (byte === 0x75) {
        this.#step = 2;
        this.#code = 0;
        return;
      }
      this.#step = 0;
      this.#endHalf();
      this.#out.byte(SHORT[byte] as number);
      return;
    }
    this.#code = this.#code * 16 + hexValue(byte);
    this.#step += 1;
    if (this.#step < 6) return;
    this.#step = 0;
    this.#unit(this.#code);
  }

  /** One UTF-16 code unit. */
  #unit(unit: number): void {
    const low = unit >= 0xdc00 && unit < 0xe000;
    if (low && this.#high !== 0) {
      const point = 0x10000 + ((this.#high - 0xd800) << 10) + (unit - 0xdc00);
      this.#high = 0;
      this.#point(point);
      return;
    }
    this.#endHalf();
    if (unit >= 0xd800 && unit < 0xdc00) this.#high = unit;
    else if (low) this.#half(unit);
    else this.#point(unit);
  }

  #endHalf(): void {
    if (this.#high === 0) return;
    const unit = this.#high;
    this.#high = 0;
    this.#half(unit);
  }

  #half(unit: number): void {
    this.halves = true;
    this.#point(this.#keepHalves ? unit : 0xfffd);
  }

  #point(point: number): void {
    const out = this.#out;
    if (point < 0x80) out.byte(point);
    else if (point < 0x800) {
      out.byte(0xc0 | (point >> 6));
      out.byte(0x80 | (point & 0x3f));
    } else {
      if (point < 0x10000) out.byte(0xe0 | (point >> 12));
      else {
        out.byte(0xf0 | (point >> 18));
        out.byte(0x80 | ((point >> 12) & 0x3f));
      }
      out.byte(0x80 | ((point >> 6) & 0x3f));
      out.byte(0x80 | (point & 0x3f));
    }
  }
}

/** Escapes of control characters as JSON.stringify writes them. */
const escapes = Array.from({ length: 0x20 }, (_, code) => Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)));

/**
 * The inside of a JSON string for bytes that come in pieces, as JSON.stringify writes it. They are UTF-8, in which halves of surrogate
 * pairs may stand as `JsonUnescape` leaves them.
 */
export class JsonEscape {
  #out = new ByteBuilder();
  /** The first bytes of what may be half a pair. */
  #lead = 0;
  #second = 0;

  push(chunk: Uint8Array): Uint8Array {
    const out = this.#out;
    let at = this.#lead === 0 ? 0 : this.#goOn(chunk);
    if (this.#lead !== 0) return out.take();
    let run = at;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte >= 0x20 && byte !== 0x22 && byte !== BACKSLASH && byte !== 0xed) continue;
      out.bytes(chunk, run, at);
      run = at + 1;
      if (byte < 0x20) out.bytes(escapes[byte] as Buffer);
      else if (byte !== 0xed) {
        out.byte(BACKSLASH);
        out.byte(byte);
      } else {
        this.#lead = byte;
        at += this.#goOn(chunk.subarray(at + 1));
        if (this.#lead !== 0) return out.take();
        run = at + 1;
      }
    }
    out.bytes(chunk, run);
    return out.take();
  }

  /** Reads on in a character that begins with 0xED; gives how much of the piece belongs to it. */
  #goOn(chunk: Uint8Array): number {
    let used = 0;
    if (this.#second === 0) {
      if (chunk.length === 0) return 0;
      this.#second = chunk[used++] as number;
    }
    const third = chunk[used];
    if (third === undefined) return used;
    const out = this.#out;
    if (this.#second < 0xa0) {
      out.byte(this.#lead);
      out.byte(this.#second);
      out.byte(third);
    } else {
      const unit = 0xd000 | ((this.#second & 0x3f) << 6) | (third & 0x3f);
      out.bytes(Buffer.from(`\\u${unit.toString(16)}`));
    }
    this.#lead = 0;
    this.#second = 0;
    return used + 1;
  }
}

function hexValue(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}
