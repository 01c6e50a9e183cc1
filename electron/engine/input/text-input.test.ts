/** Tests the single pass over UTF-8 text and the slower path for other encodings: both give the same results. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import type { ConvertRequest } from '../core/convert-types.ts';
import type { ByteSource } from '../core/source.ts';
import { chunkedSource, failureOf, jsonText, testBounds } from '../fixtures/conversion-fixture.ts';

/** A source that counts the bytes read from it. */
function counted(name: string, content: string | Uint8Array, sizes?: readonly number[]): { source: ByteSource; read(): number } {
  const source = chunkedSource(name, content, sizes);
  let bytes = 0;
  const tap = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const { readFrom } = source;
  return {
    source: {
      ...source,
      read: (signal) => tap(source.read(signal)),
      ...(readFrom ? { readFrom: (offset: number, signal?: AbortSignal) => tap(readFrom(offset, signal)) } : {}),
    },
    read: () => bytes,
  };
}

async function converted(source: ByteSource, options: Partial<ConvertRequest> = {}) {
  const conversion = await convert(source, { bounds: testBounds, ...options });
  const text = await jsonText(conversion);
  conversion.close();
  return { ...conversion.report, text };
}

const late = (bytes: Uint8Array) => Buffer.concat([Buffer.from(`name\n${'plain\n'.repeat(50_000)}`), bytes]);

describe('bytes that turn out not to be UTF-8', () => {
  it('are read as windows-1252 even if they come late', async () => {
    const { text, encoding, warnings } = await converted(chunkedSource('a.csv', late(Uint8Array.of(0x63, 0xe9, 0x0a))));
    expect(encoding).toBe('windows-1252');
    expect(JSON.parse(text).at(-1)).toEqual({ name: 'cé' });
    expect(warnings).toMatchObject([{ code: 'ENCODING_GUESSED', message: expect.stringContaining('offset 300006') }]);
  });

  it('are reported before other errors in the file', async () => {
    const broken = Buffer.from([...Buffer.from('a,b\n1,2,3\n'), 0xff]);
    await expect(failureOf('a.csv', broken, { encoding: 'utf-8' })).resolves.toMatchObject({ code: 'ENCODING_INVALID' });
  });

  it.each([1, 2, 3, 7, 255, 256, 257])('are found, and a byte-order mark is skipped, in chunks of %i bytes', async (size) => {
    const withBom = `\ufeffname\n${'é'.repeat(300)}\n`;
    expect((await converted(chunkedSource('a.csv', withBom, [size]))).text).toBe(`[{"name":"${'é'.repeat(300)}"}]`);
    const latin = Buffer.from('name\ncaf\xe9\n', 'latin1');
    expect((await converted(chunkedSource('a.csv', latin, [size]))).text).toBe('[{"name":"café"}]');
    const wide = Buffer.from(`\ufeffname\n${'é'.repeat(300)}\n`, 'utf16le');
    expect((await converted(chunkedSource('a.csv', wide, [size]))).text).toBe(`[{"name":"${'é'.repeat(300)}"}]`);
  });
});

describe('an archive', () => {
  const rows = `n,t\n${Array.from({ length: 200_000 }, (_, i) => `${i},row ${i}\n`).join('')}`;

  it.each([
    ['gz', gzipSync(rows)],
    ['br', brotliCompressSync(rows)],
  ])('is unpacked once for all passes over its text: .%s', async (ending, archive) => {
    const plain = await converted(chunkedSource('a.csv', rows));
    const { source, read } = counted(`a.csv.${ending}`, archive);
    const conversion = await convert(source, { bounds: testBounds });
    expect(await jsonText(conversion)).toBe(plain.text);
    const tail: string[] = [];
    for await (const { data } of conversion.elements({ start: 199_999 })) tail.push(new TextDecoder().decode(data));
    expect(tail).toEqual(['{"n":199999,"t":"row 199999"}']);
    // The delimiter is detected in a first read of the beginning.
    expect(read()).toBeLessThan(archive.length * 1.5 + 64 * 1024);
    conversion.close();
    expect(await jsonText(conversion)).toBe(plain.text);
  });
});

it('neither hashes nor counts tokens if only the bytes are wanted', async () => {
  const whole = await converted(chunkedSource('a.csv', 'n\n1\n'));
  const bare = await converted(chunkedSource('a.csv', 'n\n1\n'), { bytesOnly: true });
  expect(bare).toEqual({ ...whole, sha256: '', tokens: { count: 3, method: 'estimated' } });
});
