/** Statistics of repeated runs, and writing them to docs/benchmarks.md. */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { repository } from '../../e2e/support/cli.ts';

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The value below which `share` of all values are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const milliseconds = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`;
/** Memory is given in units of 2^20 bytes, as systems do; files in millions of bytes. */
export const inMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
export const megabytes = (bytes: number): string => (Number.isNaN(bytes) ? 'unknown memory' : `${inMegabytes(bytes)} MB`);

/** The machine, in one line. */
export function machine(): string {
  const [cpu] = os.cpus();
  return `${cpu?.model.trim() ?? 'unknown CPU'}, ${os.cpus().length} cores, ${megabytes(os.totalmem())} of memory, ${os.type()}`;
}

/** Versions of npm packages, in one line. */
export async function versions(packages: readonly string[]): Promise<string> {
  const found = packages.map(async (name) => {
    const manifestIn = (folder: string) => readFile(path.join(repository, folder, 'node_modules', name, 'package.json'), 'utf8');
    const manifest = await manifestIn('bench').catch(() => manifestIn('.'));
    return `${name} ${(JSON.parse(manifest) as { version: string }).version}`;
  });
  return [`Node ${process.versions.node}`, ...(await Promise.all(found))].join(', ');
}

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Packages that took part. */
  packages?: readonly string[];
}

/** Prints a table and writes it between its named markers in docs/benchmarks.md. */
export async function report(name: string, { columns, rows, packages }: Table): Promise<void> {
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`;
  const table = [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
  process.stdout.write(`\n${table}\n`);
  const text = await readFile(page, 'utf8');
  const marks = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new Error(`docs/benchmarks.md has no marks for '${name}'`);
  const when = `Measured on ${new Date().toISOString().slice(0, 10)} by \`npm run bench -- ${name}\`: ${machine()}.`;
  const who = packages ? ` ${await versions(packages)}.` : '';
  await writeFile(
    page,
    text.replace(marks, (_all, start: string, end: string) => `${start}${when}${who}\n\n${table}\n${end}`),
  );
}

/** The baseline of a figure. */
export interface Verdict {
  goal: string;
  reached: boolean;
}

export const atLeast = (goal: number, value: number, unit = '×'): Verdict => ({
  goal: `≥ ${goal}${unit}`,
  reached: value >= goal,
});
export const atMost = (goal: number, value: number, unit: string): Verdict => ({
  goal: `≤ ${goal} ${unit}`,
  reached: value <= goal,
});

/** Columns of a table of figures beside their rivals'. */
export const comparisonColumns = ['figure', 'Filebridge', 'peer', 'ratio', 'goal', 'reached'] as const;

export interface Comparison {
  figure: string;
  ours: string;
  peer?: string;
  ratio?: string;
  verdict?: Verdict | undefined;
}

export function comparison({ figure, ours, peer = '–', ratio = '–', verdict }: Comparison): string[] {
  return [figure, ours, peer, ratio, verdict?.goal ?? '–', verdict ? (verdict.reached ? 'yes' : '**no**') : '–'];
}

/** Two significant digits, the precision of the measurement. */
export const times = (ratio: number): string => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2)}×`;

/** Time, and speed in millions of bytes of the file per second. */
export const speed = (ms: number, bytes: number): string => `${milliseconds(ms)}, ${(bytes / 1e3 / ms).toPrecision(3)} MB/s`;
