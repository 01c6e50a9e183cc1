import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convert, convertHead } from '../convert/convert.ts';
import { chunkedSource, convertBytes, failureOf, jsonText, parsedOf, testBounds } from '../fixtures/conversion-fixture.ts';
import { encoded } from '../fixtures/encode.ts';
import { crc32 } from '../input/zip.ts';
import { zipOf } from '../input/zip-fixture.ts';
import { rowOf, workbookOf } from '../tables/workbook-fixture.ts';
import { pax, tarOf } from './tar-fixture.ts';

const csv = 'id,zip\n1,01067\n2,80331\n';
const users = [
  { id: 1, zip: '01067' },
  { id: 2, zip: '80331' },
];
const parts = [
  { name: 'data/', content: '', type: '5' },
  { name: 'data/users.csv', content: csv },
  { name: 'data/more.json.gz', content: gzipSync('{"a": 1}') },
  { name: 'readme.txt', content: 'hello' },
  { name: 'table.xlsx', content: workbookOf({ sheets: [{ name: 'S', data: rowOf('a') + rowOf(1) }] }) },
];
const zip = zipOf(parts);
const tar = tarOf(parts);
const archives: [string, Buffer][] = [
  ['a.zip', zip],
  ['a.tar', tar],
  ['a.tgz', gzipSync(tar)],
  ['a.tar.gz', gzipSync(tar)],
];
const warningsOf = async (name: string, bytes: Buffer, options = {}) =>
  (await convertBytes(name, bytes, options)).report.warnings.map(({ message }) => message);

describe.each(archives)('%s', (name, bytes) => {
  it('becomes the list of its files', async () => {
    const list = (await parsedOf(name, bytes)) as { name: string; bytes: number; modified: string | null }[];
    expect(list.map((file) => [file.name, file.bytes])).toEqual(
      parts.slice(1).map((part) => [part.name, Buffer.from(part.content as string).length]),
    );
    expect(await warningsOf(name, bytes)).toEqual([
      `This is the list of the archive's 4 files; entry: "data/users.csv" reads one of them`,
    ]);
    const { report } = await convertBytes(name, bytes);
    expect(report).toMatchObject({ kind: 'array', records: 4, inputBytes: bytes.length });
    expect(report.entries).toEqual(parts.slice(1).map((part) => part.name));
  });

  it('gives one of them as that file alone would be given', async () => {
    for (const entry of ['data/users.csv', './data/users.csv', 'users.csv', 'data\\users.csv'])
      expect(await parsedOf(name, bytes, { entry })).toEqual(users);
    expect(await parsedOf(name, bytes, { entry: 'data/more.json.gz' })).toEqual({ a: 1 });
    expect(await parsedOf(name, bytes, { entry: 'readme.txt' })).toBe('hello');
    expect(await parsedOf(name, bytes, { entry: 'table.xlsx' })).toEqual([{ a: 1 }]);
    expect(await parsedOf(name, bytes, { entry: 'readme.txt', as: 'base64' })).toBe(Buffer.from('hello').toString('base64'));
    expect(await parsedOf(name, bytes, { entry: 'readme.txt', as: 'data_uri' })).toContain('data:text/plain');
    expect(await parsedOf(name, bytes, { entry: 'data/users.csv', as: 'text' })).toBe(csv);
    expect(await parsedOf(name, bytes, { entry: 'readme.txt', format: 'csv' })).toEqual([]);
    expect(await parsedOf(name, bytes, { as: 'base64' })).toBe(bytes.toString('base64'));
  });

  it("reports the archive's size and hash, and its files", async () => {
    const whole = await convertBytes(name, bytes, { as: 'base64' });
    const { report } = await convertBytes(name, bytes, { entry: 'users.csv' });
    expect(report).toMatchObject({ format: 'csv', records: 2, sha256: whole.report.sha256, inputBytes: bytes.length });
    expect(report.entries).toContain('readme.txt');
  });

  it('gives a file in any chunks, again and again, sealed, and its beginning', async () => {
    for (const sizes of [[1], [7, 600], [100_000]]) {
      const conversion = await convert(chunkedSource(name, bytes, sizes), {
        bounds: testBounds,
        entry: 'users.csv',
        sealed: true,
      });
      expect(JSON.parse(await jsonText(conversion))).toEqual(users);
      expect(JSON.parse(await jsonText(conversion))).toEqual(users);
    }
    const head = await convertHead(chunkedSource(name, bytes), { bounds: testBounds, entry: 'users.csv' }, 16);
    expect(head && JSON.parse(await jsonText(head))).toEqual([users[0]]);
  });

  it('says what it has where a file is absent, and that it is no text', async () => {
    const absent = await failureOf(name, bytes, { entry: 'none.csv' });
    expect(absent.code).toBe('INVALID_REQUEST');
    expect(absent.text).toBe(
      "The archive has no file 'none.csv'. It has 'data/users.csv', 'data/more.json.gz', 'readme.txt', 'table.xlsx'",
    );
    expect((await failureOf(name, bytes, { entry: 'data/usres.csv' })).text).toContain("Did you mean 'data/users.csv'?");
    expect((await failureOf(name, bytes, { as: 'text' })).text).toContain('An archive has files and no text');
  });

  it('is refused where it is empty, cut off, or something else', async () => {
    expect((await failureOf(name, Buffer.alloc(0))).code).toBe('PARSE_FAILED');
    expect((await failureOf(name, bytes.subarray(0, name === 'a.tar' ? 1030 : bytes.length / 2))).code).toBe('PARSE_FAILED');
    expect((await failureOf(name, Buffer.from('hello'.repeat(200)))).code).toBe('PARSE_FAILED');
  });
});

describe('an archive', () => {
  it('may be known by format alone, and then its file by its own name', async () => {
    expect(await parsedOf('a.bin', zip, { format: 'zip', entry: 'users.csv' })).toEqual(users);
    expect(await parsedOf('a.bin', tar, { format: 'tar', entry: 'users.csv' })).toEqual(users);
    expect((await failureOf('a.csv', csv, { entry: 'x' })).text).toContain("'a.csv' is no archive");
  });

  it('says where several files have the name', async () => {
    const twice = zipOf([
      { name: 'a/x.csv', content: csv },
      { name: 'b/x.csv', content: csv },
    ]);
    expect((await failureOf('a.zip', twice, { entry: 'x.csv' })).text).toBe(
      "Several files of the archive are called 'x.csv'. Did you mean 'a/x.csv' or 'b/x.csv'?",
    );
  });

  it('in an archive is listed', async () => {
    const nested = zipOf([{ name: 'inner.zip', content: zip }]);
    expect(await parsedOf('a.zip', nested, { entry: 'inner.zip' })).toHaveLength(4);
  });

  it('with names that lead elsewhere is read, since nothing is written', async () => {
    const escaping = zipOf([{ name: '../../etc/passwd.csv', content: csv }]);
    expect(await parsedOf('a.zip', escaping, { entry: '../../etc/passwd.csv' })).toEqual(users);
  });

  it('with a password names the file that is encrypted', async () => {
    const locked = zipOf([
      { name: 'a.csv', content: csv, encrypted: true },
      { name: 'b.csv', content: csv },
    ]);
    expect(await parsedOf('a.zip', locked)).toHaveLength(2);
    expect((await failureOf('a.zip', locked, { entry: 'a.csv' })).text).toMatch(
      /'a\.csv' in it is encrypted.*Unpack it with its password/,
    );
  });

  it('is bounded: in files, and in what a file unpacks to', async () => {
    const bounds = { ...testBounds, maxFileBytes: 2000, maxStreamedFileBytes: 10_000 };
    const many = Array.from({ length: 100 }, (_, i) => ({ name: `file-${i}`, content: '' }));
    expect((await failureOf('a.tar', tarOf(many), { bounds: { ...bounds, maxStreamedFileBytes: 1e6 } })).code).toBe(
      'FILE_TOO_LARGE',
    );
    expect((await failureOf('a.zip', zipOf(many), { bounds })).code).toBe('FILE_TOO_LARGE');
    const bomb = [{ name: 'a.csv', content: 'a\n'.repeat(100_000) }];
    expect((await failureOf('a.zip', zipOf(bomb), { bounds, entry: 'a.csv' })).code).toBe('FILE_TOO_LARGE');
    expect((await failureOf('a.tgz', gzipSync(tarOf(bomb)), { bounds, entry: 'a.csv' })).code).toBe('FILE_TOO_LARGE');
  });
});

describe('a tar archive', () => {
  it('may have long names, links, directories and no end', async () => {
    const long = `${'d/'.repeat(120)}é.csv`;
    const unusual = tarOf(
      [
        { name: 'link', type: '2' },
        { name: '././@LongLink', type: 'L', content: `${long}\0` },
        { name: 'cut', content: csv },
        { name: 'pax', type: 'x', content: pax('path', `p/${long}`) + pax('mtime', '1.5') },
        { name: 'cut', content: csv },
        { name: 'end.csv', prefix: 'a/b', content: csv },
      ],
      { end: false },
    );
    const list = (await parsedOf('a.tar', unusual)) as { name: string; modified: string }[];
    expect(list.map(({ name }) => name)).toEqual([long, `p/${long}`, 'a/b/end.csv']);
    expect(list[0]?.modified).toBe('2023-11-14T22:13:20Z');
    expect(await parsedOf('a.tar', unusual, { entry: `p/${long}` })).toEqual(users);
    expect(await parsedOf('a.tar', unusual, { entry: 'a/b/end.csv' })).toEqual(users);
  });

  it('is refused where a header or a size is wrong', async () => {
    const broken = Buffer.from(tar);
    broken[1500] = 1;
    expect((await failureOf('a.tar', broken.fill(1, 512, 520))).text).toContain('Failed to parse TAR file: it is damaged');
    expect((await failureOf('a.tar', tarOf([{ name: 'a', content: csv, size: 5000 }]))).text).toContain('it ends too early');
    expect((await failureOf('a.tar', Buffer.alloc(600, 'x'))).text).toContain('it is no tar archive');
  });

  it('agrees with what tar itself writes and lists', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'filebridge-tar-'));
    try {
      const names = ['a.csv', `${'long-'.repeat(30)}name.csv`, 'ümläut.csv'];
      for (const name of names) writeFileSync(path.join(folder, name), csv);
      for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
        const kept = format === 'v7' || format === 'ustar' ? names.filter((name) => name.length < 100) : names;
        execFileSync('tar', ['-cf', 'out.tar', `--format=${format}`, ...kept], { cwd: folder });
        const bytes = readFileSync(path.join(folder, 'out.tar'));
        const list = (await parsedOf('out.tar', bytes)) as { name: string; bytes: number }[];
        expect(list.map(({ name, bytes: size }) => [name, size])).toEqual(kept.map((name) => [name, csv.length]));
        for (const entry of kept) expect(await parsedOf('out.tar', bytes, { entry })).toEqual(users);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('names of a ZIP archive', () => {
  const namesOf = async (names: readonly (string | Uint8Array)[]) =>
    ((await parsedOf('a.zip', zipOf(names.map((name) => ({ name, content: csv }))))) as { name: string }[]).map(
      ({ name }) => name,
    );
  const dos = (text: string) =>
    Buffer.from(text.replaceAll('ö', '\x94').replaceAll('ß', '\xe1').replaceAll('ü', '\x81'), 'latin1');

  it('are read in the encoding that their words are in', async () => {
    expect(await namesOf([dos('Größe.csv'), dos('Grüße.csv')])).toEqual(['Größe.csv', 'Grüße.csv']);
    const japanese = ['表/データ.csv', '表/商品一覧.csv', '住所.csv'];
    expect(await namesOf(japanese.map((name) => encoded(name, 'shift_jis')))).toEqual(japanese);
    const cyrillic = ['отчёт.csv', 'Список клиентов.csv'];
    expect(await namesOf(cyrillic.map((name) => encoded(name, 'ibm866')))).toEqual(cyrillic);
    expect(await namesOf(['Müller.csv', dos('Größe.csv'), 'b.csv'])).toEqual(['Müller.csv', 'Größe.csv', 'b.csv']);
  });

  it('are those of the Unicode field, if it belongs to the name', async () => {
    const raw = Buffer.from([0xff, 0xfe, 0x2e, 0x63, 0x73, 0x76]);
    const field = (crc: number) => {
      const name = Buffer.from('Žluťoučký.csv');
      const head = Buffer.alloc(9);
      head.writeUInt16LE(0x7075, 0);
      head.writeUInt16LE(5 + name.length, 2);
      head[4] = 1;
      head.writeUInt32LE(crc, 5);
      return Buffer.concat([head, name]);
    };
    const listed = (extra: Buffer) =>
      parsedOf(
        'a.zip',
        zipOf([
          { name: raw, content: csv, extra },
          { name: 'b', content: '' },
        ]),
      );
    expect(await listed(field(crc32(raw)))).toMatchObject([{ name: 'Žluťoučký.csv' }, { name: 'b' }]);
    expect(await listed(field(1))).not.toMatchObject([{ name: 'Žluťoučký.csv' }, { name: 'b' }]);
  });

  it('never hide one another', async () => {
    const twice = zipOf([
      { name: 'a.csv', content: 'n\n1\n' },
      { name: 'a.csv', content: 'n\n2\n' },
    ]);
    expect(await parsedOf('a.zip', twice)).toMatchObject([{ name: 'a.csv' }, { name: 'a.csv (2)' }]);
    expect(await parsedOf('a.zip', twice, { entry: 'a.csv' })).toEqual([{ n: 1 }]);
    expect(await parsedOf('a.zip', twice, { entry: 'a.csv (2)', format: 'csv' })).toBeDefined();
  });

  it('are read and numbered in one pass, however many and long they are', async () => {
    const same = Array.from({ length: 10_000 }, () => ({ name: 'a.csv', content: '' }));
    const long = Array.from({ length: 20 }, (_, i) => ({
      name: Buffer.from(`${'\xfe'.repeat(20_000)}${i}`, 'latin1'),
      content: '',
    }));
    const list = (await parsedOf('a.zip', zipOf(same))) as { name: string }[];
    expect([list.length, list.at(-1)?.name]).toEqual([10_000, 'a.csv (10000)']);
    expect(await parsedOf('a.zip', zipOf(long))).toHaveLength(20);
  });

  it('are found whether letters and accents are apart or not', async () => {
    const both = zipOf([
      { name: 'u\u0308ber/Mu\u0308ller.csv', content: csv },
      { name: 'b.csv', content: '' },
    ]);
    for (const entry of ['über/Müller.csv', 'Müller.csv', 'u\u0308ber/Mu\u0308ller.csv'])
      expect(await parsedOf('a.zip', both, { entry })).toEqual(users);
  });
});

const place = { inputSchema: { type: 'object', properties: { rows: { type: 'array' } } }, segments: ['rows'] };

describe('an archive of one file', () => {
  it.each([
    ['a.zip', zipOf([{ name: 'data/users.csv', content: csv }])],
    [
      'a.zip',
      zipOf([
        { name: '__MACOSX/._users.csv', content: 'x' },
        { name: 'users.csv', content: csv },
        { name: '.DS_Store', content: '' },
      ]),
    ],
    ['a.tgz', gzipSync(tarOf([{ name: 'users.csv', content: csv }]))],
  ])('gives that file to a tool, with a note, and else its list: %s', async (name, bytes) => {
    expect(await parsedOf(name, bytes, { place })).toEqual(users);
    expect(await parsedOf(name, bytes, { place, types: { id: 'string' } })).toMatchObject([{ id: '1' }, { id: '2' }]);
    expect(await parsedOf(name, bytes)).not.toEqual(users);
    expect(await warningsOf(name, bytes, { place })).toEqual([
      expect.stringMatching(/^The archive's only file was read: .*users\.csv$/),
    ]);
  });
});

it('the list of an archive goes to no tool', async () => {
  expect(await failureOf('a.zip', zip, { place })).toMatchObject({
    code: 'INVALID_REQUEST',
    message: "'a.zip' is an archive of 4 files, and a tool gets one of them, not their list",
    hint: expect.stringMatching(/entry: "data\/users\.csv"\. It has 'data\/users\.csv', .*'table\.xlsx'/),
  });
  expect(await parsedOf('a.zip', zip, { place, entry: 'data/users.csv' })).toEqual(users);
});
