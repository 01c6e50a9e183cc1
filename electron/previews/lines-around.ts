/** Some lines of a text, as they are in the file, from its payload: a JSON string. */
import { cutString } from '../../shared/lib/cut-string.ts';
import type { JsonStream } from '../engine/core/payload.ts';

const AROUND = 3;
/** Of a line; what is longer is cut. Bytes of its JSON. */
const SHOWN = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_BREAK = 0x6e;

export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** The line and the three before and after it, as far as there are some. */
export async function linesAround(text: JsonStream, line: number, signal: AbortSignal): Promise<FileLine[]> {
  const lines: FileLine[] = [];
  let number = 1;
  let kept: number[] = [];
  let length = 0;
  const isShown = () => Math.abs(number - line) <= AROUND;
  const end = () => {
    if (isShown()) lines.push({ number, text: textOf(kept), isCut: length > SHOWN });
    number += 1;
    kept = [];
    length = 0;
  };
  let escaped = false;
  let first = true;
  for await (const chunk of text.json(signal)) {
    for (const byte of first ? chunk.subarray(1) : chunk) {
      if (!escaped && byte === QUOTE) {
        // A line break at the end begins no line.
        if (length > 0) end();
        return lines;
      }
      if (escaped && byte === LINE_BREAK) {
        if (length <= SHOWN) kept.pop();
        length -= 1;
        end();
        if (number > line + AROUND) return lines;
        escaped = false;
        continue;
      }
      escaped = !escaped && byte === BACKSLASH;
      length += 1;
      if (length <= SHOWN && isShown()) kept.push(byte);
    }
    first = false;
  }
  return lines;
}

const textOf = (bytes: readonly number[]): string =>
  cutString(`"${new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes), { stream: true })}`).replace(
    /\r$/,
    '',
  );
