/** The log of calls, seen from outside: what it records, that it adds up, and what it never holds. */
import { mkdir, readdir } from 'node:fs/promises';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../shared/lib/fixtures/eventually.ts';
import { MOST_SAVED } from '../shared/model/call.ts';
import { openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { fixtureUpstream, openSession, readAllUnder, reference, type Session } from './support/session.ts';
import { type LedgerLine, viewLedger } from './support/totals.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(() => workspace.remove());

const upstreams = {
  moody: fixtureUpstream('moody.mjs'),
  mute: fixtureUpstream('moody.mjs', { timeoutMs: 1000 }),
  echo: fixtureUpstream('echo-arguments.mjs'),
};

describe('every call is recorded', () => {
  const small = 'id,name\n1,Ann\n2,Bob\n3,Cid\n';
  const lines = new Map<string, LedgerLine>();
  let session: Session;
  let smallFile: string;
  let bigFile: string;
  let payload: string;

  beforeAll(async () => {
    smallFile = await workspace.file('files/small.csv', small);
    bigFile = await workspace.file(
      'files/big.csv',
      `id,name,city\n${Array.from({ length: 40_000 }, (_, i) => `${i},person number ${i * 7919},${['Berlin', 'Rome', 'Lima'][i % 3]}\n`).join('')}`,
    );
    await mkdir(workspace.at('answers'));
    payload = (await runCli(['convert', smallFile])).stdout.toString('utf8');
    session = await openSession(workspace, {
      folders: [{ path: workspace.at('files') }, { path: workspace.at('answers'), access: 'read-write' }],
      upstreams,
    });
    const seen = new Set<string>();
    /** Makes a call and notes the one line it leaves under a name. */
    const record = async (name: string, call: Promise<unknown>) => {
      await call;
      const added = async () => (await readLedger(session.dataDirectory)).filter((line) => !seen.has(line.id));
      // Lines are written together, soon after the answer.
      await eventually(async () => expect(await added(), name).toHaveLength(1));
      const left = await added();
      const [line] = left as [LedgerLine];
      seen.add(line.id);
      lines.set(name, line);
    };
    const file = { server: 'moody', tool_name: 'count', path: smallFile, data_key: 'records' };
    await record('a file', session.send(file));
    await record('a big file', session.send({ ...file, path: bigFile }));
    await record('batches', session.send({ ...file, batch: { size: 2 } }));
    await record('two files', session.send({ ...file, path: [smallFile, smallFile] }));
    await record('a plain call', session.call('call_tool', { server: 'moody', tool_name: 'pid' }));
    await record(
      'a stored answer',
      session.call('call_tool_and_store', {
        server: 'moody',
        tool_name: 'big',
        tool_args: { bytes: 50_000 },
        storage_path: workspace.at('answers'),
        filename: 'big.txt',
      }),
    );
    await record('a preview', session.call('preview_file', { path: smallFile }));
    await record('a dry run', session.send({ ...file, dry_run: true }));
    await record('a refused file', session.send({ ...file, path: '/etc/passwd' }));
    await record("a tool's own error", session.send({ ...file, server: 'echo', tool_name: 'picky' }));
    await record('a timeout', session.call('call_tool', { server: 'mute', tool_name: 'silent' }));
    await record('a server nobody knows', session.call('call_tool', { server: 'nobody', tool_name: 'x' }));
    const abort = new AbortController();
    const cancelled = session
      .call('call_tool', { server: 'moody', tool_name: 'silent' }, { signal: abort.signal })
      .catch(() => undefined);
    setTimeout(() => abort.abort(), 200);
    await cancelled;
    await session.close();
    const last = (await readLedger(session.dataDirectory)).filter((line) => !seen.has(line.id));
    if (last[0]) lines.set('a cancelled call', last[0]);
  });

  it.each<[string, Partial<Record<keyof LedgerLine, unknown>>]>([
    [
      'a file',
      {
        kind: 'file_call',
        server: 'moody',
        tool: 'count',
        records: 3,
        calls: 1,
        outcome: 'ok',
        errorCode: null,
        inputBytes: small.length,
      },
    ],
    ['a big file', { kind: 'file_call', records: 40_000, calls: 1, outcome: 'ok' }],
    ['batches', { kind: 'file_call', records: 3, calls: 2, outcome: 'ok' }],
    ['two files', { kind: 'file_call', records: 6, calls: 1, outcome: 'ok', inputBytes: 2 * small.length }],
    ['a plain call', { kind: 'call', server: 'moody', tool: 'pid', paths: [], records: 0, calls: 1, outcome: 'ok' }],
    ['a stored answer', { kind: 'call_and_store', server: 'moody', tool: 'big', calls: 1, outcome: 'ok' }],
    ['a preview', { kind: 'preview', server: null, tool: null, records: 3, calls: 0, outcome: 'ok', inputBytes: small.length }],
    ['a dry run', { kind: 'file_call', calls: 0, sentBytes: 0, outcome: 'ok' }],
    ['a refused file', { kind: 'file_call', calls: 0, outcome: 'blocked', errorCode: 'FILE_OUTSIDE_FOLDERS' }],
    ["a tool's own error", { kind: 'file_call', server: 'echo', tool: 'picky', calls: 1, outcome: 'tool_error' }],
    ['a timeout', { kind: 'call', outcome: 'unknown', errorCode: 'UPSTREAM_TIMEOUT' }],
    ['a server nobody knows', { kind: 'call', server: 'nobody', outcome: 'failed', errorCode: 'UPSTREAM_UNKNOWN' }],
    ['a cancelled call', { kind: 'call', outcome: 'cancelled' }],
  ])('%s', (name, expected) => {
    const line = lines.get(name);
    expect(line).toMatchObject({ client: 'auditor', ...expected });
    expect(Date.parse(line?.time ?? '')).toBeGreaterThan(Date.parse('2020-01-01'));
    expect(line?.durationMs).toBeGreaterThanOrEqual(name === 'a timeout' ? 900 : 0);
  });

  it('with the paths', () => {
    expect(lines.get('a file')?.paths).toEqual([smallFile]);
    expect(lines.get('two files')?.paths).toEqual([smallFile, smallFile]);
    expect(lines.get('a preview')?.paths).toEqual([smallFile]);
    expect(lines.get('a stored answer')?.storedPath).toBe(workspace.at('answers', 'big.txt'));
  });

  it('with the bytes that were sent', () => {
    expect(lines.get('a file')?.sentBytes).toBe(`{"records":${payload}}`.length);
  });

  it('with the tokens of a small payload, every one of them counted', () => {
    expect(lines.get('a file')?.savings.arguments).toEqual({ count: countTokens(payload), method: 'measured' });
    expect(lines.get('two files')?.savings.arguments).toEqual({ count: 2 * countTokens(payload), method: 'measured' });
  });

  it('with the tokens of a big payload, estimated and near the truth', async () => {
    const converted = (await runCli(['convert', bigFile])).stdout.toString('utf8');
    const told = lines.get('a big file')?.savings.arguments;
    const truth = countTokens(converted);
    expect(told?.method).toBe('estimated');
    expect(Math.abs((told?.count ?? 0) / truth - 1)).toBeLessThan(0.05);
  });

  it('with the tokens of an answer that was stored instead of read', () => {
    const answer = lines.get('a stored answer')?.savings.answer;
    expect(answer?.count).toBeGreaterThan(5_000);
    expect(lines.get('a plain call')?.savings).toMatchObject({ arguments: { count: 0 }, answer: { count: 0 } });
  });

  it('nothing is saved by a call that was never made', () => {
    for (const name of ['a refused file', 'a dry run']) expect(lines.get(name)?.savings.arguments.count).toBe(0);
  });

  it('and the totals are the sum of it all', async () => {
    const { totals, recent } = await viewLedger(session);
    const sum = (of: (line: LedgerLine) => number) => [...lines.values()].reduce((total, line) => total + of(line), 0);
    expect(recent).toHaveLength(lines.size);
    expect(totals.all).toMatchObject({
      inputBytes: sum((line) => line.inputBytes),
      sentBytes: sum((line) => line.sentBytes),
      records: sum((line) => line.records),
    });
    const tokens = (method: string) =>
      sum(({ savings }) =>
        [savings.arguments, savings.answer].reduce(
          (n, each) => n + (each.method === method ? Math.min(each.count, MOST_SAVED) : 0),
          0,
        ),
      );
    expect(totals.all.tokensMeasured).toBe(tokens('measured'));
    expect(totals.all.tokensEstimated).toBe(tokens('estimated'));
    expect(totals.today).toEqual(totals.all);
  });
});

/** Lines of the ledger's files, whichever they are. */
async function readLedger(directory: string): Promise<LedgerLine[]> {
  const found: LedgerLine[] = [];
  for (const [file, text] of await readAllUnder(directory)) {
    if (!/ledger.*\.jsonl$/.test(file)) continue;
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      const entry = JSON.parse(line) as Partial<LedgerLine>;
      if (entry.kind !== undefined) found.push(entry as LedgerLine);
    }
  }
  return found;
}

describe('totals survive', () => {
  it('restarts and rotation, and programs side by side', async () => {
    const data = workspace.at('rotating');
    // Two, as the same call at the same time would be refused.
    const files = [await workspace.file('files/one.csv', 'a\n1\n2\n'), await workspace.file('files/two.csv', 'a\n3\n4\n')];
    let configFile: string | undefined;
    const CALLS = 25;
    for (let round = 0; round < 2; round += 1) {
      const options = { data, folders: [{ path: workspace.at('files') }], upstreams, limits: { ledgerCalls: 20 } };
      const first: Session = await openSession(workspace, { ...options, configFile });
      configFile ??= first.configFile;
      const second = await openSession(workspace, { ...options, configFile });
      const calls = [first, second].map(async (session, index) => {
        for (let i = 0; i < CALLS; i += 1) {
          const answer = await session.send({ server: 'moody', tool_name: 'count', path: files[index], data_key: 'records' });
          expect(answer.isError, answer.text).toBe(false);
        }
      });
      await Promise.all(calls);
      await Promise.all([first.close(), second.close()]);
    }
    const logs = (await readdir(data)).filter((name) => /^ledger.*\.jsonl$/.test(name));
    expect(logs.length).toBeGreaterThan(3);
    const { totals, recent } = await viewLedger({ configFile: configFile as string, dataDirectory: data });
    const each = countTokens('[{"a":1},{"a":2}]');
    expect(totals.all).toMatchObject({
      calls: 4 * CALLS,
      failed: 0,
      records: 4 * CALLS * 2,
      inputBytes: 4 * CALLS * 6,
      tokensMeasured: 4 * CALLS * each,
      tokensEstimated: 0,
    });
    expect(recent.length).toBeLessThanOrEqual(4 * CALLS);
    expect(new Set(recent.map((line) => line.id)).size).toBe(recent.length);
  });
});

describe('what the ledger never holds', () => {
  it('payloads, arguments, answers and secrets', async () => {
    const marker = (what: string) => `MARKER-${what}-8f3a`;
    const file = await workspace.file('files/marked.csv', `name\n${marker('cell')}\n`);
    const broken = await workspace.file('files/broken.json', `{"a": ${marker('broken')}}`);
    await mkdir(workspace.at('kept'), { recursive: true });
    const session = await openSession(workspace, {
      folders: [{ path: workspace.at('files') }, { path: workspace.at('kept'), access: 'read-write' }],
      upstreams: {
        moody: fixtureUpstream('moody.mjs', { env: { KEY: reference('SECRET_KEY'), PLAIN: marker('plain') } }),
        echo: fixtureUpstream('echo-arguments.mjs', { env: { KEY: reference('SECRET_KEY') } }),
        web: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          headers: { Authorization: reference('SECRET_KEY'), 'X-Plain': marker('header') },
        },
      },
      env: { SECRET_KEY: marker('secret') },
    });
    const args = { note: marker('argument') };
    await session.send({ server: 'echo', tool_name: 'anything', path: file, data_key: 'records', tool_args: args });
    await session.send({ server: 'echo', tool_name: 'anything', path: file, data_key: 'note', tool_args: args });
    await session.send({ server: 'echo', tool_name: 'strict', path: file, data_key: 'records' });
    await session.send({ server: 'echo', tool_name: 'anything', path: broken, data_key: 'records' });
    await session.call('call_tool', { server: 'moody', tool_name: 'big', tool_args: { bytes: 1000, word: marker('answer') } });
    await session.call('call_tool', { server: 'web', tool_name: 'x', tool_args: args });
    await session.call('call_tool', { server: 'moody', tool_name: marker('tool-argument').slice(0, 3), tool_args: args });
    await session.call('call_tool_and_store', {
      server: 'echo',
      tool_name: 'anything',
      tool_args: args,
      storage_path: workspace.at('kept'),
      filename: 'kept.json',
      description: marker('description'),
    });
    await session.call('preview_file', {
      path: file,
      transform: { where: [{ column: 'name', op: '=', value: marker('where') }] },
    });
    await session.close();
    expect(await readLedger(session.dataDirectory)).toHaveLength(9);
    const everything = [...(await readAllUnder(session.dataDirectory)).entries()]
      .map(([name, text]) => `${name}\n${text}`)
      .join('\n');
    expect(everything).not.toContain('MARKER-');
    expect(session.stderr()).not.toContain('MARKER-');
  });
});
