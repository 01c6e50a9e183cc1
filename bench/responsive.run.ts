/** Measures how long agents and the window wait for an answer while a file that takes seconds to parse is converted. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { startFilebridge } from '../e2e/support/filebridge.ts';
import { type McpClient, openClient } from '../e2e/support/mcp-clients.ts';
import { filebridgeHome } from './support/app.ts';
import { atMost, comparison, comparisonColumns, milliseconds, report } from './support/figures.ts';

/** Parsed in one go: a tag is beyond what is read the quick way. */
const RECORDS = 60_000;
const slow = Array.from(
  { length: RECORDS },
  (_, i) => `- ${i === 0 ? '!first ' : ''}\n  id: ${i}\n  name: "name ${i}"\n  note: a note of ${i}\n`,
).join('');
const GOAL_MS = 250;
const REST_ANSWERS = 200;

const rows: string[][] = [];
afterAll(() => report('responsive', { columns: comparisonColumns, rows }));

/** Asks one question after the other as long as `going` holds; the longest wait in milliseconds. */
async function longestWait(ask: () => Promise<unknown>, going: (answers: number) => boolean): Promise<number> {
  let longest = 0;
  for (let answers = 0; going(answers); answers += 1) {
    const asked = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - asked);
  }
  return longest;
}

async function measure(who: string, work: () => Promise<unknown>, ask: () => Promise<unknown>): Promise<void> {
  await ask();
  const rest = await longestWait(ask, (answers) => answers < REST_ANSWERS);
  let working = true;
  const began = performance.now();
  const done = work().finally(() => {
    working = false;
  });
  const busy = await longestWait(ask, () => working);
  await done;
  rows.push(
    comparison({
      figure: `longest wait of ${who} while another call parses YAML for ${milliseconds(performance.now() - began)}`,
      ours: `${busy.toFixed(1)} ms`,
      peer: `at rest: ${rest.toFixed(1)} ms`,
      verdict: atMost(GOAL_MS, busy, 'ms'),
    }),
  );
}

async function previewed(client: McpClient, path: string): Promise<void> {
  const answer = await client.call('preview_file', { path, rows: 1 });
  expect(answer.json()).toMatchObject({ format: 'yaml', records: RECORDS });
}

it('measures the command line', async () => {
  const filebridge = await startFilebridge('stdio');
  try {
    const path = await filebridge.file('slow.yaml', slow);
    const client = await filebridge.connect('v1');
    await measure(
      'an agent over stdio',
      () => previewed(client, path),
      () => client.call('list_allowed_directories'),
    );
  } finally {
    await filebridge.stop();
  }
});

it('measures the desktop app', async () => {
  const home = await filebridgeHome((at) => ({ folders: [{ path: at('.'), access: 'read' }] }));
  try {
    // Two of them: what was converted once is remembered for a while.
    const [one, other] = [home.at('one.yaml'), home.at('other.yaml')];
    for (const file of [one, other]) await writeFile(file, slow);
    const { page, close } = await home.open();
    const status = () =>
      page.evaluate(async () => {
        const { filebridge } = window as unknown as { filebridge: { request(name: string, input: object): Promise<unknown> } };
        return (await filebridge.request('status.get', {})) as { value: { url: string } };
      });
    const { value } = await status();
    const { tokens } = JSON.parse(await readFile(home.at('data', 'tokens.json'), 'utf8')) as { tokens: { token: string }[] };
    const client = await openClient('v1', { url: value.url, token: tokens[0]?.token ?? '' });
    await measure(
      'an agent of the app',
      () => previewed(client, one),
      () => client.call('list_allowed_directories'),
    );
    await measure('the window', () => previewed(client, other), status);
    await client.close();
    await close();
  } finally {
    await home.remove();
  }
});
