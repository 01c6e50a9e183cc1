/** Measures the file tools on many files, by turns with the official filesystem server, whose answers they must equal. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cliFile, repository } from '../e2e/support/cli.ts';
import { openHome } from '../e2e/support/filebridge.ts';
import { openClient } from '../e2e/support/mcp-clients.ts';
import { atMost, comparison, comparisonColumns, quantile, report } from './support/figures.ts';

const FOLDERS = 40;
const FILES = 250;
const ROUNDS = 15;
const official = path.join(repository, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
const rows: string[][] = [];

afterAll(() => report('listings', { columns: comparisonColumns, rows, packages: ['@modelcontextprotocol/server-filesystem'] }));

it('lists and searches many files', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-many-'));
  for (let i = 0; i < FOLDERS; i += 1) {
    await mkdir(path.join(folder, `d${i}`));
    await Promise.all(Array.from({ length: FILES }, (_, k) => writeFile(path.join(folder, `d${i}`, `f${k}.txt`), `${k}\n`)));
  }
  const home = await openHome({ expose: { fileTools: true, upstreamTools: 'none' } });
  const open = (args: string[]) =>
    openClient('v1', { command: process.execPath, args, env: home.env, onStderr: () => undefined });
  const clients = {
    ours: await open([cliFile, 'serve', '--stdio', folder]),
    theirs: await open([official, folder]),
  };
  const calls = [
    { figure: `a tree of ${FOLDERS * FILES} files`, tool: 'directory_tree', args: { path: folder } },
    { figure: `a search among ${FOLDERS * FILES} files`, tool: 'search_files', args: { path: folder, pattern: '**/f7.txt' } },
    { figure: `${FILES} files with their sizes`, tool: 'list_directory_with_sizes', args: { path: path.join(folder, 'd3') } },
  ];
  for (const { figure, tool, args } of calls) {
    const took = { ours: [] as number[], theirs: [] as number[] };
    for (let round = -2; round < ROUNDS; round += 1) {
      const answers: string[] = [];
      for (const name of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
        const began = performance.now();
        const { text, isError } = await clients[name].call(tool, args);
        const ms = performance.now() - began;
        expect(isError).toBe(false);
        answers.push(text.split('\n').sort().join('\n'));
        // The first rounds warm up.
        if (round >= 0) took[name].push(ms);
      }
      if (tool !== 'directory_tree') expect(answers[0]).toBe(answers[1]);
      else expect(answers[0]?.length).toBeGreaterThan(FOLDERS * FILES);
    }
    const [ours, theirs] = [quantile(took.ours, 0.5), quantile(took.theirs, 0.5)];
    rows.push(
      comparison({
        figure,
        ours: `${ours.toFixed(1)} ms`,
        peer: `official server: ${theirs.toFixed(1)} ms`,
        ratio: `${(ours / theirs).toFixed(2)}×`,
        verdict: atMost(2, ours / theirs, '×'),
      }),
    );
  }
  for (const client of Object.values(clients)) await client.close();
  await home.workspace.remove();
  await rm(folder, { recursive: true });
});
