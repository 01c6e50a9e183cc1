/** Figures of repeated runs, and where they are written down. */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The value below which `share` of all lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const milliseconds = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(0)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** The machine, in a line. */
export function machine(): string {
  const [cpu] = os.cpus();
  return `${cpu?.model.trim() ?? 'unknown CPU'}, ${os.cpus().length} cores, ${megabytes(os.totalmem())} of memory, ${os.type()}`;
}

export interface Row {
  figure: string;
  ours: string;
  peer: string;
  note: string;
}

/** Prints a table and puts it between the marks of its name in docs/benchmarks.md. */
export async function report(
  name: string,
  columns: readonly [string, string, string, string],
  rows: readonly Row[],
): Promise<void> {
  const cells = rows.map((row) => [row.figure, row.ours, row.peer, row.note]);
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`;
  const table = [line(columns), line(columns.map(() => '---')), ...cells.map(line)].join('\n');
  process.stdout.write(`\n${table}\n`);
  const text = await readFile(page, 'utf8');
  const marks = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new Error(`docs/benchmarks.md has no marks for '${name}'`);
  const when = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}.`;
  await writeFile(
    page,
    text.replace(marks, (_all, start: string, end: string) => `${start}${when}\n\n${table}\n${end}`),
  );
}
