/** Scans a long request while its line arrives, so that the complete line needs little work. */

import { Utf8Check } from '../engine/input/utf8.ts';
import { JsonScanner } from '../engine/json/json-scanner.ts';
import { ChunkList } from './chunk-list.ts';
import type { LongArguments } from './long-arguments.ts';
import { MemberSpan, type Span } from './member-span.ts';

/** First scan window, doubled each time; arguments usually start early (bytes). */
const LOOK_BYTES = 512;

/** Lazily imported module: undefined before the import, null while it loads. */
let longArguments: typeof LongArguments | null | undefined;

/** State after the kernel took over scanning inside one of the followed objects. */
interface Handed {
  readonly args: LongArguments;
  readonly span: MemberSpan;
  /** Bytes scanned in JavaScript before the kernel took over. */
  readonly since: number;
}

export class LongRequest {
  readonly #maxNesting: number;
  readonly #spans: readonly MemberSpan[];
  readonly #parts = new ChunkList<Buffer>();
  readonly #utf8 = new Utf8Check();
  #held = 0;
  /** Null once the line proved invalid or too deeply nested. */
  #scanner: JsonScanner | null;
  #handed: Handed | null = null;

  /** Follows the objects at these paths. The kernel takes over inside the first one found. */
  constructor(paths: readonly (readonly string[])[], maxNesting: number) {
    this.#maxNesting = maxNesting;
    this.#spans = paths.map((path) => new MemberSpan(path, maxNesting));
    this.#scanner = new JsonScanner({ label: 'JSON', maxNesting, spread: false });
  }

  push(part: Buffer): void {
    this.#utf8.push(part);
    let at = 0;
    for (let look = LOOK_BYTES; !this.#handed && at < part.length; look *= 2) {
      this.#take(part.subarray(at, at + look));
      this.#handOver();
      at += look;
    }
    if (at < part.length) this.#take(part.subarray(at));
  }

  /** Byte ranges of the objects, in the order of `paths`, for the complete line. Empty when the line is invalid. */
  end(): (Span | undefined)[] {
    this.#utf8.end();
    if (this.#utf8.firstBad !== -1) return [];
    if (this.#handed) return this.#endHanded(this.#handed);
    return this.#valid() ? this.#spans.map(({ span }) => span) : [];
  }

  /** Returns the kernel to its pool. */
  close(): void {
    this.#handed?.args.close();
    this.#handed = null;
  }

  #take(part: Buffer): void {
    this.#held += part.length;
    this.#parts.push(part);
    if (this.#handed) {
      this.#handed.args.push(part);
      return;
    }
    if (this.#scanner === null) return;
    try {
      this.#scanner.push(part, 0, part.length, null);
      for (const span of this.#spans) span.feed(part);
    } catch {
      this.#scanner = null;
    }
  }

  #handOver(): void {
    if (this.#handed || this.#scanner === null) return;
    const span = this.#spans.find(({ insideOf }) => insideOf !== -1);
    if (span === undefined) return;
    if (longArguments === undefined) {
      // The module loads on first need; this line is scanned without it.
      longArguments = null;
      import('./long-arguments.ts').then(
        (module) => {
          longArguments = module.LongArguments;
        },
        () => undefined,
      );
    }
    const args = longArguments?.begin(this.#maxNesting);
    if (!args) return;
    for (const part of cut(this.#parts.parts, span.insideOf, this.#held)) args.push(part);
    this.#handed = { args, span, since: this.#held };
  }

  /** Finds the end of the arguments and has the kernel check the rest of them. The text around them is parsed later. */
  #endHanded({ args, span, since }: Handed): (Span | undefined)[] {
    const readTo = span.insideOf + args.read;
    if (readTo > since) span.resume(readTo, args.state);
    for (const part of cut(this.#parts.parts, Math.max(readTo, since), this.#held)) span.feed(part);
    const found = span.span;
    if (found === undefined || found.end < readTo || !args.endsWith(cut(this.#parts.parts, readTo, found.end))) return [];
    return this.#spans.map((each) => (each === span ? found : undefined));
  }

  #valid(): boolean {
    try {
      this.#scanner?.end('line');
      return this.#scanner !== null;
    } catch {
      return false;
    }
  }
}

/** Slices `start` to `end` out of a list of buffers. */
export function cut(parts: readonly Buffer[], start: number, end: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (piece.length > 0) found.push(piece);
    at += part.length;
  }
  return found;
}
