/** Other libraries that convert YAML to JSON. */
import { readFileSync } from 'node:fs';
import { type Contender, writeWhole } from './contender.ts';

export const yamlRivals: Readonly<Record<string, Contender>> = {
  async yaml() {
    const { parse } = await import('yaml');
    return (file, out) => writeWhole(out, JSON.stringify(parse(readFileSync(file, 'utf8'))));
  },
  async 'js-yaml'() {
    const { load } = await import('js-yaml');
    return (file, out) => writeWhole(out, JSON.stringify(load(readFileSync(file, 'utf8'))));
  },
};
