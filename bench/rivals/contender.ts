/** A contender: one way to convert a file to JSON text. */
import { openSync, writeSync } from 'node:fs';

/** Converts `file` and writes the JSON to the file `out`. */
export type Conversion = (file: string, out: string) => void | Promise<void>;

/** Loads what it needs; loading is not measured. */
export type Contender = () => Promise<Conversion>;

/** Writes all of it as UTF-8 text, in one piece. */
export function writeWhole(out: string, text: string): void {
  writeAll(openSync(out, 'w'), Buffer.from(text));
}

export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}
