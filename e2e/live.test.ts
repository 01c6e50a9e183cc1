/** What travels while a call runs: progress, cancellation, questions, log lines and changed lists, through to either end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Diary, diaryAt } from './support/diary.ts';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds } from './support/mcp-clients.ts';
import { until } from './support/session.ts';
import { fixtureServer } from './support/upstreams.ts';

describe.each(transports)('over %s', (transport) => {
  let notes: Workspace;
  let diary: Diary;
  let filebridge: Filebridge;

  beforeEach(async () => {
    notes = await openWorkspace();
    diary = diaryAt(notes.at('diary.jsonl'));
    filebridge = await startFilebridge(transport, {
      upstreams: { witness: fixtureServer('witness.mjs', [notes.at('diary.jsonl')]) },
    });
  });
  afterEach(async () => {
    await filebridge.stop();
    await notes.remove();
  });

  const calling = (tool_name: string, tool_args: Record<string, unknown> = {}) => ({
    server: 'witness',
    tool_name,
    tool_args,
    output_format: 'string',
  });

  it.each(clientKinds)('progress reaches the SDK %s', async (kind) => {
    const client = await filebridge.connect(kind);
    const reported: unknown[] = [];
    const answer = await client.call('call_tool', calling('slow', { steps: 3 }), {
      onprogress: (progress) => reported.push(progress),
    });
    expect(answer.text).toBe('slow and steady');
    expect(reported).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
  });

  it.each(clientKinds)('the upstream sees when the SDK %s cancels', async (kind) => {
    const client = await filebridge.connect(kind);
    const abort = new AbortController();
    const call = client.call('call_tool', calling('slow'), { signal: abort.signal });
    const ended = expect(call).rejects.toThrow();
    await diary.waitFor('slow', 'started');
    abort.abort(new Error('enough'));
    await ended;
    await diary.waitFor('slow', 'cancelled');
    // And the connection is good for more.
    expect((await client.call('call_tool', calling('slow', { steps: 1 }))).text).toBe('slow and steady');
  });

  it.each(clientKinds)('a question of the upstream is answered by the SDK %s', async (kind) => {
    const asked: unknown[] = [];
    const client = await filebridge.connect(kind, {
      onQuestion: (params) => {
        asked.push(params.message);
        return { colour: 'green' };
      },
    });
    const answer = await client.call('call_tool', calling('ask'));
    expect(answer.isError, answer.text).toBe(false);
    expect(JSON.parse(answer.text)).toEqual({ action: 'accept', content: { colour: 'green' } });
    expect(asked).toEqual(['Which colour?']);
  });

  it.each(clientKinds)('a question nobody can be asked is declined for the SDK %s', async (kind) => {
    const client = await filebridge.connect(kind);
    const answer = await client.call('call_tool', calling('ask'));
    expect(answer.isError ? answer.text : JSON.parse(answer.text).action).toMatch(/decline|elicitation/);
  });

  it.each(clientKinds.slice(0, 2))('log lines reach the SDK %s', async (kind) => {
    const lines: unknown[] = [];
    const client = await filebridge.connect(kind, { onLog: (data) => lines.push(data) });
    await client.request('logging/setLevel', { level: 'info' });
    await client.call('call_tool', calling('log'));
    await until(() => lines.includes('low on ink'));
    expect(lines).toEqual(['low on ink']);
  });

  it.each(clientKinds)('a tool the upstream has grown can be called at once by the SDK %s', async (kind) => {
    const client = await filebridge.connect(kind);
    const listed = async () =>
      (await client.call('list_upstream_tools', { server: 'witness', query: 'grown', detail: 'names' })).json().servers;
    expect(await listed()).toEqual([{ server: 'witness', tools: [] }]);
    await client.call('call_tool', calling('grow'));
    await until(async () => JSON.stringify(await listed()).includes('grown'));
    expect((await client.call('call_tool', calling('grown'))).text).toBe('I am new');
  });

  it.each(clientKinds)('a stored answer is announced to the SDK %s', async (kind) => {
    let changes = 0;
    const client = await filebridge.connect(kind, {
      onResourcesChanged: () => {
        changes += 1;
      },
    });
    await client.call('call_tool_and_store', { server: 'witness', tool_name: 'people', storage_path: filebridge.at('.') });
    await until(() => changes > 0);
    expect((await client.request('resources/list')).resources).toHaveLength(1);
  });
});
