/** A file that takes seconds to convert: agents and window are answered meanwhile, by every host of the program. */
import { describe, expect, it } from 'vitest';
import { startFilebridge } from './support/filebridge.ts';
import { type McpClient, openClient } from './support/mcp-clients.ts';
import { openWindow } from './support/window-hosts.ts';

/** Parsed in one go, which takes a second or more: a tag is beyond what is read the quick way. */
const RECORDS = 60_000;
const slow = Array.from(
  { length: RECORDS },
  (_, i) => `- ${i === 0 ? '!first ' : ''}\n  id: ${i}\n  name: "name ${i}"\n  note: a note of ${i}\n`,
).join('');

interface Waits {
  answers: number;
  longest: number;
  total: number;
}

/** Asks again and again while `work` is going on. */
async function waitsDuring(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<Waits> {
  const waits: Waits = { answers: 0, longest: 0, total: 0 };
  const began = performance.now();
  let working = true;
  const done = work.finally(() => {
    working = false;
  });
  while (working) {
    const asked = performance.now();
    await ask();
    waits.longest = Math.max(waits.longest, performance.now() - asked);
    waits.answers += 1;
  }
  await done;
  waits.total = performance.now() - began;
  return waits;
}

async function previewed(client: McpClient, path: string): Promise<void> {
  const answer = await client.call('preview_file', { path, rows: 1 });
  expect(answer.json()).toMatchObject({ format: 'yaml', records: RECORDS });
}

/** Were it converted where it is asked for, a question would wait for a third of the time or more; a busy machine makes all of it longer. */
function expectShort({ answers, longest, total }: Waits): void {
  expect(answers).toBeGreaterThan(10);
  expect(longest).toBeLessThan(total / 3);
}

describe('while a slow file is converted', () => {
  it('the command line answers its agent', async () => {
    const filebridge = await startFilebridge('stdio');
    try {
      const path = await filebridge.file('slow.yaml', slow);
      const client = await filebridge.connect('v1');
      expectShort(await waitsDuring(previewed(client, path), () => client.call('list_allowed_directories')));
    } finally {
      await filebridge.stop();
    }
  });

  it('the desktop app answers its agents and its window', async () => {
    const home = await openWindow('electron', {});
    try {
      // Two of them: what was converted once is known for a while.
      const [path, another] = [await home.file('slow.yaml', slow), await home.file('another.yaml', slow)];
      const status = () =>
        home.page.evaluate(async () => {
          const bridge = (window as unknown as { filebridge: { request(name: string, input: object): Promise<unknown> } })
            .filebridge;
          return (await bridge.request('status.get', {})) as { ok: boolean; value: { url: string } };
        });
      const { value } = await status();
      const client = await openClient('v1', { url: value.url, token: await home.token() });
      try {
        expectShort(await waitsDuring(previewed(client, path), () => client.call('list_allowed_directories')));
        expectShort(await waitsDuring(previewed(client, another), status));
      } finally {
        await client.close();
      }
    } finally {
      await home.close();
    }
  });
});
