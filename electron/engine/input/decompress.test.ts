/** Tests compressed files: whole, in several parts, cut off, damaged, and as bombs. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convert } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { unzstd } from './decompress.ts';

const csv = 'id,name\n1,Ann\n2,Bob\n';
const records = '[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]';
/** `csv` as `zstd -3` compresses it. */
const zstd = Buffer.from('KLUv/QRYoQAAaWQsbmFtZQoxLEFubgoyLEJvYgprSn4N', 'base64');
/** A hand-made Zstandard frame by RFC 8878 §3.1.1: an RLE block of 128 KiB of zeros, repeated. */
function zstdBomb(blocks: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const block = (last: boolean) => {
    const bits = (131072 << 3) | (1 << 1) | (last ? 1 : 0);
    return Buffer.from([bits & 0xff, (bits >> 8) & 0xff, bits >> 16, 0x61]);
  };
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, i) => block(i === blocks - 1))]);
}

describe('compressed files', () => {
  it.each([
    ['gzip', 'users.csv.gz', gzipSync(csv)],
    ['brotli', 'users.csv.br', brotliCompressSync(csv)],
    ['zstd', 'USERS.CSV.ZST', zstd],
  ])('%s', async (compression, name, bytes) => {
    expect(await jsonOf(name, bytes)).toBe(records);
    const { report } = await convertBytes(name, bytes);
    expect(report).toMatchObject({ format: 'csv', compression, inputBytes: bytes.length });
    for (const size of [1, 7])
      expect((await convert(chunkedSource(name, bytes, [size]), { bounds: testBounds })).bytes).toBe(records.length);
  });

  it('gzip of several members and zstd of several frames are joined', async () => {
    expect(await jsonOf('a.csv.gz', Buffer.concat([gzipSync('id,name\n1,A'), gzipSync('nn\n2,Bob\n')]))).toBe(records);
    expect(await jsonOf('a.csv.zst', Buffer.concat([zstd, zstd]))).toBe(await jsonOf('a.csv', csv + csv));
  });

  it('base64 contains the stored bytes', async () => {
    const bytes = gzipSync(csv);
    expect(await jsonOf('users.csv.gz', bytes, { as: 'base64' })).toBe(JSON.stringify(bytes.toString('base64')));
  });
});

describe('broken archives', () => {
  it.each([
    ['a.csv.gz', gzipSync(csv).subarray(0, 20), 'Failed to decompress gzip file: it ends too early, as after a broken download'],
    [
      'a.csv.br',
      brotliCompressSync(csv).subarray(0, 15),
      'Failed to decompress Brotli file: it ends too early, as after a broken download',
    ],
    ['a.csv.zst', zstd.subarray(0, 20), 'Failed to decompress Zstandard file: it ends too early, as after a broken download'],
    ['a.csv.gz', Buffer.from(csv), 'Failed to decompress gzip file: its content is not gzip data'],
    ['a.csv.zst', Buffer.from(csv), 'Failed to decompress Zstandard file: its content is not Zstandard data'],
    ['a.csv.gz', Buffer.alloc(0), 'Failed to decompress gzip file: it is empty'],
    ['a.csv.br', Buffer.alloc(0), 'Failed to decompress Brotli file: it is empty'],
    ['a.csv.zst', Buffer.alloc(0), 'Failed to decompress Zstandard file: it is empty'],
  ])('%s: %#', async (name, bytes, message) => {
    const error = await failureOf(name, bytes);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.message).toBe(message);
  });

  it.each([
    ['a.csv.gz', gzipSync(csv), 'gzip'],
    ['a.csv.br', brotliCompressSync(csv), 'Brotli'],
    ['a.csv.zst', zstd, 'Zstandard'],
  ])('%s with other data after its end', async (name, bytes, format) => {
    for (const extra of [Buffer.from('other data of some length'), Buffer.alloc(3_000_000, 'junk')])
      expect((await failureOf(name, Buffer.concat([bytes, extra]))).message).toBe(
        `Failed to decompress ${format} file: other data follows after its end`,
      );
    // Tape drives and some tools pad gzip with zeros.
    if (format === 'gzip') expect(await jsonOf(name, Buffer.concat([bytes, Buffer.alloc(512)]))).toBe(records);
  });

  it('a flipped byte is found by its check sum', async () => {
    const bytes = gzipSync(csv.repeat(100));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 6) ^ 0xff, bytes.length - 6);
    expect((await failureOf('a.csv.gz', bytes)).message).toMatch(/^Failed to decompress gzip file: it is damaged/);
  });

  it('every truncation of an archive is an error', async () => {
    for (const [name, bytes] of [
      ['a.txt.gz', gzipSync(csv)],
      ['a.txt.br', brotliCompressSync(csv)],
    ] as const)
      for (let length = 0; length < bytes.length; length++)
        expect((await failureOf(name, bytes.subarray(0, length))).code).toBe('PARSE_FAILED');
  });

  it('an error of the source is passed through', async () => {
    const source = {
      name: 'a.csv.gz',
      size: 100,
      async *read() {
        yield gzipSync(csv).subarray(0, 12);
        throw new Error('the disk is gone');
      },
    };
    await expect(convert(source, { bounds: testBounds })).rejects.toThrow('the disk is gone');
  });
});

describe('bombs', () => {
  const small = { ...testBounds, maxStreamedFileBytes: 1024 * 1024 };

  it.each([
    ['bomb.txt.gz', gzipSync(Buffer.alloc(50 * 1024 * 1024, 'a'))],
    ['bomb.txt.br', brotliCompressSync(Buffer.alloc(20 * 1024 * 1024, 'a'))],
    ['bomb.txt.zst', zstdBomb(4000)],
  ])('%s stops at the bound', async (name, bytes) => {
    const error = await failureOf(name, bytes, { bounds: small });
    expect(error.code).toBe('FILE_TOO_LARGE');
    expect(error.message).toBe('File size more than 1 MB exceeds maximum allowed size of 1 MB');
    expect(error.hint).toContain('limits.maxStreamedFileBytes');
  });

  it('a file within the limit is read', async () => {
    const { report } = await convertBytes('a.txt.zst', zstdBomb(4), { bounds: small });
    expect(report.outputBytes).toBe(4 * 131072 + 2);
  });

  it('the JavaScript decoder limits the output per step', async () => {
    let bytes = 0;
    for await (const chunk of unzstd(chunkedSource('a', zstdBomb(100_000)).read())) {
      bytes += chunk.length;
      if (bytes > 1024 * 1024) break;
    }
    expect(bytes).toBeLessThan(2 * 1024 * 1024);
  });

  it('a window of gigabytes is refused', async () => {
    const huge = zstdBomb(1);
    huge[5] = 0xff;
    await expect(async () => {
      for await (const _ of unzstd(chunkedSource('a', Buffer.concat([huge, Buffer.alloc(32)])).read()));
    }).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});
