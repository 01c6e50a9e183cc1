/** All contenders by name. */

import { spawnSync } from 'node:child_process';
import { closeSync, createReadStream, openSync, readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Contender, writeAll, writeWhole } from './contender.ts';
import { ours } from './filebridge.ts';

/** Other libraries that convert YAML to JSON. */
const yamlRivals: Readonly<Record<string, Contender>> = {
  async yaml() {
    const { parse } = await import('yaml');
    return (file, out) => writeWhole(out, JSON.stringify(parse(readFileSync(file, 'utf8'))));
  },
  async 'js-yaml'() {
    const { load } = await import('js-yaml');
    return (file, out) => writeWhole(out, JSON.stringify(load(readFileSync(file, 'utf8'))));
  },
};

/** JavaScript's built-in way to validate and minify JSON. */
const jsonRivals: Readonly<Record<string, Contender>> = {
  async 'JSON.parse + stringify'() {
    return (file, out) => writeWhole(out, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
  },
  async 'JSON.parse by line + stringify'() {
    return (file, out) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      writeWhole(out, JSON.stringify(lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))));
    };
  },
};

/** Threads for libraries that use several. */
const THREADS = '2';

const csvRivals: Readonly<Record<string, Contender>> = {
  /** Used by most programs. */
  async papaparse() {
    const { default: papaparse } = await import('papaparse');
    return (file, out) => {
      const { data } = papaparse.parse(readFileSync(file, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true });
      writeWhole(out, JSON.stringify(data));
    };
  },
  async 'csv-parse'() {
    const { parse } = await import('csv-parse/sync');
    return (file, out) => writeWhole(out, JSON.stringify(parse(readFileSync(file), { columns: true, cast: true, bom: true })));
  },
  async uDSV() {
    const { inferSchema, initParser } = await import('udsv');
    return (file, out) => {
      const text = readFileSync(file, 'utf8');
      writeWhole(out, JSON.stringify(initParser(inferSchema(text)).typedObjs(text)));
    };
  },
  async DuckDB() {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', { threads: THREADS })).connect();
    return async (file, out) => {
      await connection.run(`COPY (SELECT * FROM read_csv('${file}')) TO '${out}' (FORMAT json, ARRAY true)`);
    };
  },
  async Polars() {
    process.env.POLARS_MAX_THREADS = THREADS;
    const { default: polars } = await import('nodejs-polars');
    return (file, out) => polars.readCSV(file).writeJSON(out, { format: 'json' });
  },
};

// Decompression only, as a lower bound for converting a compressed file.

const gunzipRivals: Readonly<Record<string, Contender>> = {
  /** The system's command. */
  async 'gunzip -c'() {
    return async (file, out) => {
      const { status, error } = spawnSync('gunzip', ['-c', file], { stdio: ['ignore', openSync(out, 'w'), 'inherit'] });
      if (status !== 0) throw error ?? new Error(`gunzip ended with ${status}`);
    };
  },

  /** With chunks large enough that their number does not matter. */
  async gunzip() {
    return async (file, out) => {
      const fd = openSync(out, 'w');
      const gunzip = createGunzip({ chunkSize: 1024 * 1024 });
      await pipeline(createReadStream(file, { highWaterMark: 512 * 1024 }), gunzip, async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) writeAll(fd, chunk);
      });
    };
  },
};

// Other libraries that convert a workbook to JSON: the records of its first sheet by its header.

type Row = readonly unknown[];

const recordOf = (names: Row, row: Row): string =>
  JSON.stringify(Object.fromEntries(names.map((name, i) => [String(name), row[i] ?? null])));

const xlsxRivals: Readonly<Record<string, Contender>> = {
  async hucre() {
    const { readXlsx } = await import('hucre');
    return async (file, out) => {
      const [names = [], ...rows] = (await readXlsx(readFileSync(file))).sheets[0]?.rows ?? [];
      writeWhole(out, `[${rows.map((row) => recordOf(names, row)).join(',')}]`);
    };
  },
  async 'hucre, streamed'() {
    const { streamXlsxRows } = await import('hucre');
    return async (file, out) => {
      const fd = openSync(out, 'w');
      let names: Row | undefined;
      let text = '[';
      for await (const { values } of streamXlsxRows(readFileSync(file))) {
        if (!names) {
          names = values;
          continue;
        }
        text += (text === '[' ? '' : ',') + recordOf(names, values);
        if (text.length < 1 << 20) continue;
        writeAll(fd, Buffer.from(text));
        text = '';
      }
      writeAll(fd, Buffer.from(`${text}]`));
      closeSync(fd);
    };
  },
};

// Other libraries that convert documents to Markdown.

const documentRivals: Readonly<Record<string, Contender>> = {
  async 'mammoth and turndown'() {
    const [{ default: mammoth }, { default: Turndown }] = [await import('mammoth'), await import('turndown')];
    const service = new Turndown();
    return async (file, out) => {
      const { value } = await mammoth.convertToHtml({ path: file });
      writeWhole(out, JSON.stringify(service.turndown(value)));
    };
  },
  async 'pdf.js'() {
    // It prints a warning when it is loaded, and standard output is the result.
    const { log } = console;
    console.log = () => undefined;
    const { getDocument, VerbosityLevel } = await import('unpdf/pdfjs');
    console.log = log;
    return async (file, out) => {
      const pdf = await getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: VerbosityLevel.ERRORS }).promise;
      const pages: string[] = [];
      for (let number = 1; number <= pdf.numPages; number += 1) {
        const { items } = await (await pdf.getPage(number)).getTextContent();
        pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
      }
      writeWhole(out, JSON.stringify(pages.join('\n')));
    };
  },
};

// Other libraries that convert XML to JSON, configured to give the same objects.

interface Element {
  /** Undefined while there is only text. */
  members: Record<string, unknown> | undefined;
  text: string;
}

/** A repeated name becomes a list. */
function put(members: Record<string, unknown>, name: string, value: unknown): void {
  const there = members[name];
  if (there === undefined) members[name] = value;
  else if (Array.isArray(there)) there.push(value);
  else members[name] = [there, value];
}

const xmlRivals: Readonly<Record<string, Contender>> = {
  async 'fast-xml-parser'() {
    const { XMLParser } = await import('fast-xml-parser');
    return (file, out) => {
      const parser = new XMLParser({
        ignoreAttributes: false,
        attributeNamePrefix: '@',
        textNodeName: '#text',
        parseTagValue: false,
        ignoreDeclaration: true,
      });
      writeWhole(out, JSON.stringify(parser.parse(readFileSync(file))));
    };
  },
  /** The smallest object builder on a strict parser. */
  async saxes() {
    const { SaxesParser } = await import('saxes');
    return (file, out) => {
      const parser = new SaxesParser({ position: false });
      const document: Record<string, unknown> = {};
      const open: Element[] = [];
      parser.on('opentag', ({ attributes }) => {
        let members: Element['members'];
        for (const key in attributes) {
          members ??= {};
          members[`@${key}`] = attributes[key];
        }
        open.push({ members, text: '' });
      });
      const addText = (text: string) => {
        const element = open.at(-1);
        if (element) element.text += text;
      };
      parser.on('text', addText);
      parser.on('cdata', addText);
      parser.on('closetag', ({ name }) => {
        const element = open.pop();
        if (!element) return;
        const { members, text } = element;
        if (members !== undefined && text.trim() !== '') members['#text'] = text;
        const parent = open.at(-1);
        if (parent) parent.members ??= {};
        put(parent?.members ?? document, name, members ?? text);
      });
      parser.write(readFileSync(file, 'utf8')).close();
      writeWhole(out, JSON.stringify(document));
    };
  },
};

export const contenders: Readonly<Record<string, Contender>> = {
  ...ours,
  ...csvRivals,
  ...jsonRivals,
  ...xlsxRivals,
  ...documentRivals,
  ...xmlRivals,
  ...yamlRivals,
  ...gunzipRivals,
};
