/** What tests of kernels feed them: chance that can be repeated, texts that are nearly right, and readers' answers to compare. */
import { AppError } from '../../../shared/model/errors.ts';
import { testBounds } from '../conversion-fixture.ts';
import type { EngineBounds } from '../convert-types.ts';
import type { FormatReader, Utf8Source } from '../formats/reader.ts';
import type { ElementChunk } from '../payload.ts';

/** Numbers by chance; the same seed gives the same ones (mulberry32). */
export class Chance {
  private seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** From 0 to below `bound`. */
  below(bound: number): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let x = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) % bound;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  of<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** A text with some of its characters taken out, doubled, moved or replaced by those of `junk`; or its beginning. */
export function damaged(text: string, chance: Chance, junk: readonly string[]): string {
  let damagedText = text;
  for (let edits = chance.below(3); edits >= 0; edits -= 1) {
    const units = [...damagedText];
    const at = chance.below(units.length + 1);
    const length = chance.once(3) ? chance.below(12) : chance.below(3);
    if (chance.once(6)) return units.slice(0, at).join('');
    if (chance.once(5)) units.splice(at, 0, ...units.slice(at, at + length));
    else units.splice(at, length, ...(chance.once(3) ? [] : [chance.of(junk)]));
    damagedText = units.join('');
  }
  return damagedText;
}

export interface TextCase {
  readonly text: string;
  /** Sizes of the chunks in which it comes, over and over. */
  readonly sizes: readonly number[];
  readonly seekable: boolean;
  readonly bounds: EngineBounds;
}

/** How a text may come, by chance. */
export function caseOf(text: string, chance: Chance): TextCase {
  const sizes = chance.once(4) ? [text.length + 1] : Array.from({ length: 1 + chance.below(3) }, () => 1 + chance.below(40));
  const maxNesting = chance.once(3) ? 1 + chance.below(5) : testBounds.maxNesting;
  return { text, sizes, seekable: chance.once(2), bounds: { ...testBounds, maxNesting } };
}

export function sourceOf({ text, sizes, seekable }: TextCase): Utf8Source {
  const bytes = new TextEncoder().encode(text);
  async function* readFrom(offset: number) {
    let turn = 0;
    for (let at = offset; at < bytes.length; ) {
      const size = sizes[turn++ % sizes.length] as number;
      // Room behind the bytes, with something in it, is what chunks of files have.
      yield Buffer.from(`"}${Buffer.from(bytes.subarray(at, at + size)).toString('latin1')}]"`, 'latin1').subarray(2, -2);
      at += size;
    }
  }
  return { read: () => readFrom(0), ...(seekable ? { readFrom } : {}) };
}

/** All that a reader says of a text, as plain values; of a failure what it says. */
export async function answerOf(read: FormatReader, given: TextCase): Promise<unknown> {
  try {
    const scan = await read(sourceOf(given), { options: {}, bounds: given.bounds });
    const { kind, columns, delimiter, warnings } = scan;
    const content = kind === 'array' ? await elementsOf(scan.elements()) : { text: await textOf(scan.json()) };
    return { kind, columns, delimiter, warnings, content };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint, details } = error;
    return { code, message, hint, details };
  }
}

/** Each element and its line. Throws where a chunk is not what it has to be. */
export async function elementsOf(chunks: AsyncIterable<ElementChunk>): Promise<[string, number | undefined][]> {
  const elements: [string, number | undefined][] = [];
  for await (const { data, ends, lines } of chunks) {
    if (ends.length === 0 || ends.at(-1) !== data.length) throw new Error('a chunk does not end with an element');
    let from = 0;
    for (const [i, end] of ends.entries()) {
      elements.push([Buffer.from(data.subarray(from, end)).toString(), lines?.[i]]);
      if (i + 1 < ends.length && data[end] !== 0x2c) throw new Error('two elements have no comma between them');
      from = end + 1;
    }
  }
  return elements;
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}
