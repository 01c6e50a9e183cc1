/** All contenders by name. */

import { readFileSync } from 'node:fs';
import { type Contender, writeWhole } from './contender.ts';
import { csvRivals } from './csv.ts';
import { ours } from './filebridge.ts';
import { gunzipRivals } from './gunzip.ts';
import { xlsxRivals } from './xlsx.ts';
import { xmlRivals } from './xml.ts';

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

export const contenders: Readonly<Record<string, Contender>> = {
  ...ours,
  ...csvRivals,
  ...jsonRivals,
  ...xlsxRivals,
  ...xmlRivals,
  ...yamlRivals,
  ...gunzipRivals,
};
