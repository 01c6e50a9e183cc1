/** A strict JSON scanner over byte chunks: validates, minifies, and splits a top-level array into elements. */
import type { PayloadKind } from '../../../shared/model/conversion.ts';
import { say, type Text } from '../../../shared/model/messages/message.ts';
import type { ElementBuilder } from '../core/byte-builder.ts';
import { describeByte, parseFailure } from '../core/failures.ts';
import type { Checkpoint } from '../core/payload.ts';
import {
  AFTER,
  ARRAY,
  ARRAY_START,
  COLON,
  DONE,
  ESCAPE,
  EXPONENT,
  expected,
  FRACTION,
  HEX,
  INTEGER,
  isEscape,
  isHex,
  KEY,
  kindOf,
  LITERAL,
  literals,
  MINUS,
  numberStep,
  OBJECT,
  OBJECT_START,
  STRING,
  VALUE,
  ZERO,
} from './json-grammar.ts';

/** Closing brackets that a hint shows. */
const CLOSINGS_SHOWN = 10;

export interface JsonScannerOptions {
  /** The format's name in errors. */
  readonly label: 'JSON' | 'JSONL';
  readonly maxNesting: number;
  /** Whether a top-level array is emitted element by element, without its brackets and commas. */
  readonly spread: boolean;
}

/** The state of a scan between any two bytes. */
export interface ScannerState {
  readonly state: number;
  /** Kinds of the enclosing containers, outermost first. */
  readonly containers: Uint8Array;
  readonly inKey: boolean;
  /** First letter of the current literal. */
  readonly word: number;
  /** Progress within an escape or a literal. */
  readonly step: number;
  readonly line: number;
  readonly lastWasCr: boolean;
  /** First byte of the value; 0 before it. */
  readonly first: number;
  readonly offset: number;
  /** Offset at which the line starts. */
  readonly lineStart: number;
}

/**
 * Follows RFC 8259 strictly; text must be valid UTF-8. Only whitespace is dropped: numbers keep their digits, strings
 * their escapes, objects their order and duplicate keys. Columns count characters.
 */
export class JsonScanner {
  /** Kind of the value; null until its first token. */
  kind: PayloadKind | null = null;
  line = 1;

  private readonly label: string;
  private readonly maxNesting: number;
  private readonly spread: boolean;
  private readonly stack: Uint8Array;
  private depth = 0;
  private state = VALUE;
  private inKey = false;
  private literal: Uint8Array = new Uint8Array(0);
  /** Progress within an escape or a literal. */
  private step = 0;
  /** Bytes read before the current chunk. */
  private offset = 0;
  private lineStart = 0;
  /** UTF-8 continuation bytes in this line, which do not count as characters. */
  private continuations = 0;
  private lastWasCr = false;

  constructor(options: JsonScannerOptions) {
    this.label = options.label;
    this.maxNesting = options.maxNesting;
    this.spread = options.spread;
    this.stack = new Uint8Array(options.maxNesting + 1);
  }

  /** Starts over with a new value on `line`. */
  restart(line: number): void {
    this.kind = null;
    this.depth = 0;
    this.state = VALUE;
    this.line = line;
    this.lineStart = this.offset;
    this.continuations = 0;
    this.lastWasCr = false;
  }

  /** Continues at an element of a top-level list whose beginning was scanned before. */
  resumeInList({ offset, line }: Checkpoint): void {
    this.kind = 'array';
    this.depth = 1;
    this.stack[1] = ARRAY;
    this.state = VALUE;
    this.line = line;
    this.offset = offset;
    this.lineStart = offset;
  }

  /** Continues from another scan's state; `continuations`: UTF-8 continuation bytes earlier in the line. */
  takeOver(from: ScannerState, continuations: number): void {
    this.kind = kindOf(from.first) ?? null;
    this.state = from.state;
    this.stack.set(from.containers, 1);
    this.depth = from.containers.length;
    this.inKey = from.inKey;
    this.literal = literals[from.word]?.bytes ?? this.literal;
    this.step = from.step;
    this.line = from.line;
    this.lastWasCr = from.lastWasCr;
    this.offset = from.offset;
    this.lineStart = from.lineStart;
    this.continuations = continuations;
  }

  /** Scans `chunk` from `from` to `to`; kept bytes go to `sink`, if given. */
  push(chunk: Uint8Array, from: number, to: number, sink: ElementBuilder | null): void {
    let state = this.state;
    /** Start of the run of kept bytes that are not written yet. */
    let run = from;
    let i = from;
    while (i < to) {
      const byte = chunk[i] as number;

      if (state === STRING) {
        let j = i;
        let continuations = 0;
        for (; j < to; j++) {
          const c = chunk[j] as number;
          if (c === 0x22 || c === 0x5c || c < 0x20) break;
          if (c >= 0x80 && c < 0xc0) continuations++;
        }
        this.continuations += continuations;
        i = j;
        if (j === to) break;
        const c = chunk[j] as number;
        if (c < 0x20) throw this.error(say('json.inString', { found: describeByte(c) }), i - from);
        i++;
        if (c === 0x5c) state = ESCAPE;
        else if (this.inKey) state = COLON;
        else {
          state = this.depth === 0 ? DONE : AFTER;
          if (this.isInList) run = this.finishElement(chunk, run, i, sink);
        }
        continue;
      }

      if (state >= MINUS) {
        const next = numberStep(state, byte);
        if (next > 0) {
          state = next;
          i++;
          continue;
        }
        if (next < 0) throw this.error(say('json.inNumber', { found: describeByte(byte, false) }), i - from);
        // The number ended before this byte, which is read again.
        state = this.depth === 0 ? DONE : AFTER;
        if (this.isInList) run = this.finishElement(chunk, run, i, sink);
        continue;
      }

      if (state === ESCAPE) {
        if (byte === 0x75) {
          state = HEX;
          this.step = 0;
        } else if (isEscape(byte)) state = STRING;
        else throw this.error(say('json.noEscape', { found: describeByte(byte) }), i - from);
        i++;
        continue;
      }

      if (state === HEX) {
        if (!isHex(byte)) throw this.error(say('json.inHexEscape', { found: describeByte(byte) }), i - from);
        i++;
        if (++this.step === 4) state = STRING;
        continue;
      }

      if (state === LITERAL) {
        if (byte !== this.literal[this.step])
          throw this.error(say('json.noWord', { found: describeByte(byte, false) }), i - from);
        i++;
        if (++this.step === this.literal.length) {
          state = this.depth === 0 ? DONE : AFTER;
          if (this.isInList) run = this.finishElement(chunk, run, i, sink);
        }
        continue;
      }

      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        if (sink && i > run) sink.out.bytes(chunk, run, i);
        do {
          const c = chunk[i] as number;
          if (c === 0x0a || c === 0x0d) this.newLine(c, i + 1 - from);
          else if (c === 0x20 || c === 0x09) this.lastWasCr = false;
          else break;
        } while (++i < to);
        run = i;
        continue;
      }
      this.lastWasCr = false;

      switch (state) {
        case VALUE:
        case ARRAY_START: {
          if (byte === 0x5d && state === ARRAY_START) {
            state = this.close(ARRAY, byte, i - from);
            i++;
            if (this.depth === 0 && this.spread) run = i;
            else if (this.isInList) run = this.finishElement(chunk, run, i, sink);
            break;
          }
          if (this.isInList) sink?.startElement(this.line, this.offset + i - from);
          state = this.startValue(byte, state, i - from);
          i++;
          if (this.spread && this.depth === 1 && state === ARRAY_START) run = i;
          break;
        }
        case OBJECT_START:
        case KEY:
          if (byte === 0x22) {
            this.inKey = true;
            state = STRING;
            i++;
          } else if (byte === 0x7d && state === OBJECT_START) {
            state = this.close(OBJECT, byte, i - from);
            i++;
            if (this.isInList) run = this.finishElement(chunk, run, i, sink);
          } else throw this.unexpected(byte, state, i - from);
          break;
        case COLON:
          if (byte !== 0x3a) throw this.unexpected(byte, state, i - from);
          state = VALUE;
          i++;
          break;
        case AFTER: {
          const top = this.stack[this.depth];
          if (byte === 0x2c) {
            state = top === ARRAY ? VALUE : KEY;
            i++;
            if (this.isInList) run = i;
          } else {
            const endsList = this.isInList;
            if (byte !== 0x5d && byte !== 0x7d) throw this.noComma(byte, top === ARRAY ? '"]"' : '"}"', i - from);
            state = this.close(byte === 0x5d ? ARRAY : OBJECT, byte, i - from);
            i++;
            if (endsList) run = i;
            else if (this.isInList) run = this.finishElement(chunk, run, i, sink);
          }
          break;
        }
        default:
          throw this.error(say('json.afterEnd', { found: describeByte(byte, false) }), i - from);
      }
    }
    if (sink && i > run) sink.out.bytes(chunk, run, i);
    this.state = state;
    this.offset += to - from;
  }

  /** Call it after the last chunk: throws if the value is incomplete. `unit` names what ended, for the error. */
  end(unit: 'file' | 'line'): void {
    if (this.state === ZERO || this.state === INTEGER || this.state === FRACTION || this.state === EXPONENT) {
      if (this.depth === 0) this.state = DONE;
    }
    if (this.state === DONE) return;
    if (this.kind === null) throw this.error(say(unit === 'line' ? 'json.emptyLine' : 'json.emptyFile'), 0);
    const inside =
      this.state === STRING || this.state === ESCAPE || this.state === HEX
        ? 'string'
        : this.depth > 0
          ? this.stack[this.depth] === ARRAY
            ? 'array'
            : 'object'
          : this.state === LITERAL
            ? 'word'
            : 'number';
    const open = [...this.stack.subarray(1, this.depth + 1)].reverse().map((each) => (each === ARRAY ? ']' : '}'));
    const closing =
      (inside === 'string' ? '"' : '') + open.slice(0, CLOSINGS_SHOWN).join('') + (open.length > CLOSINGS_SHOWN ? '…' : '');
    throw this.error(
      say('json.endsInside', { unit, inside }),
      0,
      say('json.endsInside.hint', { unit, closing, line: this.line }),
    );
  }

  /** Whether an element of the split list may begin here, or has just ended. */
  private get isInList(): boolean {
    return this.spread && this.depth === 1 && this.stack[1] === ARRAY;
  }

  private startValue(byte: number, state: number, at: number): number {
    switch (byte) {
      case 0x22:
        this.kind ??= 'string';
        this.inKey = false;
        return STRING;
      case 0x7b:
        this.kind ??= 'object';
        this.open(OBJECT, at);
        return OBJECT_START;
      case 0x5b:
        this.kind ??= 'array';
        this.open(ARRAY, at);
        return ARRAY_START;
      case 0x2d:
        this.kind ??= 'number';
        return MINUS;
      case 0x30:
        this.kind ??= 'number';
        return ZERO;
    }
    if (byte >= 0x31 && byte <= 0x39) {
      this.kind ??= 'number';
      return INTEGER;
    }
    const literal = literals[byte];
    if (!literal) throw this.unexpected(byte, state, at);
    this.kind ??= literal.kind;
    this.literal = literal.bytes;
    this.step = 1;
    return LITERAL;
  }

  private open(container: number, at: number): void {
    if (this.depth === this.maxNesting)
      throw this.error(say('parse.tooDeep', { levels: this.maxNesting }), at, say('parse.maxNestingSetting'));
    this.stack[++this.depth] = container;
  }

  private close(container: number, byte: number, at: number): number {
    if (this.stack[this.depth] !== container) {
      const closing = container === ARRAY ? '"}"' : '"]"';
      throw this.expectedError(say('json.wrongClosing', { found: describeByte(byte), closing }), at, closing);
    }
    this.depth--;
    return this.depth === 0 ? DONE : AFTER;
  }

  /** Writes the end of an element; returns where the next run starts. */
  private finishElement(chunk: Uint8Array, run: number, end: number, sink: ElementBuilder | null): number {
    if (sink) {
      if (end > run) sink.out.bytes(chunk, run, end);
      sink.endElement();
    }
    return end;
  }

  private newLine(byte: number, next: number): void {
    if (!(byte === 0x0a && this.lastWasCr)) this.line++;
    this.lastWasCr = byte === 0x0d;
    this.lineStart = this.offset + next;
    this.continuations = 0;
  }

  private unexpected(byte: number, state: number, at: number): Error {
    const what = expected[state] ?? 'value';
    return this.expectedError(say('json.unexpected', { found: describeByte(byte, false), expected: what }), at, what);
  }

  private noComma(byte: number, closing: string, at: number): Error {
    return this.expectedError(say('json.noComma', { found: describeByte(byte, false), closing }), at, `"," or ${closing}`);
  }

  private expectedError(reason: Text, at: number, what: string): Error {
    return this.error(reason, at, say('json.expected.hint', { line: this.line, column: this.columnAt(at), what }));
  }

  /** `at` counts from the start of the current chunk. */
  private columnAt(at: number): number {
    return this.offset + at - this.lineStart - this.continuations + 1;
  }

  /** `at` counts from the start of the current chunk. */
  private error(reason: Text, at: number, hint?: Text): Error {
    return parseFailure(this.label, reason, { line: this.line, column: this.columnAt(at) }, hint === undefined ? {} : { hint });
  }
}
