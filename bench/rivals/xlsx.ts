/** Other libraries that convert a workbook to JSON: the records of its first sheet by its header. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type Contender, writeAll, writeWhole } from './contender.ts';

type Row = readonly unknown[];

const recordOf = (names: Row, row: Row): string =>
  JSON.stringify(Object.fromEntries(names.map((name, i) => [String(name), row[i] ?? null])));

export const xlsxRivals: Readonly<Record<string, Contender>> = {
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
