/** What happens when things die: upstreams, Filebridge itself, files under the reader's hands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { cliFile, openWorkspace, runCli, type Workspace } from './support/cli.ts';
import {
  type Answer,
  fixture,
  fixtureUpstream,
  isRunning,
  openSession,
  readAllUnder,
  reference,
  type Session,
} from './support/session.ts';
import { skippedFor } from './support/skipping.ts';
import { viewLedger } from './support/totals.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(() => workspace.remove());

const tail = (answer: Answer) => answer.blocks.map((block) => block.text ?? '').join('\n');
const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Waits for the number in the file, which several calls may write anew: to read none would be to signal this very group, number 0. */
async function pidIn(file: string): Promise<number> {
  let pid = 0;
  await until(async () => {
    pid = Number(await readFile(file, 'utf8').catch(() => ''));
    return pid > 0;
  });
  return pid;
}

describe('an upstream that dies', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession(workspace, { upstreams: { moody: fixtureUpstream('moody.mjs') } });
  });
  afterAll(() => session?.close());

  const pidNow = async () =>
    Number((await session.call('call_tool', { server: 'moody', tool_name: 'pid', output_format: 'string' })).text);

  it('killed in the middle of a call: a clear error, and the next call starts it again', async () => {
    const started = workspace.at('held');
    const held = session.call('call_tool', {
      server: 'moody',
      tool_name: 'hold',
      tool_args: { started, release: workspace.at('never') },
    });
    const pid = await pidIn(started);
    process.kill(pid, 'SIGKILL');
    const answer = await held;
    expect(answer.isError).toBe(true);
    expect(answer.json()).toMatchObject({ code: 'UPSTREAM_CLOSED', tool: 'moody:hold', error: expect.stringContaining('moody') });
    const next = await pidNow();
    expect(next).toBeGreaterThan(0);
    expect(next).not.toBe(pid);
    // Neither alive nor waiting to be reaped.
    await until(async () => !(await exists(`/proc/${pid}`)));
  });

  it('ending by itself: the same', async () => {
    const answer = await session.call('call_tool', { server: 'moody', tool_name: 'die' });
    expect(answer.isError).toBe(true);
    expect(answer.json()).toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(answer.text).toMatch(/moody/);
    expect(await pidNow()).toBeGreaterThan(0);
  });

  it('takes only the calls in flight with it', async () => {
    const started = workspace.at('held-2');
    const calls = Array.from({ length: 4 }, () =>
      session.call('call_tool', { server: 'moody', tool_name: 'hold', tool_args: { started, release: workspace.at('never') } }),
    );
    process.kill(await pidIn(started), 'SIGKILL');
    for (const answer of await Promise.all(calls)) expect(answer.isError).toBe(true);
    expect(await pidNow()).toBeGreaterThan(0);
  });
});

describe('an upstream that does not answer', () => {
  it('is given up after its timeoutMs, and the error says which setting that was', async () => {
    const session = await openSession(workspace, {
      upstreams: { moody: fixtureUpstream('moody.mjs', { timeoutMs: 3000 }) },
    });
    try {
      const answer = await session.call('call_tool', { server: 'moody', tool_name: 'silent' });
      expect(answer.isError).toBe(true);
      expect(answer.json()).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
      expect(answer.text).toMatch(/timeoutMs/);
      // A busy server may take longer than that, too.
      await until(async () => !(await session.call('call_tool', { server: 'moody', tool_name: 'pid' })).isError);
    } finally {
      await session.close();
    }
  });
});

describe('a limit for all upstreams', () => {
  it('ends a call after callTimeoutMs, and the error says so', async () => {
    const session = await openSession(workspace, {
      upstreams: { moody: fixtureUpstream('moody.mjs') },
      limits: { callTimeoutMs: 1500 },
    });
    try {
      const answer = await session.call('call_tool', { server: 'moody', tool_name: 'silent' });
      expect(answer.isError).toBe(true);
      expect(answer.json()).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
      expect(answer.text).toMatch(/callTimeoutMs/);
    } finally {
      await session.close();
    }
  });
});

describe('an upstream that cannot be started', () => {
  it('is an error that names the command, a row in the list, and no hindrance to others', async () => {
    const session = await openSession(workspace, {
      upstreams: {
        gone: { type: 'stdio', command: 'no-such-program-anywhere' },
        dead: { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no licence found"); process.exit(2)'] },
        moody: fixtureUpstream('moody.mjs'),
      },
    });
    try {
      const gone = await session.call('call_tool', { server: 'gone', tool_name: 'x' });
      expect(gone.isError).toBe(true);
      expect(gone.json()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
      expect(gone.text).toContain('no-such-program-anywhere');
      const dead = await session.call('call_tool', { server: 'dead', tool_name: 'x' });
      expect(dead.isError).toBe(true);
      expect(dead.text).toMatch(/dead/);
      const list = await session.call('list_upstream_tools', {});
      expect(list.isError).toBe(false);
      expect(list.text).toContain('no-such-program-anywhere');
      expect(list.text).toMatch(/"pid"|pid/);
    } finally {
      await session.close();
    }
  });
});

describe('a client that goes away', () => {
  it('takes Filebridge and its upstreams along', async () => {
    const pids = workspace.at('pids-away');
    const session = await openSession(workspace, {
      upstreams: { moody: fixtureUpstream('moody.mjs', { env: { PID_FILE: pids } }) },
    });
    const { text } = await session.call('call_tool', { server: 'moody', tool_name: 'pid', output_format: 'string' });
    expect(await isRunning(Number(text))).toBe(true);
    const { pid } = session;
    await session.close();
    await until(async () => !(await isRunning(pid)));
    for (const each of (await readFile(pids, 'utf8')).trim().split('\n'))
      await until(async () => !(await isRunning(Number(each))));
  });
});

describe('a file that changes while it is read', () => {
  it.each([
    ['small enough to be read once', 10_000],
    ['so big that it is read twice', 200_000],
  ])('%s: an error that says so, or one state of it, never a mixture', async (_name, lines) => {
    const file = await workspace.file(`changing-${lines}.txt`, '');
    const record = workspace.at(`changing-${lines}.ndjson`);
    const session = await openSession(workspace, {
      folders: [{ path: workspace.root }],
      upstreams: { raw: fixtureUpstream('raw-recorder.mjs', { args: [record] }) },
    });
    const writer = spawn(process.execPath, [fixture('rewriter.mjs'), file, String(lines)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(writer.stdout, 'data');
      const seen = { changed: 0, whole: 0 };
      for (let i = 0; i < 40; i += 1) {
        const answer = await session.send({
          server: 'raw',
          tool_name: 'record',
          path: file,
          data_key: 'text',
          output_format: 'structured',
        });
        const [sent = ''] = (await readFile(record, 'utf8').catch(() => '')).trim().split('\n').slice(-1);
        if (answer.isError) {
          expect(answer.json()).toMatchObject({ code: 'FILE_CHANGED' });
          seen.changed += 1;
        } else {
          const { text } = JSON.parse(sent).params.arguments;
          expect(new Set(text.replaceAll('\n', ''))).toHaveProperty('size', 1);
          expect(text).toHaveLength(lines * 32);
          seen.whole += 1;
        }
      }
      expect(seen.changed + seen.whole).toBe(40);
    } finally {
      writer.stdin.end();
      await once(writer, 'exit');
      await session.close();
    }
  });
});

const isRoot = process.getuid?.() === 0;

describe('a file that the user may not read', () => {
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

  it('is an error that says so', async ({ skip }) => {
    const file = await workspace.file('open/locked.csv', 'a\n1\n');
    await chmod(workspace.root, 0o755);
    await chmod(file, 0o000);
    const prefix = isRoot ? nobody : [];
    if (isRoot) {
      const canRun = await runCli(['--version'], { prefix }).catch((error: Error) => ({ code: 1, stderr: error.message }));
      if (canRun.code !== 0) skip(`another user cannot run the program from here: ${canRun.stderr.trim().split('\n').at(-1)}`);
    }
    const home = workspace.at('nobody');
    await mkdir(home);
    await chmod(home, 0o777);
    const run = await runCli(['convert', file], { prefix, env: { HOME: home } });
    expect(run).toMatchObject({ code: 1 });
    expect(run.stderr).toContain(`File '${file}' does not exist or is not readable`);
    const session = await openSession(workspace, {
      folders: [{ path: workspace.at('open') }],
      data: `${home}/data`,
      prefix,
      env: { HOME: home },
    });
    try {
      const answer = await session.call('preview_file', { path: file });
      expect(answer.isError).toBe(true);
      expect(answer.json()).toMatchObject({ code: 'FILE_NOT_FOUND', error: `File '${file}' does not exist or is not readable` });
    } finally {
      await session.close();
    }
  });
});

describe(`a disk that is full${skippedFor(isRoot ? undefined : 'only root may mount a small disk')}`, () => {
  it.skipIf(!isRoot)('fails what is to be stored, and loses neither answer nor ledger nor configuration', async ({ skip }) => {
    const disk = workspace.at('disk');
    await mkdir(disk);
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    if (mounted.code !== 0) skip(`no small disk can be mounted here: ${mounted.stderr.trim()}`);
    try {
      const configFile = await workspace.file(
        'disk/config.json',
        JSON.stringify({
          version: 1,
          folders: [{ path: disk, access: 'read-write' }],
          upstreams: { moody: fixtureUpstream('moody.mjs') },
          expose: { fileTools: false, upstreamTools: 'none' },
          server: { port: 0 },
        }),
      );
      const configText = await readFile(configFile, 'utf8');
      const session = await openSession(workspace, { configFile, data: `${disk}/data` });
      const ask = (tool_name: string, tool_args: object) => session.call('call_tool', { server: 'moody', tool_name, tool_args });
      expect((await ask('pid', {})).isError).toBe(false);

      const stored = await session.call('call_tool_and_store', {
        server: 'moody',
        tool_name: 'big',
        tool_args: { bytes: 3_000_000, word: 'precious ' },
        storage_path: disk,
        filename: 'answer.txt',
      });
      expect(tail(stored)).toMatch(/disk is full|no space|ENOSPC/i);
      expect(tail(stored).match(/precious /g)?.length).toBeGreaterThan(300_000);
      expect(await readdir(disk)).not.toContain('answer.txt');

      // A big answer that nobody asked to store is handed over as well.
      const spilled = await ask('big', { bytes: 2_000_000, word: 'precious ' });
      expect(spilled.isError).toBe(false);
      expect(tail(spilled).match(/precious /g)?.length).toBeGreaterThan(200_000);

      // Not a block is left: the ledger cannot grow, but calls are answered.
      await run('sh', ['-c', `cat /dev/zero > '${disk}/ballast' 2>/dev/null`]);
      expect((await ask('pid', {})).isError).toBe(false);
      expect(session.stderr()).toMatch(/disk is full/);
      await run('rm', [`${disk}/ballast`]);
      expect((await ask('pid', {})).isError).toBe(false);
      await session.close();

      expect(await readFile(configFile, 'utf8')).toBe(configText);
      const { totals, recent } = await viewLedger({ configFile, dataDirectory: `${disk}/data` });
      // The line of the call on the full disk may find room in the last block of its file, or none.
      expect([4, 5]).toContain(recent.length);
      expect(totals.all.calls).toBe(recent.length);
    } finally {
      await run('umount', [disk]);
    }
  });
});

/** A program of the system from start to exit. */
async function run(command: string, args: string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

describe('a configuration that is not as it should be', () => {
  const start = (configFile: string, home: string) =>
    runCli(['serve', '--stdio'], {
      env: { FILEBRIDGE_CONFIG: configFile, FILEBRIDGE_DATA: home },
    });

  it.each([
    ['no JSON', '{"version": 1, "folders": ['],
    ['no object', '[]'],
    ['empty', ''],
  ])('%s: it is kept aside and reported', async (name, text) => {
    const file = await workspace.file(`broken/${name}/config.json`, text);
    const run = await start(file, workspace.at('broken', name, 'data'));
    const aside = (await readdir(workspace.at('broken', name))).filter((each) => /^config\.broken-.+\.json$/.test(each));
    expect(aside).toHaveLength(1);
    expect(await readFile(workspace.at('broken', name, aside[0] ?? ''), 'utf8')).toBe(text);
    expect(run.stderr).toContain(aside[0]);
  });

  it.each([
    ['a field that nobody knows', '{"version":1,"floders":[]}', 'floders'],
    ['a value that cannot be', '{"version":1,"limits":{"maxFileBytes":"ten"}}', 'limits.maxFileBytes'],
    ['a server of no known type', '{"version":1,"upstreams":{"web":{"type":"web"}}}', 'upstreams.web'],
  ])('%s: it is named and left where it is', async (name, text, entry) => {
    const file = await workspace.file(`entries/${name}/config.json`, text);
    const run = await start(file, workspace.at('entries', name, 'data'));
    expect(run.stderr).toContain(`'${entry}' in the configuration`);
    expect(await readFile(file, 'utf8')).toBe(text);
    const doctor = await runCli(['doctor'], {
      env: { FILEBRIDGE_CONFIG: file, FILEBRIDGE_DATA: workspace.at('entries', name, 'data') },
    });
    expect(doctor.stdout.toString()).toContain(`'${entry}' in the configuration`);
  });

  it('of a newer version: refused and left alone', async () => {
    const text = '{"version":99,"folders":[],"somethingNew":true}';
    const file = await workspace.file('newer/config.json', text);
    const run = await start(file, workspace.at('newer', 'data'));
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/newer|version/);
    expect(run.stdout.toString()).toBe('');
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await readdir(workspace.at('newer'))).filter((name) => name.includes('broken'))).toEqual([]);
  });

  it('absent: the defaults hold, and it says that agents can do nothing', async () => {
    const run = await start(workspace.at('absent', 'config.json'), workspace.at('absent', 'data'));
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^filebridge: agents can do nothing yet\..*\n$/) });
  });
});

describe('doctor', () => {
  interface Finding {
    state: string;
    subject: string;
    text: string;
  }
  let homes = 0;
  async function doctor(
    config: string | Record<string, unknown>,
  ): Promise<{ code: number | null; findings: Finding[]; text: string; stderr: string; config: string }> {
    homes += 1;
    const text = typeof config === 'string' ? config : JSON.stringify({ version: 1, server: { port: 0 }, ...config });
    const file = await workspace.file(`doctor-${homes}/config.json`, text);
    const options = {
      env: {
        FILEBRIDGE_CONFIG: file,
        FILEBRIDGE_DATA: workspace.at(`doctor-${homes}`, 'data'),
        HOME: workspace.at(`doctor-${homes}`),
      },
    };
    const json = await runCli(['doctor', '--json'], options);
    const plain = await runCli(['doctor'], options);
    expect(plain.code).toBe(json.code);
    const printed = json.stdout.toString('utf8');
    return {
      code: json.code,
      findings: printed === '' ? [] : (JSON.parse(printed) as { findings: Finding[] }).findings,
      text: plain.stdout.toString('utf8'),
      stderr: json.stderr,
      config: file,
    };
  }
  const about = (findings: Finding[], subject: string) => findings.find((finding) => finding.subject.startsWith(subject));

  it('finds nothing wrong where nothing is', async () => {
    const { code, findings, text } = await doctor({
      folders: [{ path: workspace.root, access: 'read-write' }],
      upstreams: { moody: fixtureUpstream('moody.mjs') },
    });
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(about(findings, 'server moody')).toMatchObject({ state: 'ok', text: expect.stringContaining('6 tools') });
    expect(about(findings, 'approvals')).toMatchObject({ state: 'ok', text: expect.stringContaining('throughClient: "writes"') });
    expect(text).toContain('All is well');
    expect(code).toBe(0);
  });

  it('notes where a client could approve every call by itself', async () => {
    const { code, findings } = await doctor({ folders: [{ path: workspace.root }], approvals: { throughClient: 'always' } });
    expect(about(findings, 'approvals')).toMatchObject({ state: 'note', text: expect.stringContaining('answer by itself') });
    expect(code).toBe(0);
  });

  it('says what is missing, and what to do about it', async () => {
    const { code, findings, text } = await doctor({ folders: [{ path: workspace.at('not-there') }], upstreams: {} });
    expect(code).toBe(1);
    expect(about(findings, 'folder')).toMatchObject({ state: 'problem', text: expect.stringMatching(/Create it or remove it/) });
    expect(text).toContain('1 problem found');
  });

  it('finds nothing wrong where no server is configured yet, and says how to add one', async () => {
    const { code, findings, text } = await doctor({ folders: [{ path: workspace.root }], upstreams: {} });
    expect(about(findings, 'servers')).toMatchObject({ state: 'note', text: expect.stringContaining('--upstreams FILE') });
    expect(text).toContain('All is well');
    expect(code).toBe(0);
  });

  it('says which servers cannot be started, and why', async () => {
    const { code, findings } = await doctor({
      folders: [{ path: workspace.root }],
      upstreams: {
        gone: { type: 'stdio', command: 'no-such-program-anywhere' },
        dead: { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no licence found"); process.exit(2)'] },
        off: { type: 'stdio', command: 'anything', enabled: false },
        moody: fixtureUpstream('moody.mjs'),
      },
    });
    expect(code).toBe(1);
    expect(about(findings, 'server gone')).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('no-such-program-anywhere'),
    });
    expect(about(findings, 'server dead')).toMatchObject({ state: 'problem', text: expect.stringContaining('no licence found') });
    expect(about(findings, 'server off')).toMatchObject({ state: 'note' });
    expect(about(findings, 'server moody')).toMatchObject({ state: 'ok' });
  });

  it('says what is wrong with the configuration and where, and leaves it alone', async () => {
    const { code, findings, config } = await doctor('{"version": 1,');
    expect(code).toBe(1);
    expect(about(findings, 'configuration')).toMatchObject({
      state: 'problem',
      text: expect.stringMatching(/at line 1, column \d+/),
    });
    expect(await readFile(config, 'utf8')).toBe('{"version": 1,');
    expect(await readdir(path.dirname(config))).not.toContainEqual(expect.stringContaining('broken'));
  });

  it('reports a broken configuration that was set aside, what was wrong with it and what to do', async () => {
    const file = await workspace.file('kept-aside/config.json', '{"version": 1,\n "folders": [}');
    const directory = path.dirname(file);
    const env = { FILEBRIDGE_CONFIG: file, FILEBRIDGE_DATA: workspace.at('kept-aside', 'data'), HOME: directory };
    await runCli(['serve', '--stdio'], { env });
    const [name = ''] = (await readdir(directory)).filter((each) => each.includes('broken'));
    const aside = path.join(directory, name);
    const findings = async () => {
      const { stdout } = await runCli(['doctor', '--json'], { env });
      const all = (JSON.parse(stdout.toString()) as { findings: Finding[] }).findings;
      return all.filter(({ subject }) => subject === 'configuration');
    };
    const told = (end: string) => expect.stringMatching(new RegExp(`is kept as .*${name}: ${end}`));
    expect(await findings()).toEqual([
      { state: 'problem', subject: 'configuration', text: told(`.*at line 2.*Correct it and move it to ${file}$`) },
    ]);
    await writeFile(aside, '{"version": 1}');
    expect(await findings()).toMatchObject([{ state: 'problem', text: told(`It is valid now: move it to ${file}$`) }]);
    await writeFile(file, '{"version": 1}');
    expect(await findings()).toMatchObject([
      { state: 'ok', text: file },
      { state: 'note', text: told('.* or delete it$') },
    ]);
    await rename(aside, file);
    expect(await findings()).toEqual([{ state: 'ok', subject: 'configuration', text: file }]);
  });

  it('says that the configuration is from a newer version', async () => {
    const { code, findings, stderr } = await doctor('{"version": 99}');
    expect(code).toBe(1);
    expect(stderr + (about(findings, 'configuration')?.text ?? '')).toMatch(/newer/);
  });

  it('says that the port is taken', async () => {
    const { createServer } = await import('node:net');
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const { code, findings } = await doctor({
        folders: [{ path: workspace.root }],
        upstreams: { moody: fixtureUpstream('moody.mjs') },
        server: { port },
      });
      expect(code).toBe(1);
      expect(about(findings, `port ${port}`)).toMatchObject({ state: 'problem', text: expect.stringContaining('taken') });
    } finally {
      server.close();
    }
  });

  it('leaves no server running', async () => {
    const pids = workspace.at('pids-doctor');
    await doctor({ upstreams: { moody: fixtureUpstream('moody.mjs', { env: { PID_FILE: pids } }) } });
    for (const each of (await readFile(pids, 'utf8')).trim().split('\n'))
      await until(async () => !(await isRunning(Number(each))));
  });
});

describe('secrets in the environment', () => {
  it('a reference to a variable that is not set is said, by its name', async () => {
    const session = await openSession(workspace, {
      upstreams: { moody: fixtureUpstream('moody.mjs', { env: { KEY: reference('NO_SUCH_VARIABLE_HERE') } }) },
    });
    try {
      const answer = await session.call('call_tool', { server: 'moody', tool_name: 'pid' });
      expect(`${answer.text}${session.stderr()}`).toContain('NO_SUCH_VARIABLE_HERE');
    } finally {
      await session.close();
    }
    expect([...(await readAllUnder(session.dataDirectory)).keys()].length).toBeGreaterThan(0);
  });
});

// The file under test has to be there: without it every test above would fail for the same dull reason.
it('the built program is there', async () => {
  expect(await exists(cliFile)).toBe(true);
});
