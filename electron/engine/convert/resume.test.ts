import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../shared/lib/fixtures/property-runs.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import type { Conversion } from '../core/convert-types.ts';
import { ResumePoints } from '../core/resume-points.ts';
import type { ByteSource } from '../core/source.ts';
import { chunkedSource, jsonText, testBounds } from '../fixtures/conversion-fixture.ts';
import { convert } from './convert.ts';

/** A source that counts what is read of it, in chunks of uneven sizes. */
function counted(name: string, content: string | Uint8Array, sizes = [4096, 1, 70_000, 333]): ByteSource & { bytesRead: number } {
  const source = chunkedSource(name, content, sizes);
  const counting = {
    ...source,
    bytesRead: 0,
    read: (signal?: AbortSignal) => counting.readFrom(0, signal),
    async *readFrom(offset: number, signal?: AbortSignal) {
      for await (const chunk of source.readFrom?.(offset, signal) ?? []) {
        counting.bytesRead += chunk.length;
        yield chunk;
      }
    },
  };
  return counting;
}

const convertAll = (source: ByteSource, options: ConversionOptions = {}) =>
  convert(source, { ...options, bounds: { ...testBounds, keptBytes: KEPT } });

async function elementsFrom(conversion: Conversion, start: number, count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const found: string[] = [];
  for await (const { data, ends } of conversion.elements({ start })) {
    let from = 0;
    for (const end of ends) {
      if (found.length === count) return found;
      found.push(Buffer.from(data.subarray(from, end)).toString());
      from = end + 1;
    }
  }
  return found;
}

/** Big enough that its JSON is not kept, and holds several resume points. */
const BIG = 600 * 1024;
const KEPT = 256 * 1024;

function bigCsv(lineEnd: string): string {
  const parts = ['id,name,note,flag'];
  let bytes = 0;
  for (let i = 0; bytes < BIG; i += 1) {
    const note = i % 7 === 0 ? `"two${lineEnd}lines, ""quoted"""` : i % 5 === 0 ? '' : `Größe ${i}`;
    parts.push(`${i},name ${i},${note},${i % 2 === 0}`);
    bytes += (parts.at(-1) as string).length;
  }
  return parts.join(lineEnd);
}

const bigJsonl = (blank: string): string => {
  const parts: string[] = [];
  for (let i = 0, bytes = 0; bytes < BIG; i += 1) {
    parts.push(i % 11 === 0 ? `${blank} {"id": ${i}, "text": "ü${'x'.repeat(i % 90)}"} ` : `[${i}, {"deep": [1, 2]}]${blank}`);
    bytes += (parts.at(-1) as string).length;
  }
  return parts.join('\n');
};

const bigList = (space: string): string => {
  const parts: string[] = [];
  for (let i = 0, bytes = 0; bytes < BIG; i += 1) {
    parts.push(i % 3 === 0 ? `${space}{"id": ${i}, "list": [[], {}, "],[ü"]}${space}` : `${space}"${'y'.repeat(i % 70)}"`);
    bytes += (parts.at(-1) as string).length;
  }
  return `${space}[${parts.join(',')}]${space}`;
};

const files: [what: string, name: string, content: string | Uint8Array, options?: ConversionOptions][] = [
  ['CSV with LF', 'a.csv', bigCsv('\n')],
  ['CSV with CRLF and a byte-order mark', 'a.csv', `\ufeff${bigCsv('\r\n')}`],
  ['CSV with CR', 'a.csv', bigCsv('\r')],
  ['CSV without header', 'a.csv', bigCsv('\n'), { header: false }],
  ['CSV with select and rename', 'a.csv', bigCsv('\n'), { transform: { select: ['name', 'id'], rename: { id: 'key' } } }],
  [
    'CSV with where, offset and limit',
    'a.csv',
    bigCsv('\n'),
    { transform: { where: [{ column: 'id', op: '>=', value: 1234 }], offset: 432, limit: 100_000 } },
  ],
  ['TSV', 'a.tsv', bigCsv('\n').replaceAll(',', '\t')],
  ['CSV in windows-1252', 'a.csv', Buffer.from(bigCsv('\n'), 'latin1')],
  ['CSV in gzip', 'a.csv.gz', gzipSync(bigCsv('\n'), { level: 1 })],
  ['JSONL with blank lines', 'a.jsonl', bigJsonl('\n')],
  ['JSONL with CRLF', 'a.jsonl', bigJsonl('\r')],
  ['a JSON list on one line', 'a.json', bigList('')],
  ['a JSON list with white space', 'a.json', `\ufeff${bigList('\r\n\t ')}`],
];

describe('elements from the middle of a big file', () => {
  it.each(files)('are those of the whole: %s', async (_, name, content, options) => {
    const conversion = await convertAll(counted(name, content), options);
    const json = await jsonText(conversion);
    expect(conversion.bytes).toBeGreaterThan(KEPT);
    const all = await elementsFrom(conversion, 0);
    expect(all).toHaveLength(conversion.records);
    expect(JSON.parse(json)).toHaveLength(all.length);
    // Texts of megabytes make no legible difference.
    expect(`[${all.join(',')}]` === json).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.nat(all.length + 3), fc.integer({ min: 1, max: 300 }), async (start, count) => {
        expect(await elementsFrom(conversion, start, count)).toEqual(all.slice(start, start + count));
      }),
      {
        numRuns: runs(12),
        examples: [
          [0, 5],
          [all.length - 1, 5],
          [all.length, 5],
        ],
      },
    );
  });

  it('have the lines they stand on', async () => {
    const conversion = await convertAll(counted('a.csv', bigCsv('\r\n')));
    const lines: number[] = [];
    for await (const chunk of conversion.elements()) lines.push(...(chunk.lines ?? []));
    for (const start of [0, 1, 999, 8_000, conversion.records - 1]) {
      for await (const chunk of conversion.elements({ start })) {
        expect([...(chunk.lines ?? [])]).toEqual(lines.slice(start, start + chunk.ends.length));
        break;
      }
    }
  });

  it.each(files.filter(([what]) => !/windows|gzip/.test(what)))(
    'are not sought from the start: %s',
    async (_, name, content, options) => {
      const source = counted(name, content);
      const conversion = await convertAll(source, options);
      const before = source.bytesRead;
      await elementsFrom(conversion, conversion.records - 100, 50);
      expect(source.bytesRead - before).toBeLessThan(BIG / 3);
    },
  );
});

describe('resume points', () => {
  it('stay bounded and evenly spread, however long the list', () => {
    const points = new ResumePoints();
    const chunks = 300_000;
    for (let i = 0; i < chunks; i += 1) points.add(i * 10, { offset: i * 100, line: i + 1 }, 64 * 1024);
    expect(points.before(0)).toEqual({ record: 0, offset: 0, line: 1 });
    for (const record of [5, 99_999, 1_234_567, chunks * 10 - 1]) {
      const found = points.before(record);
      expect(found?.record).toBeLessThanOrEqual(record);
      expect(record - (found?.record ?? 0)).toBeLessThan(200);
      expect(found?.offset).toBe((found?.record ?? 0) * 10);
    }
    expect(new ResumePoints().before(7)).toBeUndefined();
  });
});
