/** All contenders by name. */
import type { Contender } from './contender.ts';
import { csvRivals } from './csv.ts';
import { ours } from './filebridge.ts';
import { gunzipRivals } from './gunzip.ts';
import { jsonRivals } from './json.ts';
import { xlsxRivals } from './xlsx.ts';
import { xmlRivals } from './xml.ts';
import { yamlRivals } from './yaml.ts';

export const contenders: Readonly<Record<string, Contender>> = {
  ...ours,
  ...csvRivals,
  ...jsonRivals,
  ...xlsxRivals,
  ...xmlRivals,
  ...yamlRivals,
  ...gunzipRivals,
};
