/** What happens when things die under load: Filebridge killed amid big answers, and twenty programs that start at once. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { fixtureUpstream, isRunning, openSession, type Session } from './support/session.ts';
import { viewLedger } from './support/totals.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(() => workspace.remove());

describe('Filebridge killed in the middle of its work', () => {
  it('leaves configuration, ledger and stored answers whole, and no upstream behind', async () => {
    const BYTES = 3_000_000;
    const answers = workspace.at('answers');
    const pids = workspace.at('pids-killed');
    await mkdir(answers);
    const data = workspace.at('killed-data');
    let configFile: string | undefined;
    let configText = '';
    let answered = 0;
    const linked: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const session: Session = await openSession(workspace, {
        data,
        configFile,
        folders: [{ path: answers, access: 'read-write' }],
        upstreams: { moody: fixtureUpstream('moody.mjs', { env: { PID_FILE: pids } }) },
      });
      configFile ??= session.configFile;
      configText ||= await readFile(session.configFile, 'utf8');
      const calls = Array.from({ length: 12 }, (_, i) =>
        session
          .call('call_tool_and_store', {
            server: 'moody',
            tool_name: 'big',
            tool_args: { bytes: BYTES },
            storage_path: answers,
            filename: `round-${round}-${i}.txt`,
          })
          .then((answer) => {
            if (answer.isError) throw new Error(answer.text);
            answered += 1;
            linked.push(...answer.blocks.flatMap((block) => (block.uri ? [new URL(block.uri).pathname] : [])));
          }),
      );
      const settled = Promise.allSettled(calls);
      await Promise.race([calls[2 + round], settled]);
      process.kill(session.pid, 'SIGKILL');
      await settled;
      await session.close();
    }
    expect(answered).toBeGreaterThan(0);

    for (const each of (await readFile(pids, 'utf8')).trim().split('\n'))
      await until(async () => !(await isRunning(Number(each))));
    expect(await readFile(configFile as string, 'utf8')).toBe(configText);
    for (const file of linked) expect((await stat(file)).size).toBe(BYTES);
    for (const name of await readdir(answers)) {
      // Under the name it was to have, a file is whole; what was being written has another.
      if (/^round-\d+-\d+\.txt$/.test(name)) expect((await stat(`${answers}/${name}`)).size).toBe(BYTES);
    }

    const session = await openSession(workspace, { data, configFile });
    expect((await session.call('call_tool', { server: 'moody', tool_name: 'pid' })).isError).toBe(false);
    await session.close();
    const { totals, recent } = await viewLedger(session);
    expect(totals.all.calls).toBe(recent.filter((line) => line.calls > 0).reduce((sum, line) => sum + line.calls, 0));
    expect(recent.length).toBeGreaterThanOrEqual(answered + 1);
    expect(new Set(recent.map((line) => line.id)).size).toBe(recent.length);
    // Lines of a program that was killed may be found after those of the next one.
    expect(recent).toContainEqual(expect.objectContaining({ kind: 'call', tool: 'pid', outcome: 'ok' }));
    expect(session.stderr()).not.toMatch(/broken|not valid/);
  });
});

describe('a configuration that is not as it should be', () => {
  it('20 starts at once: one copy is kept aside, and all name it', async () => {
    const text = '{"version": 1, "folders": [';
    const file = await workspace.file('crowd/config.json', text);
    const runs = await Promise.all(
      Array.from({ length: 20 }, () =>
        runCli(['serve', '--stdio'], { env: { FILEBRIDGE_CONFIG: file, FILEBRIDGE_DATA: workspace.at('crowd', 'data') } }),
      ),
    );
    const aside = (await readdir(workspace.at('crowd'))).filter((each) => each.startsWith('config'));
    expect(aside).toEqual([expect.stringMatching(/^config\.broken-.+\.json$/)]);
    const said = runs.map(({ stderr }) => stderr.split('\n').find((line) => line.includes('is kept as')));
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toContain(workspace.at('crowd', aside[0] ?? ''));
    if (process.platform !== 'win32') expect((await stat(workspace.at('crowd', aside[0] ?? ''))).mode & 0o777).toBe(0o600);
  });
});
