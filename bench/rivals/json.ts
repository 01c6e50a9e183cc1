/** JavaScript's built-in way to validate and minify JSON. */
import { readFileSync } from 'node:fs';
import { type Contender, writeWhole } from './contender.ts';

export const jsonRivals: Readonly<Record<string, Contender>> = {
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
