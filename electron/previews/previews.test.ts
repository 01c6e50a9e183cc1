import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, open as openHandle, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { pause, until } from '../../shared/lib/fixtures/waiting.ts';
import type { ConversionOptions } from '../../shared/model/conversion.ts';
import { testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { convert, inProcess } from '../engine/index.ts';
import { createFileAccess, createPersonFileAccess } from '../files/file-access.ts';
import type { FileAccess } from '../files/types.ts';
import { type NamedPreview, Previews } from './previews.ts';

let root: string;
let files: FileAccess;
let previews: Previews;
let told: NamedPreview[];
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-previews-')));
  const options = { folders: () => [] };
  files = createPersonFileAccess(options, createFileAccess(options));
  told = [];
  previews = new Previews({
    files,
    bounds: () => testBounds,
    converter: inProcess,
    onChange: (preview) => told.push(preview),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await previews.closeAll();
  await rm(root, { recursive: true, force: true });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const full = path.join(root, name);
  await writeFile(full, content);
  return full;
}

/** Waits until the preview was read, or could not be. */
async function settled(id: string): Promise<NamedPreview> {
  await until(async () => (await previews.get(id)).state !== 'reading');
  return previews.get(id);
}

const open = (full: string, options: ConversionOptions = {}) => previews.open(randomUUID(), full, options);

const bigCsv = (rows: number, end = '\n') =>
  `id;name;note${end}${Array.from({ length: rows }, (_, i) => `${i};name ${i};${i % 9 === 0 ? `"a${end}""b""; c"` : `x${i}`}`).join(end)}${end}`;

describe('a preview', () => {
  it('of a small file is all of it, in the report of a conversion', async () => {
    const full = await file('a.csv', 'zip,n\n01067,1\n80331,2\n');
    const { id, ...opened } = await open(full);
    const opening = await files.open(full);
    const { report } = await convert(opening.source, { bounds: testBounds });
    await opening.close();
    expect(opened).toEqual({ path: full, state: 'done', bytesRead: 22, totalBytes: 22, report, rows: 2, error: null });
    expect(await previews.session(id).rows(0, 10)).toEqual(['{"zip":"01067","n":1}', '{"zip":"80331","n":2}']);
    expect(await previews.session(id).json(100)).toEqual({
      text: '[{"zip":"01067","n":1},{"zip":"80331","n":2}]',
      complete: true,
    });
  });

  it('of a big file answers with its beginning, tells how far it is, and ends with the whole', async () => {
    const text = bigCsv(120_000);
    const opened = await open(await file('a.csv', text));
    expect(opened).toMatchObject({ state: 'reading', error: null });
    expect(opened.report).toMatchObject({ format: 'csv', delimiter: ';', sha256: '', tokens: { method: 'estimated' } });
    expect(opened.report?.columns?.map(({ type }) => type)).toEqual(['number', 'string', 'string']);
    expect(opened.rows).toBeGreaterThan(10_000);
    expect(opened.rows).toBeLessThan(100_000);
    expect(await previews.session(opened.id).rows(0, 1)).toEqual(['{"id":0,"name":"name 0","note":"a\\n\\"b\\"; c"}']);
    const beginning = await previews.session(opened.id).json(4_000_000);
    expect(beginning.complete).toBe(false);

    const whole = await settled(opened.id);
    expect(whole).toMatchObject({ state: 'done', rows: 120_000, bytesRead: Buffer.byteLength(text) });
    expect(whole.report).toMatchObject({ records: 120_000, inputBytes: Buffer.byteLength(text) });
    expect(whole.report?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await previews.session(opened.id).json(4_000_000)).text.startsWith(beginning.text)).toBe(true);
    const far = told.map(({ bytesRead }) => bytesRead);
    expect(far).toEqual([...far].sort((a, b) => a - b));
    expect(told.at(-1)).toEqual(whole);
    expect(new Set(told.map(({ id }) => id))).toEqual(new Set([opened.id]));
  });

  it('is told of at most four times a second', async () => {
    const full = await file('a.csv', bigCsv(120_000));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const began = performance.now();
    const { id } = await open(full);
    // Time passes in steps of 50 ms here.
    await expect.poll(async () => (await previews.get(id)).state, { interval: 50 }).toBe('done');
    const most = ((performance.now() - began) / 1000) * 4;
    // The beginning and the end are told besides.
    expect(told.length).toBeLessThanOrEqual(Math.ceil(most) + 2);
  });

  it('shows other types, delimiters and columns when opened with other options', async () => {
    const full = await file('a.csv', 'zip;n\n1;2\n');
    const shown = async (options: ConversionOptions) => {
      const { id, report } = await open(full, options);
      const rows = await previews.session(id).rows(0, 5);
      await previews.close(id);
      return { columns: report?.columns?.map(({ name, type }) => `${name}: ${type}`), rows };
    };
    expect(await shown({})).toEqual({ columns: ['zip: number', 'n: number'], rows: ['{"zip":1,"n":2}'] });
    expect(await shown({ types: { zip: 'string' } })).toMatchObject({ rows: ['{"zip":"1","n":2}'] });
    expect(await shown({ delimiter: ',' })).toMatchObject({ columns: ['zip;n: string'] });
    expect(await shown({ header: false })).toMatchObject({ rows: ['["zip","n"]', '["1","2"]'] });
    expect(await shown({ transform: { select: ['n'] } })).toMatchObject({ rows: ['{"n":2}'] });
    expect(await shown({ transform: { expression: '$sum(n)' } })).toMatchObject({ rows: [] });
    expect(await shown({ as: 'text' })).toMatchObject({ rows: [] });
  });

  it('of what is no list has no rows, but its JSON', async () => {
    const { id, rows, report } = await open(await file('a.yaml', 'user: {name: Größe}'));
    expect({ rows, kind: report?.kind }).toEqual({ rows: 0, kind: 'object' });
    expect(await previews.session(id).json(1000)).toEqual({ text: '{"user":{"name":"Größe"}}', complete: true });
    // No character is cut in two.
    expect(await previews.session(id).json(21)).toEqual({ text: '{"user":{"name":"Grö', complete: false });
    const picture = await open(await file('a.png', Buffer.from([0x89, 0x50, 0, 1])), { as: 'base64' });
    expect(await previews.session(picture.id).json(100)).toEqual({ text: '"iVAAAQ=="', complete: true });
  });

  it('shortens what is long in a row', async () => {
    const { id } = await open(await file('a.jsonl', `${JSON.stringify({ a: 'x'.repeat(100_000), b: 1 })}\n`));
    const [row = ''] = await previews.session(id).rows(0, 1);
    expect(row.length).toBeLessThan(1000);
    expect(JSON.parse(row)).toMatchObject({ a: expect.stringMatching(/^x+…$/), b: 1 });
  });
});

describe('rows of a preview', () => {
  const text = bigCsv(40_000, '\r\n');
  const asJsonl = text.split(/\r\n(?=\d)/).map((line) => JSON.stringify({ line }));
  const sources: [name: string, content: string | Uint8Array, options?: ConversionOptions][] = [
    ['crlf.csv', `\ufeff${text}`],
    ['no-header.csv', text, { header: false }],
    ['table.tsv', text.replaceAll(';', '\t')],
    ['lines.jsonl', asJsonl.join('\r\n')],
    ['list.json', `[\n${asJsonl.join(',\n')}\n]`],
    ['windows.csv', Buffer.from(text.replaceAll('name', 'Größe'), 'latin1')],
    ['packed.csv.gz', gzipSync(text, { level: 1 })],
    ['packed.jsonl.gz', gzipSync(asJsonl.join('\n'), { level: 1 })],
    [
      'filtered.csv',
      text,
      { transform: { where: [{ column: 'id', op: '>', value: 20_000 }], select: ['note', 'id'], offset: 7 } },
    ],
  ];

  it.each(sources)('are those of the conversion, anywhere in %s', async (name, content, options = {}) => {
    const full = await file(name, content);
    const opened = await files.open(full);
    const conversion = await convert(opened.source, { ...options, bounds: testBounds });
    const expected: string[] = [];
    for await (const { data, ends } of conversion.elements()) {
      let from = 0;
      for (const end of ends) {
        expected.push(Buffer.from(data.subarray(from, end)).toString());
        from = end + 1;
      }
    }
    await opened.close();
    const { id } = await open(full, options);
    expect(await settled(id)).toMatchObject({ state: 'done', rows: expected.length });
    await fc.assert(
      fc.asyncProperty(fc.nat(expected.length + 5), fc.integer({ min: 1, max: 500 }), async (start, count) => {
        expect(await previews.session(id).rows(start, count)).toEqual(expected.slice(start, start + count));
      }),
      {
        numRuns: runs(name.includes('packed') ? 12 : 25),
        examples: [
          [expected.length - 1, 9],
          [0, 500],
          [expected.length, 1],
        ],
      },
    );
    // As a table asks that is scrolled: several windows at once.
    const starts = [5_000, 5_100, 4_900, 60_000, 0];
    const windows = await Promise.all(starts.map((start) => previews.session(id).rows(start, 100)));
    expect(windows).toEqual(starts.map((start) => expected.slice(start, start + 100)));
  });
});

describe('a file that is not as it should be', () => {
  const failed = async (full: string, options: ConversionOptions = {}) => {
    const { id } = await open(full, options);
    const { state, error } = await settled(id);
    return { state, code: error?.code, message: error?.message };
  };

  it('is refused where there is nothing to read', async () => {
    await expect(open(root)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' });
    await expect(open(path.join(root, 'absent.csv'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(open('a.csv')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('says what is wrong with its content', async () => {
    expect(await failed(await file('a.json', ''))).toMatchObject({ state: 'failed', code: 'PARSE_FAILED' });
    expect(await failed(await file('a.bin', Buffer.from([0, 1, 2, 0xff])))).toMatchObject({ code: 'FORMAT_UNKNOWN' });
    expect(await failed(await file('a.csv.gz', 'no archive'))).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await failed(await file('b.csv', 'a\n1'), { encoding: 'nonsense' })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await failed(await file('c.yaml', `a: ${'x'.repeat(11 * 1024 * 1024)}`))).toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('with nothing in it is a table without rows', async () => {
    const { state, rows, report } = await open(await file('a.csv', ''));
    expect({ state, rows, warnings: report?.warnings.map(({ code }) => code) }).toEqual({
      state: 'done',
      rows: 0,
      warnings: ['EMPTY_FILE'],
    });
  });

  it('keeps its beginning in view where it breaks far in', async () => {
    const full = await file('a.csv', `${bigCsv(1_000_000)}"never closed`);
    const opened = await open(full);
    expect(opened).toMatchObject({ state: 'reading', error: null });
    const broken = await settled(opened.id);
    expect(broken).toMatchObject({ state: 'failed', rows: opened.rows });
    expect(broken.error).toMatchObject({ code: 'PARSE_FAILED', message: expect.stringMatching(/never closed at line 1111114/) });
    expect(await previews.session(opened.id).rows(opened.rows - 1, 9)).toHaveLength(1);
    expect(told.at(-1)).toEqual(broken);
  });

  it('is one long line of 20 MB', async () => {
    const full = path.join(root, 'line.json');
    const handle = await openHandle(full, 'w');
    await handle.write('["');
    for (let i = 0; i < 20; i += 1) await handle.write('x'.repeat(1024 * 1024));
    await handle.write('"]');
    await handle.close();
    const { id, rows } = await open(full);
    expect(rows).toBe(0);
    expect(await settled(id)).toMatchObject({ state: 'done', rows: 1 });
    expect(await previews.session(id).rows(0, 10)).toEqual([expect.stringMatching(/^"x{300,500}…$/)]);
    expect(await previews.session(id).json(5)).toEqual({ text: '["xxx', complete: false });
  });

  it('fails when it grows, is deleted or replaced, while it is read and after', async () => {
    for (const [word, change] of [
      ['grew', (full: string) => appendFile(full, 'x')],
      ['deleted', (full: string) => rm(full)],
      ['shrank|ended|rewritten', (full: string) => writeFile(full, 'id\n1\n')],
    ] as const) {
      const full = await file('live.csv', bigCsv(300_000));
      const { id, state } = await open(full);
      expect(state).toBe('reading');
      await change(full);
      const gone = await settled(id);
      expect(gone.error).toMatchObject({ code: 'FILE_CHANGED', message: expect.stringMatching(word) });
      await previews.close(id);

      const small = await file('small.csv', 'id\n1\n2\n');
      const done = await open(small);
      expect(done.state).toBe('done');
      await change(small);
      await expect(previews.session(done.id).rows(0, 2)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
      expect(told.at(-1)).toMatchObject({ id: done.id, state: 'failed', error: { code: 'FILE_CHANGED' } });
      await previews.close(done.id);
    }
  });
});

describe('open previews', () => {
  it.skipIf(process.platform !== 'linux')('are few, and hold no file once closed', async () => {
    const held = async () => {
      const links = await readdir('/proc/self/fd');
      const places = await Promise.all(links.map((link) => realpath(`/proc/self/fd/${link}`).catch(() => '')));
      return places.filter((place) => place.startsWith(root)).length;
    };
    const full = await file('a.csv', bigCsv(200_000));
    const opened: NamedPreview[] = [];
    for (let i = 0; i < 7; i += 1) opened.push(await open(full));
    expect(await held()).toBe(4);
    await expect(previews.get(opened[0]?.id ?? '')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const last = opened.at(-1)?.id ?? '';
    const session = previews.session(last);
    await previews.close(last);
    await previews.close(last);
    await expect(session.rows(0, 1)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await held()).toBe(3);
    await previews.closeAll();
    expect(await held()).toBe(0);
    await expect(open(full)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await held()).toBe(0);
    // Whoever is gone tells nothing any more.
    const before = told.length;
    await pause(300, 'something that must not happen has no event');
    expect(told).toHaveLength(before);
  });
});
