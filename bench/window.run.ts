/** Measures the desktop app in use: start, memory, a big file dropped during a call, scrolling a long log. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { openClient } from '../e2e/support/mcp-clients.ts';
import { everything } from '../e2e/support/upstreams.ts';
import { type AppHome, bareHome, filebridgeHome, frameGaps, memoryOf, type StartedApp, watchFrames } from './support/app.ts';
import { median, megabytes, milliseconds, quantile, report } from './support/figures.ts';

const STARTS = 5;
const REST_MS = 10_000;
const FILE_BYTES = 100 * 1024 * 1024;
const LEDGER_LINES = 100_000;
/** Some 900 kB, as files of the ledger are. */
const FILE_LINES = 2_000;
const callTime = (call: number): Date => new Date(Date.UTC(2026, 0, 1) + call * 60_000);

interface Row {
  figure: string;
  ours: string;
  peer: string;
  note: string;
}

const rows: Row[] = [];

afterAll(() =>
  report('window', {
    columns: ['figure', 'Filebridge', 'peer', 'how'],
    rows: rows.map(({ figure, ours, peer, note }) => [figure, ours, peer, note]),
  }),
);

describe('start and rest', () => {
  it('compares with a minimal app on the same runtime', async () => {
    const homes: Record<'ours' | 'bare', AppHome> = {
      ours: await filebridgeHome(() => ({ upstreams: { everything: everything() } })),
      bare: await bareHome(),
    };
    const starts: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
    const memory = { ours: 0, bare: 0 };
    // Alternates, so that changing load affects both equally; the first run of each fills the disk cache and is not counted.
    for (let run = 0; run <= STARTS; run += 1) {
      for (const kind of ['ours', 'bare'] as const) {
        const started = await homes[kind].open();
        if (run > 0) starts[kind].push(started.startMs);
        if (run === STARTS) {
          await delay(REST_MS);
          memory[kind] = await memoryOf(started.app.process().pid ?? 0);
        }
        await started.close();
      }
    }
    for (const home of Object.values(homes)) await home.remove();
    rows.push({
      figure: 'cold start to a usable window',
      ours: milliseconds(median(starts.ours)),
      peer: `${milliseconds(median(starts.bare))} (empty app)`,
      note: `median of ${STARTS} starts of the process until the page's heading stands, driven by Playwright`,
    });
    rows.push({
      figure: 'memory at rest',
      ours: megabytes(memory.ours),
      peer: `${megabytes(memory.bare)} (empty app)`,
      note: `PSS of all its processes ${REST_MS / 1000} s after the start, window open`,
    });
    expect(starts.ours).toHaveLength(STARTS);
  });
});

async function writeBigCsv(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const out = createWriteStream(file);
  out.write('id,name,email,zip,amount,active,note\n');
  let bytes = 0;
  for (let id = 0; bytes < FILE_BYTES; id += 1) {
    const line = `${id},Person ${id},person.${id}@example.org,${String(id % 100000).padStart(5, '0')},${(id * 0.37).toFixed(2)},${id % 2 === 0},"said ""hello"", twice"\n`;
    bytes += line.length;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** Drops a file as the system does. */
async function drop(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  }
  await session.detach();
}

function framesRow(figure: string, gaps: readonly number[], note: string): Row {
  return {
    figure,
    ours: `longest ${milliseconds(Math.max(...gaps))}, 99 % below ${milliseconds(quantile(gaps, 0.99))}`,
    peer: '–',
    note: `${gaps.length} frames; ${note}`,
  };
}

describe('under load', () => {
  let home: AppHome;
  let started: StartedApp;

  it('keeps drawing while a 100 MB file is read and another call runs', async () => {
    home = await filebridgeHome((at) => ({ folders: [{ path: at('files'), access: 'read' }] }));
    const file = home.at('files', 'people.csv');
    await writeBigCsv(file);
    started = await home.open();
    const { page } = started;
    await page.evaluate(() => {
      location.hash = '#/preview';
    });
    await page.getByRole('heading', { level: 1, name: 'Preview' }).waitFor();
    const { url } = await page.evaluate(
      async () =>
        (
          await (
            window as unknown as { filebridge: { request(name: string, input: object): Promise<{ value: { url: string } }> } }
          ).filebridge.request('status.get', {})
        ).value,
    );
    const { tokens } = JSON.parse(await readFile(home.at('data', 'tokens.json'), 'utf8'));
    const agent = await openClient('v1', { url, token: tokens[0].token });
    await watchFrames(page);
    await delay(1000);
    const idle = await frameGaps(page);
    const began = performance.now();
    // The user looks at the file while the agent asks about it.
    const call = agent.call('preview_file', { path: file });
    await drop(page, file);
    await page.getByRole('columnheader', { name: /email/ }).waitFor();
    const shown = performance.now() - began;
    expect((await call).isError).toBe(false);
    const busy = await frameGaps(page);
    rows.push({
      figure: 'a 100 MB CSV dropped while a call reads it: first rows',
      ours: milliseconds(shown),
      peer: '–',
      note: 'from the drop to the table standing in the page',
    });
    rows.push(framesRow('the same: time between frames', busy, `at rest the longest was ${milliseconds(Math.max(...idle))}`));
    await agent.close();
    await started.close();
    await home.remove();
  });

  it('scrolls 100,000 calls', async () => {
    home = await filebridgeHome(() => ({}));
    await mkdir(home.at('data'), { recursive: true });
    for (let first = 0; first < LEDGER_LINES; first += FILE_LINES) {
      const lines = Array.from({ length: FILE_LINES }, (_, index) => {
        const call = first + index;
        return JSON.stringify({
          id: `call-${call}`,
          time: callTime(call).toISOString(),
          client: 'Claude',
          kind: 'file_call',
          server: 'db',
          tool: 'bulk_insert',
          paths: [`/data/file-${call}.csv`],
          inputBytes: 1000 + call,
          sentBytes: 2000,
          records: 10,
          calls: 1,
          durationMs: 12,
          outcome: 'ok',
          errorCode: null,
          savings: { arguments: { count: 100, method: 'measured' }, answer: { count: 1, method: 'measured' } },
          storedPath: null,
        });
      });
      const rotated = callTime(first + FILE_LINES)
        .toISOString()
        .replaceAll(/[-:.]/g, '');
      const name = first + FILE_LINES < LEDGER_LINES ? `ledger-${rotated}.jsonl` : 'ledger.jsonl';
      await writeFile(home.at('data', name), `${lines.join('\n')}\n`);
    }
    started = await home.open();
    const { page } = started;
    const began = performance.now();
    await page.evaluate(() => {
      location.hash = '#/activity';
    });
    await page.getByText(`file-${LEDGER_LINES - 1}.csv`).waitFor();
    const shown = performance.now() - began;
    await watchFrames(page);
    await page.locator('.call-list-body').evaluate(async (list) => {
      const end = list.scrollHeight - list.clientHeight;
      for (let step = 1; step <= 180; step += 1) {
        list.scrollTop = (end * step) / 180;
        await new Promise(requestAnimationFrame);
      }
    });
    await page.getByText('file-0.csv', { exact: true }).waitFor();
    rows.push({
      figure: '100,000 calls in Activity: first rows',
      ours: milliseconds(shown),
      peer: '–',
      note: 'from opening the page to its newest call standing there, the log read for the first time',
    });
    rows.push(
      framesRow('the same, scrolled from end to end: time between frames', await frameGaps(page), '180 steps of 31,000 pixels'),
    );
    await started.close();
    await home.remove();
  });
});
