import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../shared/lib/fixtures/eventually.ts';
import type { RunningCall } from '../../../shared/model/call.ts';
import { type Agent, connectAgent, type Era, eras } from '../fixtures/agents.ts';
import { type RunningApi, startApi } from '../fixtures/api.ts';

const plainServer = fileURLToPath(new URL('../../upstream/fixtures/plain-server.mjs', import.meta.url));
const db = { type: 'stdio', command: process.execPath, args: [plainServer] };
const RECORDS = 12;
const MANY = 800;

let running: RunningApi;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(): Promise<RunningApi> {
  running = await startApi({
    config: (root) => {
      const files = path.join(root, 'files');
      mkdirSync(files);
      writeFileSync(path.join(files, 'many.csv'), `id\n${Array.from({ length: MANY }, (_, id) => id).join('\n')}\n`);
      writeFileSync(path.join(files, 'ids.csv'), `id\n${Array.from({ length: RECORDS }, (_, id) => id).join('\n')}\n`);
      return {
        folders: [{ path: files }],
        upstreams: { db, narrow: { ...db, maxMessageBytes: 4096 }, shy: { ...db, confirm: 'always' } },
      };
    },
  });
  ends.push(running.close);
  return running;
}

async function connect(era: Era = '2025'): Promise<Agent> {
  const agent = await connectAgent(running.services, era);
  ends.push(() => agent.close());
  return agent;
}

const now = () => running.ask('calls.running', {});
const stopped = () => running.ask('calls.stopped', {});
/** The one call that runs, once `like` is true of it. */
async function theCall(like: (call: RunningCall) => boolean = () => true): Promise<RunningCall> {
  await eventually(async () => expect((await now()).filter(like)).toHaveLength(1));
  return (await now()).filter(like)[0] as RunningCall;
}
const cancelledAtServer = async (agent: Agent): Promise<unknown[]> => {
  const { text } = await agent.call('call_tool', { server: 'db', tool_name: 'cancelled', output_format: 'string' });
  return JSON.parse(text) as unknown[];
};
const batches = (more: object = {}) => ({
  server: 'db',
  tool_name: 'slow',
  tool_args: { steps: 1, every: 150 },
  path: path.join(running.root, 'files', 'ids.csv'),
  data_key: 'records',
  batch: { size: 1 },
  output_format: 'string',
  ...more,
});

describe.each(eras)('a running call of an agent of %s', (era) => {
  it('is shown with agent, server, tool and progress, and gone when it is over', async () => {
    const { heard } = await open();
    const agent = await connect(era);
    const slow = { server: 'db', tool_name: 'slow', tool_args: { steps: 3, every: 300 }, output_format: 'string' };
    const answered = agent.call('call_tool', slow, { onprogress: () => undefined });
    expect(await theCall(({ steps }) => steps !== null)).toMatchObject({
      kind: 'call',
      client: `host-of-${era}`,
      server: 'db',
      tool: 'slow',
      needsApproval: false,
      background: false,
      progress: null,
      steps: { total: 3, message: expect.stringMatching(/^step \d$/) },
      cancelling: false,
    });
    expect((await answered).isError).toBe(false);
    const told = heard('calls.changed').length;
    expect(told).toBeGreaterThan(1);
    expect(await now()).toEqual([]);
  });

  it('ends when a person cancels it: the server is told, and so is the agent', async () => {
    const { ask } = await open();
    const agent = await connect(era);
    // Before it has started, nothing would be sent that could be cancelled.
    expect(await cancelledAtServer(agent)).toEqual([]);
    const answered = agent.call('call_tool', { server: 'db', tool_name: 'never' });
    const { id } = await theCall();
    await ask('calls.cancel', { id });
    expect(await answered).toMatchObject({ isError: true, text: expect.stringContaining('The user cancelled this call') });
    await eventually(async () => expect(await cancelledAtServer(agent)).toHaveLength(1));
    const { entries } = await ask('ledger.find', { filter: { text: 'never' }, offset: 0, limit: 1 });
    expect(entries).toMatchObject([{ id, outcome: 'cancelled', errorCode: 'CANCELLED' }]);
  });

  it('says that it waits for approval, and can be cancelled meanwhile', async () => {
    const { ask } = await open();
    const agent = await connect(era);
    const answered = agent.call('call_tool', { server: 'shy', tool_name: 'echo' });
    const { id } = await theCall(({ needsApproval }) => needsApproval);
    await ask('calls.cancel', { id });
    expect((await answered).isError).toBe(true);
    await eventually(async () => expect(await ask('approvals.list', {})).toEqual([]));
  });
});

describe('a file that the person sends', () => {
  const toolArgs = JSON.stringify({ steps: 1, every: 400 });
  const inBatches = (path: string) => ({ path, options: {}, server: 'narrow', tool: 'slow', dataKey: 'records', toolArgs });

  it('is among the running calls, and ends when they cancel it', async () => {
    const { ask } = await open();
    const path = `${running.root}/files/ids.csv`;
    const sent = ask('preview.send', { path, options: {}, server: 'db', tool: 'never', dataKey: 'records' });
    const call = await theCall();
    expect(call).toMatchObject({ kind: 'file_call', client: 'Filebridge app', server: 'db', tool: 'never', paths: [path] });
    await ask('calls.cancel', { id: call.id });
    expect(await sent).toMatchObject({ ok: false, entryId: call.id, error: { code: 'CANCELLED' } });
    const { entries } = await ask('ledger.find', { filter: { text: 'never' }, offset: 0, limit: 1 });
    expect(entries).toMatchObject([{ id: call.id, outcome: 'cancelled', errorCode: 'CANCELLED' }]);
    expect(await now()).toEqual([]);
  });

  it('can be gone on with where it was cancelled half-way', async () => {
    const { ask } = await open();
    // Where no agent may read.
    const path = `${running.root}/own.csv`;
    renameSync(`${running.root}/files/many.csv`, path);
    const sent = ask('preview.send', inBatches(path));
    const { id } = await theCall(({ progress }) => (progress?.accepted ?? 0) > 0);
    await ask('calls.cancel', { id });
    expect(await sent).toMatchObject({ ok: false, entryId: id });
    const [left] = await stopped();
    const { receipt = '', accepted = 0, unknown = 0 } = left ?? {};
    expect(left).toMatchObject({ entry: id, client: 'Filebridge app', server: 'narrow', tool: 'slow', total: MANY });
    expect(accepted + (left?.left ?? 0) + unknown).toBe(MANY);

    expect(await ask('calls.outcomes', { id: receipt })).toMatchObject({ accepted, unknown });

    // Twice, as by a double click: the records go once.
    await Promise.all([ask('calls.resume', { id: receipt }), ask('calls.resume', { id: receipt })]);
    expect(await theCall()).toMatchObject({ client: 'Filebridge app', tool: 'slow', paths: [path] });
    await eventually(async () => expect([...(await now()), ...(await stopped())]).toEqual([]));
    const outcomes = async () => (await ask('ledger.recent', { limit: 9 })).map(({ outcome }) => outcome);
    await eventually(async () => expect((await outcomes()).sort()).toEqual(['cancelled', 'failed', 'ok']));
    expect(await ask('calls.outcomes', { id: receipt })).toEqual({ accepted: MANY - unknown, refused: 0, notSent: 0, unknown });
    expect(await ask('calls.outcomes', { id: 'none' })).toBeNull();
    await expect(ask('calls.resume', { id: receipt })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('says why it cannot be gone on with', async () => {
    const { ask } = await open();
    const path = `${running.root}/files/many.csv`;
    const sent = ask('preview.send', inBatches(path));
    await ask('calls.cancel', { id: (await theCall(({ progress }) => (progress?.accepted ?? 0) > 0)).id });
    await sent;
    const [left] = await stopped();
    rmSync(path);
    await expect(ask('calls.resume', { id: left?.receipt ?? '' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await stopped()).toHaveLength(1);
  });
});

describe('a running call in batches', () => {
  it('shows its file and what is accepted so far; cancelled, it can be resumed for the rest', async () => {
    const { ask } = await open();
    const agent = await connect();
    const answered = agent.call('call_tool_with_file_content', batches());
    const seen = await theCall(({ progress }) => (progress?.accepted ?? 0) > 1);
    expect(seen).toMatchObject({
      kind: 'file_call',
      paths: [path.join(running.root, 'files', 'ids.csv')],
      progress: { total: RECORDS },
    });
    await ask('calls.cancel', { id: seen.id });
    expect(await answered).toMatchObject({ isError: true, text: expect.stringContaining('The user cancelled this call') });
    const [left] = await stopped();
    expect(left).toMatchObject({ entry: seen.id, client: 'host-of-2025', server: 'db', tool: 'slow', total: RECORDS });
    const { receipt = '', accepted = 0, unknown = 0 } = left ?? {};
    expect(accepted).toBeGreaterThan(1);
    expect(accepted + (left?.left ?? 0) + unknown).toBe(RECORDS);

    await ask('calls.resume', { id: receipt });
    expect(await theCall()).toMatchObject({ background: true, tool: 'slow' });
    await eventually(async () => expect([...(await now()), ...(await stopped())]).toEqual([]));
    // The list is cleared a moment before the job has its answer.
    await eventually(async () =>
      expect((await agent.call('job_status', { job_id: receipt })).text).toContain(
        `${RECORDS - unknown} of ${RECORDS} records accepted`,
      ),
    );
    await expect(ask('calls.resume', { id: receipt })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is taken off the list by a person who does not want to go on', async () => {
    const { ask } = await open();
    const agent = await connect();
    const answered = agent.call('call_tool_with_file_content', batches());
    await ask('calls.cancel', { id: (await theCall(({ progress }) => progress !== null)).id });
    await answered;
    const [left] = await stopped();
    await ask('calls.dismiss', { id: left?.receipt ?? '' });
    expect(await stopped()).toEqual([]);
    await expect(ask('calls.resume', { id: left?.receipt ?? '' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is cancelled as a job where it runs in the background', async () => {
    const { ask } = await open();
    const agent = await connect();
    const started = await agent.call('call_tool_with_file_content', batches({ background: true }));
    const { job_id } = JSON.parse(started.text) as { job_id: string };
    const { id } = await theCall(({ background, progress }) => background && progress !== null);
    await ask('calls.cancel', { id });
    await eventually(async () => expect((await agent.call('job_status', { job_id })).text).toContain('"cancelled"'));
  });
});
