/** What tests of one format's reader feed it, and what they get back: texts cut anywhere, JSON as one string, refusals. */
import { expect } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { testBounds } from '../conversion-fixture.ts';
import type { EngineBounds } from '../convert-types.ts';
import type { FormatReader, FormatScan } from './reader.ts';

/** The text as a source whose chunks end wherever `cuts` says. */
function cutSource(text: string, cuts: readonly number[]) {
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return {
    async *read() {
      let from = 0;
      for (const end of [...ends, bytes.length]) {
        yield Uint8Array.from(bytes.subarray(from, end));
        from = end;
      }
    },
  };
}

/** `own` replaces some of the bounds. */
export function readerTests(read: FormatReader, own: Partial<EngineBounds> = {}) {
  const scanOf = async (
    text: string,
    cuts: readonly number[] = [],
    overrides: Partial<EngineBounds> = {},
    signal?: AbortSignal,
  ): Promise<FormatScan> => read(cutSource(text, cuts), { options: {}, bounds: { ...testBounds, ...own, ...overrides }, signal });

  async function jsonOf(text: string, cuts: readonly number[] = [], overrides: Partial<EngineBounds> = {}): Promise<string> {
    const scan = await scanOf(text, cuts, overrides);
    const parts: Buffer[] = [];
    if (scan.kind === 'array') {
      for await (const { data } of scan.elements()) parts.push(Buffer.from(parts.length > 0 ? `,${Buffer.from(data)}` : data));
      return `[${Buffer.concat(parts)}]`;
    }
    for await (const chunk of scan.json()) parts.push(Buffer.from(chunk));
    return Buffer.concat(parts).toString('utf8');
  }

  async function refusalOf(text: string, overrides: Partial<EngineBounds> = {}): Promise<AppError> {
    const error = await jsonOf(text, [], overrides).then(
      (json) => expect.fail(`was read as ${json}`),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }

  return { scanOf, jsonOf, refusalOf };
}
