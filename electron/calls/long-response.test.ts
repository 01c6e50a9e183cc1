import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { type ResponseFormat, responseFormats } from '../../shared/model/call.ts';
import { configSchema } from '../../shared/model/config.ts';
import { createFileAccess } from '../files/file-access.ts';
import type { JsonObject } from '../upstream/types.ts';
import { LongAnswer } from '../wire/long-answer.ts';
import { LongMessages } from '../wire/long-messages.ts';
import { ResultTap, rawResult } from '../wire/result-tap.ts';
import { toToolResult } from '../wire/tool-result.ts';
import { createResponses } from './responses.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-long-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The answer as it is when its message came in pieces of this size. */
async function arrived(message: Buffer, pieces: number): Promise<LongAnswer> {
  const tap = new ResultTap();
  tap.outgoing({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'dump', arguments: {} } });
  const long = new LongMessages({ directory: home, tap, maxBytes: () => Number.POSITIVE_INFINITY }).begin(() => {});
  for (let at = 0; at < message.length; at += pieces) long.push(message.subarray(at, at + pieces));
  const placeholder = await long.end();
  const answer = placeholder && rawResult((tap.incoming(placeholder) as unknown as JsonObject).result);
  if (!(answer instanceof LongAnswer)) throw new Error('the answer was not taken apart');
  return answer;
}

async function filesIn(directory: string): Promise<[string, string][]> {
  const names = (await readdir(directory)).sort();
  return Promise.all(
    names.map(async (name) => [name, (await readFile(path.join(directory, name))).toString('latin1')] as [string, string]),
  );
}

let stores = 0;

/** What storing the answer leaves in a folder, and what it says; held in memory, or not. */
async function stored(message: Buffer, format: ResponseFormat | undefined, pieces: number | null) {
  const directory = path.join(home, `answers-${++stores}`);
  await mkdir(directory);
  const config = configSchema.parse({ version: 1, folders: [{ path: directory, access: 'read-write' }] });
  const files = createFileAccess({ folders: () => config.folders });
  const responses = createResponses({ config: () => config, files, responsesDirectory: directory });
  const answer =
    pieces === null ? toToolResult(JSON.parse(message.toString('utf8')).result, 'dump') : await arrived(message, pieces);
  const request = { storage_path: directory, filename: 'answer', response_format: format };
  const { preview, warnings } = await responses.store(answer, request, { server: 'db', tool: 'dump' });
  if (answer instanceof LongAnswer) await answer.close();
  const found = await filesIn(directory);
  await rm(directory, { recursive: true });
  // Halves of surrogate pairs are shown as they are written.
  return { found, preview: Buffer.from(preview).toString(), warnings };
}

const messageOf = (result: unknown) => Buffer.from(JSON.stringify({ result, jsonrpc: '2.0', id: 7 }));
const text = (value: unknown) => ({ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) });
const records = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, name: `Grüße "${i}"\n`, size: i / 3, tags: [] }));
const prose = 'Words, "quoted" \\ and\ttabbed; grüße 😀\n'.repeat(2000);

const answers: Record<string, JsonObject> = {
  'a long text': { content: [text(prose)] },
  'several texts': { content: [text(prose), text('short'), { type: 'resource', resource: { uri: 'a:b', text: prose } }] },
  'a text that is JSON': { content: [text(records(1500))] },
  'a text that is indented JSON': { content: [text(JSON.stringify({ rows: records(1200) }, null, 2))] },
  'a text that is nearly JSON': { content: [text(`${JSON.stringify(records(1200))}]`)] },
  'a text that is a table': { content: [text(`a,b\n${'1,2\n'.repeat(5000)}`)] },
  'a text that is JSON Lines': { content: [text('{"a":1}\n\n{"a":2}\n'.repeat(3000))] },
  'a text that is XML': { content: [text(`<?xml version="1.0"?><a>${'<b>1</b>'.repeat(5000)}</a>`)] },
  'a text that is YAML': { content: [text(`a: 1\n${'- x\n'.repeat(5000)}`)] },
  'records beside a short text': { content: [text('done')], structuredContent: { rows: records(1500) } },
  'records, and the text of them': { content: [text({ rows: records(1200) })], structuredContent: { rows: records(1200) } },
  'a text twice': { content: [text(prose)], structuredContent: { result: prose } },
  'JSON twice': { content: [text(records(1200))], structuredContent: { result: JSON.stringify(records(1200)) } },
  'nearly a text twice': { content: [text(prose)], structuredContent: { result: `${prose}.` } },
  'only records': { content: [], structuredContent: { rows: records(1500), more: { 'a b': [[], {}] } } },
  'a picture': { content: [{ type: 'image', mimeType: 'image/png', data: Buffer.alloc(50_000, 'ab7').toString('base64') }] },
  'a sound and words': {
    content: [text(prose), { type: 'audio', mimeType: 'audio/mpeg', data: Buffer.alloc(40_001, 'x').toString('base64') }],
  },
  'base64 with line ends': {
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'a:b',
          mimeType: 'application/pdf',
          blob: Buffer.alloc(70_000, 'q').toString('base64').replace(/.{76}/g, '$&\r\n'),
        },
      },
    ],
  },
  'what is no base64': { content: [{ type: 'image', mimeType: 'image/png', data: `QUJD=*${'QUJD'.repeat(5000)}` }] },
  'names that are numbers': { content: [], structuredContent: { b: records(1200), 12: records(1200), 3: 1 } },
  'a member twice': { content: [], structuredContent: records(1200) as unknown },
};

describe('a long answer leaves the same files as one that was held', () => {
  const formats = [undefined, ...responseFormats];
  // A quarter of them, so that each answer meets several formats and each format several answers; all where all runs are asked for.
  const isTried = (answer: number, format: number) => (answer + format) % 4 < runs(4);
  const cases = Object.keys(answers).flatMap((name, answer) =>
    formats.filter((_, format) => isTried(answer, format)).map((format) => [name, format] as const),
  );
  it.each(cases)('%s, as %s', async (name, format) => {
    const message = messageOf(answers[name]);
    const expected = await stored(message, format, null);
    expect(expected.found.length).toBeGreaterThan(0);
    expect(await stored(message, format, 65_536)).toEqual(expected);
  });

  it('whatever its strings are spelled like, and wherever its bytes are cut', async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '\\ud83d',
        '\\ude00',
        '\\ud83d\\ude00',
        '\\u00e9',
        '\\/',
        '\\n',
        '\\"',
        '\\\\',
        '€',
        '😀',
        'plain',
        '\\u0000',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((each) => JSON.stringify(each).slice(1, -1)),
    );
    const inside = fc.array(unit, { minLength: 20, maxLength: 40 });
    const format = fc.constantFrom(undefined, 'json' as const, 'txt' as const, 'jsonl' as const);
    await fc.assert(
      fc.asyncProperty(inside, fc.integer({ min: 1, max: 5000 }), format, fc.boolean(), async (parts, pieces, wished, only) => {
        const string = parts.join('').repeat(200);
        const result = only ? `{"structuredContent":{"x":["${string}"]}}` : `{"content":[{"type":"text","text":"${string}"}]}`;
        const message = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":${result}}`);
        expect(await stored(message, wished, pieces)).toEqual(await stored(message, wished, null));
      }),
      { numRuns: runs(60) },
    );
  });

  const filler = { note: 'x'.repeat(100) };
  const tables: Record<string, unknown> = {
    'records with other columns': Array.from({ length: 1500 }, (_, i) =>
      i % 3 ? { a: i, [`b${i % 7}`]: `"${i}",\n` } : { c: null, a: [i, {}] },
    ),
    'records among other members': { n: 1, rows: records(1500), 'a,b': { x: [{ y: 1 }] }, empty: [], mixed: [{ a: 1 }, 2] },
    'two lists of records': { one: records(1200), other: records(1200) },
    lists: Array.from({ length: 1500 }, (_, i) => [i, `a\t${i}`, null, true, { b: [i] }]),
    'lists, records and values': Array.from({ length: 1500 }, (_, i) => [[i, 'x'], { a: i }, ' y ', null, []][i % 5]),
    'empty records': Array.from({ length: 6000 }, () => ({})),
    'names that are numbers': Array.from({ length: 600 }, (_, i) => ({ b: i, 12: i, 3: 1, 'say "x"': filler })),
    'records with few names in common': {
      sparse: Array.from({ length: 1500 }, (_, i) => ({ [`n${i}`]: i })),
      full: Array.from({ length: 1500 }, (_, i) => ({ i, [`n${i % 100}`]: i })),
    },
    'many records of few of many names': [
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, i])),
      ...Array.from({ length: 2_000 }, (_, i) => Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`n${i % 50}${j}`, j]))),
    ],
    'no list': { a: { ...filler, b: 'y'.repeat(20_000) } },
    'one record': [{ a: 'z'.repeat(20_000) }],
  };
  const tableCases = Object.keys(tables).flatMap((name) => (['csv', 'tsv'] as const).map((format) => [name, format] as const));
  it.each(tableCases)('a table too: %s, as %s', async (name, format) => {
    for (const value of [{ structuredContent: tables[name] }, { content: [text(tables[name])] }]) {
      const message = messageOf({ content: [], ...value });
      expect(await stored(message, format, 65_536)).toEqual(await stored(message, format, null));
    }
  });

  it('records that share no names make no table of empty cells', async () => {
    const sparse = [
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, 1])),
      ...Array.from({ length: 4000 }, () => ({})),
    ];
    const message = messageOf({ content: [], structuredContent: sparse });
    for (const format of ['csv', 'md', 'html'] as const) {
      for (const pieces of [null, 65_536]) {
        const [[, content] = ['', '']] = (await stored(message, format, pieces)).found;
        expect(content).toContain('n999');
        expect(content.length).toBeLessThan(4 * message.length);
      }
    }
  });

  it('a table whatever is in its cells, and wherever its bytes are cut', async () => {
    const cell = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('', ' ', ',', '\t', '"', '\r\n', '=1+1', '\ud800', '{"a":1}', null),
    );
    const record = fc.dictionary(fc.constantFrom('a', 'b', '1', '0', 'c d', '"', '__proto__', ''), cell, {
      maxKeys: 4,
      noNullPrototype: true,
    });
    const rows = fc.array(fc.oneof({ weight: 20, arbitrary: record }, cell), { minLength: 1, maxLength: 12 });
    const records = fc.array(record, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(rows, records),
        fc.boolean(),
        fc.integer({ min: 1, max: 5000 }),
        async (value, inObject, pieces) => {
          const many = Array.from({ length: 3 }, () => value).flat();
          const structuredContent = inObject ? { more: 'x'.repeat(10), many } : many;
          const message = messageOf({ content: [text('y'.repeat(20_000))], structuredContent });
          expect(await stored(message, 'csv', pieces)).toEqual(await stored(message, 'csv', null));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('but keeps the digits of numbers that a double has no room for', async () => {
    const rows = Array.from({ length: 3000 }, () => '{"id":12345678901234567890,"n":[0.12345678901234567890]}').join();
    const message = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":[${rows}]}}`);
    const contentOf = async (format: ResponseFormat) => (await stored(message, format, 65_536)).found[0]?.[1];
    expect(await contentOf('csv')).toMatch(/^id,n\r\n12345678901234567890,\[0.1234567890123456789\d*\]\r\n/);
    expect(await contentOf('json')).toContain('"id": 12345678901234567890,');
  });

  it('bytes that are no UTF-8 too', async () => {
    const message = messageOf({ content: [text(`${'x'.repeat(20_000)}\u0001\u0001\u0001${'y'.repeat(20_000)}`)] });
    const broken = Buffer.from(message.toString('latin1').replaceAll('\\u0001', '\xf0\x9f\x98'), 'latin1');
    for (const pieces of [1000, 20_051, 20_052, 20_053]) {
      expect(await stored(broken, undefined, pieces)).toEqual(await stored(broken, undefined, null));
    }
  });
});

it('a long answer whose caller gives up while it is stored leaves nothing', async () => {
  const directory = path.join(home, 'given-up');
  await mkdir(directory);
  const config = configSchema.parse({ version: 1, folders: [{ path: directory, access: 'read-write' }] });
  const real = createFileAccess({ folders: () => config.folders });
  const caller = new AbortController();
  let written = 0;
  const files = {
    ...real,
    // The caller gives up when the second part was written.
    async create(...args: Parameters<typeof real.create>) {
      const pending = await real.create(...args);
      const write = (chunk: Uint8Array) => {
        written += 1;
        if (written === 2) caller.abort();
        return pending.write(chunk);
      };
      return { ...pending, write };
    },
  };
  const responses = createResponses({ config: () => config, files, responsesDirectory: directory });
  const answer = await arrived(messageOf({ content: [text(prose.repeat(50))] }), 65_536);
  const target = { server: 'db', tool: 'dump' };
  await expect(responses.store(answer, { storage_path: directory }, target, caller.signal)).rejects.toThrow();
  await answer.close();
  expect(written).toBe(2);
  expect(await readdir(directory)).toEqual([]);
});
