/** Names that are exchanged for links out of the folder while real calls use them. The moments are made in `electron/files/exchanged.test.ts`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { fixture, fixtureUpstream, openSession, type Session } from './support/session.ts';

const SECRET = 'the-content-of-a-file-outside';
let workspace: Workspace;
let session: Session;
const inside = (...parts: string[]) => workspace.at('data', ...parts);

beforeAll(async () => {
  workspace = await openWorkspace();
  await workspace.file('data/fine.txt', 'fine');
  await workspace.file('outside/secret.txt', SECRET);
  await mkdir(workspace.at('answers'), { recursive: true });
  session = await openSession(workspace, {
    folders: [{ path: inside() }, { path: workspace.at('answers'), access: 'read-write' }],
    upstreams: { echo: fixtureUpstream('echo-arguments.mjs') },
  });
});
afterAll(async () => {
  await session?.close();
  await workspace.remove();
});

/** Runs `during` while a name is exchanged for a link and back. */
async function whileSwapping(
  good: string,
  evil: string,
  target: string,
  kind: 'file' | 'directory',
  during: () => Promise<void>,
) {
  const swapper = spawn(process.execPath, [fixture('swapper.mjs'), good, evil, target, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(swapper.stdout, 'data');
    await during();
  } finally {
    swapper.stdin.end();
    const code = swapper.exitCode ?? (await once(swapper, 'exit'))[0];
    expect(code).toBe(0);
  }
}

describe('a name that changes what it leads to while calls run', () => {
  /** Calls until both outcomes were seen and enough calls were made; the test's own time limit ends it otherwise. */
  async function race(file: string): Promise<void> {
    const seen = { read: 0, refused: 0 };
    const worker = async () => {
      while (seen.read + seen.refused < 600 || seen.read === 0 || seen.refused === 0) {
        const answer = await session.call('preview_file', { path: file, as: 'text' });
        expect(answer.text).not.toContain(SECRET);
        if (answer.isError) seen.refused += 1;
        else {
          expect(answer.text).toContain('"good"');
          seen.read += 1;
        }
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
  }

  it('a file: nothing from outside is ever read', async () => {
    const good = await workspace.file('data/race/good.txt', 'good');
    const target = inside('race', 'target.txt');
    await whileSwapping(good, workspace.at('outside', 'secret.txt'), target, 'file', () => race(target));
  });

  it('a folder on the way: nothing from outside is ever read', async () => {
    await workspace.file('data/race/good-folder/secret.txt', 'good');
    const target = inside('race', 'way');
    await whileSwapping(inside('race', 'good-folder'), workspace.at('outside'), target, 'directory', () =>
      race(path.join(target, 'secret.txt')),
    );
  });

  it('a folder that is stored into: nothing is ever written outside', async () => {
    await mkdir(workspace.at('answers', 'good-folder'));
    const target = workspace.at('answers', 'way');
    await whileSwapping(workspace.at('answers', 'good-folder'), workspace.at('outside'), target, 'directory', async () => {
      for (let i = 0; i < 100; i += 1) {
        await session.call('call_tool_and_store', {
          server: 'echo',
          tool_name: 'anything',
          storage_path: target,
          filename: `race-${i}.json`,
        });
      }
    });
    expect(await readdir(workspace.at('outside'))).toEqual(['secret.txt']);
    await rm(target, { recursive: true, force: true });
  });
});
