/** Measures how long a ping waits while a file of each format, from 20 KB to 2 MB, is converted in the same server. */
import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { default as openSqlite } from '@sqlite.org/sqlite-wasm';
import { afterAll, expect, inject, it } from 'vitest';
import { startFilebridge } from '../e2e/support/filebridge.ts';
import { pdfOf } from '../electron/engine/documents/pdf-fixture.ts';
import { line, presentationOf, shape } from '../electron/engine/documents/presentation-fixture.ts';
import { tarOf } from '../electron/engine/documents/tar-fixture.ts';
import { paragraph, wordOf } from '../electron/engine/documents/word-fixture.ts';
import { zipOf } from '../electron/engine/input/zip-fixture.ts';
import { odsOf, odsRow } from '../electron/engine/tables/ods-fixture.ts';
import { rowOf, workbookOf } from '../electron/engine/tables/workbook-fixture.ts';
import { type Format, formats } from '../shared/model/formats.ts';
import { atMost, report } from './support/figures.ts';
import { sizeOf } from './support/files.ts';
import { randomOf } from './support/random.ts';

const SIZES = [20_000, 200_000, 2_000_000];
const GOAL_MS = 100;
const REST_PINGS = 300;
/** Records from which the size of a file is known. */
const TRIED = 2_000;

interface Person {
  id: number;
  zip: string;
  name: string;
  amount: number;
}

function people(count: number): Person[] {
  const random = randomOf(count);
  return Array.from({ length: count }, (_, id) => ({
    id,
    zip: String(random.below(100_000)).padStart(5, '0'),
    name: `name ${random.below(1_000_000_000).toString(36)}`,
    amount: random.below(1_000_000) / 100,
  }));
}

const cells = ({ id, zip, name, amount }: Person) => [id, zip, name, amount] as const;
const words = (list: readonly Person[]) => list.map((each) => cells(each).join(' '));
const lines = (list: readonly string[]) => `${list.join('\n')}\n`;
const separated = (by: string) => (list: Person[]) =>
  Buffer.from(lines(['id,zip,name,amount'.replaceAll(',', by), ...list.map((each) => cells(each).join(by))]));
const office = (name: string) => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`;
const file = (name: string) => `${inject('benchFiles')}/${name}`;

async function parquet(list: Person[]): Promise<Buffer> {
  const out = file('made.parquet');
  const connection = await (await DuckDBInstance.create(':memory:', {})).connect();
  await connection.run(
    `COPY (SELECT i AS id, md5(i::text) AS name, i / 7 AS amount FROM range(${list.length}) t(i)) TO '${out}'`,
  );
  return readFile(out);
}

async function sqlite(list: Person[]): Promise<Buffer> {
  const sqlite3 = await openSqlite();
  const database = new sqlite3.oo1.DB(':memory:');
  database.exec('CREATE TABLE people (id INTEGER, zip TEXT, name TEXT, amount REAL)');
  database.exec('BEGIN');
  for (const each of list) database.exec({ sql: 'INSERT INTO people VALUES (?, ?, ?, ?)', bind: [...cells(each)] });
  database.exec('COMMIT');
  return Buffer.from(sqlite3.capi.sqlite3_js_db_export(database));
}

const page = (list: Person[]): string =>
  `<!doctype html><table>${list
    .map(
      (each) =>
        `<tr>${cells(each)
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    )
    .join('')}</table>`;
const mail = (text: string): string => `From: a@example.org\nSubject: People\n\n${text}\n`;

const made: Record<Format, (list: Person[]) => Buffer | Promise<Buffer>> = {
  json: (list) => Buffer.from(JSON.stringify(list)),
  jsonl: (list) => Buffer.from(lines(list.map((each) => JSON.stringify(each)))),
  html: (list) => Buffer.from(page(list)),
  eml: (list) => Buffer.from(mail(lines(list.map((each) => cells(each).join(' '))))),
  mbox: (list) => Buffer.from(list.map((each) => `From a Mon Jan  1 00:00:00 2024\n${mail(cells(each).join(' '))}\n`).join('')),
  csv: separated(','),
  tsv: separated('\t'),
  yaml: (list) =>
    Buffer.from(
      lines(list.map((each) => `- id: ${each.id}\n  zip: "${each.zip}"\n  name: ${each.name}\n  amount: ${each.amount}`)),
    ),
  toml: (list) =>
    Buffer.from(
      lines(
        list.map(
          (each) => `[[people]]\nid = ${each.id}\nzip = "${each.zip}"\nname = "${each.name}"\namount = ${each.amount.toFixed(2)}`,
        ),
      ),
    ),
  xml: (list) =>
    Buffer.from(
      `<people>${list.map((each) => `<person id="${each.id}"><zip>${each.zip}</zip><name>${each.name}</name></person>`).join('\n')}</people>`,
    ),
  text: (list) => Buffer.from(lines(words(list))),
  xlsx: (list) =>
    workbookOf({
      sheets: [{ name: 'S', data: rowOf('id', 'zip', 'name', 'amount') + list.map((each) => rowOf(...cells(each))).join('') }],
    }),
  ods: (list) =>
    odsOf([{ name: 'S', rows: odsRow('id', 'zip', 'name', 'amount') + list.map((each) => odsRow(...cells(each))).join('') }]),
  docx: (list) =>
    wordOf({
      body: words(list)
        .map((text) => paragraph(text))
        .join(''),
    }),
  pptx: (list) =>
    presentationOf(
      Array.from({ length: Math.ceil(list.length / 40) }, (_, i) => ({
        shapes: shape(words(list.slice(40 * i, 40 * i + 40)).map((text) => line(text))),
      })),
    ),
  odt: (list) =>
    zipOf([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
      {
        name: 'content.xml',
        content: `<office:document-content xmlns:office="${office('office')}" xmlns:text="${office('text')}"><office:body><office:text>${words(
          list,
        )
          .map((text) => `<text:p>${text}</text:p>`)
          .join('')}</office:text></office:body></office:document-content>`,
      },
    ]),
  pdf: (list) =>
    pdfOf(
      Array.from({ length: Math.ceil(list.length / 40) }, (_, page) => ({
        texts: words(list.slice(40 * page, 40 * page + 40)).map((text, i) => ({ text, x: 50, y: 800 - 18 * i })),
      })),
    ),
  parquet,
  sqlite,
  zip: (list) => zipOf(words(list).map((text, i) => ({ name: `folder ${i % 9}/${text}.txt`, content: text }))),
  tar: (list) => tarOf(words(list).map((text, i) => ({ name: `folder ${i % 9}/${text}.txt`, content: text }))),
};

/** A file of about `bytes` bytes. */
async function madeOf(format: Format, bytes: number): Promise<Buffer> {
  const tried = await made[format](people(TRIED));
  return made[format](people(Math.max(4, Math.round((TRIED * bytes) / tried.length))));
}

const rows: string[][] = [];
afterAll(() => report('pings', { columns: ['format', ...SIZES.map((bytes) => `${bytes / 1000} KB`), 'goal', 'reached'], rows }));

it('measures every format', async () => {
  const filebridge = await startFilebridge('stdio');
  try {
    const client = await filebridge.connect('v1');
    const ping = async () => {
      const asked = performance.now();
      await client.call('list_allowed_directories');
      return performance.now() - asked;
    };
    let rest = 0;
    for (let i = 0; i < REST_PINGS; i += 1) rest = Math.max(rest, await ping());
    rows.push(['at rest', `${rest.toFixed(0)} ms`, '', '', '–', '–']);
    for (const format of formats) {
      const waits: number[] = [];
      for (const bytes of SIZES) {
        const path = await filebridge.file(`${bytes}.${format === 'text' ? 'txt' : format}`, await madeOf(format, bytes));
        expect(Math.abs((await sizeOf(path)) / bytes - 1), format).toBeLessThan(0.75);
        let working = true;
        const work = client.call('preview_file', { path, rows: 1 }).finally(() => {
          working = false;
        });
        let longest = 0;
        while (working) longest = Math.max(longest, await ping());
        const answer = await work;
        expect(answer.isError, answer.text).toBe(false);
        waits.push(longest);
      }
      const { goal, reached } = atMost(GOAL_MS, Math.max(...waits), 'ms');
      rows.push([format, ...waits.map((wait) => `${wait.toFixed(0)} ms`), goal, reached ? 'yes' : '**no**']);
    }
  } finally {
    await filebridge.stop();
  }
}, 600_000);
