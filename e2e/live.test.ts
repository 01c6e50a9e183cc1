/** What travels while a call runs: progress, cancellation, questions, log lines and changed lists, through to either end. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../shared/lib/fixtures/waiting.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Diary, diaryAt } from './support/diary.ts';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds, type JsonObject, type McpClient } from './support/mcp-clients.ts';
import { fixtureServer } from './support/upstreams.ts';

describe.each(transports)('over %s', (transport) => {
  describe.each(clientKinds)('with the SDK %s', (kind) => {
    let notes: Workspace;
    let diary: Diary;
    let filebridge: Filebridge;
    let client: McpClient;
    const asked: unknown[] = [];
    const lines: unknown[] = [];
    let changes = 0;

    beforeAll(async () => {
      notes = await openWorkspace();
      diary = diaryAt(notes.at('diary.jsonl'));
      filebridge = await startFilebridge(transport, {
        upstreams: { witness: fixtureServer('witness.mjs', [notes.at('diary.jsonl')]) },
      });
      client = await filebridge.connect(kind, {
        onQuestion: (params) => {
          asked.push(params.message);
          return { colour: 'green' };
        },
        onLog: (data) => lines.push(data),
        onResourcesChanged: () => {
          changes += 1;
        },
      });
    });
    afterAll(async () => {
      await filebridge?.stop();
      await notes.remove();
    });

    const calling = (tool_name: string, tool_args: JsonObject = {}) => ({
      server: 'witness',
      tool_name,
      tool_args,
      output_format: 'string',
    });

    // A client stops listening when the answer is there, so the answer waits until all has been heard.
    it('progress reaches the client', async () => {
      const reported: unknown[] = [];
      const heard = notes.at('heard');
      const answer = await client.call('call_tool', calling('slow', { steps: 3, until: heard }), {
        onprogress: (progress) => {
          reported.push(progress);
          if (reported.length === 3) writeFileSync(heard, '');
        },
      });
      expect(answer.text).toBe('slow and steady');
      expect(reported).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
    });

    it('the upstream sees that the client cancels', async () => {
      const abort = new AbortController();
      const call = client.call('call_tool', calling('slow', { label: 'endless' }), { signal: abort.signal });
      const ended = expect(call).rejects.toThrow();
      await diary.waitFor({ slow: 'started', label: 'endless' });
      abort.abort(new Error('enough'));
      await ended;
      await diary.waitFor({ slow: 'cancelled', label: 'endless' });
      // And the connection is good for more.
      expect((await client.call('call_tool', calling('slow', { steps: 1 }))).text).toBe('slow and steady');
    });

    it('a question of the upstream is answered by the client', async () => {
      const answer = await client.call('call_tool', calling('ask'));
      expect(answer.isError, answer.text).toBe(false);
      expect(JSON.parse(answer.text)).toEqual({ action: 'accept', content: { colour: 'green' } });
      expect(asked).toEqual(['Which colour?']);
    });

    it('a question nobody can be asked is declined', async () => {
      const mute = await filebridge.connect(kind);
      const answer = await mute.call('call_tool', calling('ask'));
      expect(answer.isError, answer.text).toBe(false);
      expect(JSON.parse(answer.text)).toEqual({ action: 'decline' });
    });

    // Revision 2026-07-28 has no logging/setLevel: lines are asked for with each request.
    it('log lines reach the client', async () => {
      if (kind === 'v2 negotiating') {
        const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
        await client.request('tools/call', { name: 'call_tool', arguments: calling('log'), _meta });
      } else {
        await client.request('logging/setLevel', { level: 'info' });
        await client.call('call_tool', calling('log'));
      }
      await until(() => lines.length > 0);
      expect(lines).toEqual(['low on ink']);
    });

    it('a tool the upstream has grown can be called', async () => {
      const listed = async () =>
        (await client.call('list_upstream_tools', { server: 'witness', query: 'grown', detail: 'names' })).json().servers;
      expect(await listed()).toEqual([{ server: 'witness', tools: [] }]);
      await client.call('call_tool', calling('grow'));
      await until(async () => JSON.stringify(await listed()).includes('grown'));
      expect((await client.call('call_tool', calling('grown'))).text).toBe('I am new');
    });

    it('a stored answer is announced', async () => {
      await client.call('call_tool_and_store', { server: 'witness', tool_name: 'people', storage_path: filebridge.at('.') });
      await until(() => changes > 0);
      expect((await client.request('resources/list')).resources).toHaveLength(1);
    });
  });
});
