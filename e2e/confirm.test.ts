/** Calls that need approval by the client's user: what they are asked, and what each answer does to the call. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds, type McpClient } from './support/mcp-clients.ts';
import { filesystem } from './support/upstreams.ts';

describe.each(transports)('over %s', (transport) => {
  describe.each(clientKinds)('with the SDK %s', (kind) => {
    let elsewhere: Workspace;
    let filebridge: Filebridge;
    let client: McpClient;
    let asked: string[] = [];
    let consent = true;

    beforeAll(async () => {
      elsewhere = await openWorkspace();
      await elsewhere.file('there.txt', 'read me');
      filebridge = await startFilebridge(transport, { upstreams: { fs: { ...filesystem(elsewhere.root), confirm: 'writes' } } });
      await filebridge.file('names.csv', 'name\nAda\nBo\n');
      client = await filebridge.connect(kind, {
        onQuestion: ({ message }) => {
          asked.push(String(message));
          return { confirm: consent };
        },
      });
    });
    afterAll(async () => {
      await filebridge?.stop();
      await elsewhere.remove();
    });
    beforeEach(() => {
      asked = [];
    });

    const write = (by: McpClient, name: string) =>
      by.call('call_tool_with_file_content', {
        server: 'fs',
        tool_name: 'write_file',
        path: filebridge.at('names.csv'),
        as: 'text',
        data_key: 'content',
        tool_args: { path: elsewhere.at(name) },
      });

    it('a tool that only reads is called without a question', async () => {
      const answer = await client.call('call_tool', {
        server: 'fs',
        tool_name: 'read_text_file',
        tool_args: { path: elsewhere.at('there.txt') },
        output_format: 'string',
      });
      expect(answer).toMatchObject({ isError: false, text: 'read me' });
      expect(asked).toEqual([]);
    });

    it('a tool that writes is called when the user agrees, who is shown where to and what', async () => {
      consent = true;
      const answer = await write(client, 'agreed.csv');
      expect(answer.isError, answer.text).toBe(false);
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain('fs:write_file');
      expect(asked[0]).toContain(filebridge.at('names.csv'));
      expect(asked[0]).toContain('Ada');
      expect(await readFile(elsewhere.at('agreed.csv'), 'utf8')).toBe('name\nAda\nBo\n');
    });

    it('the user is shown every argument in full, with what cannot be seen in it, or the call is refused', async () => {
      consent = false;
      const create = (content: string) =>
        client.call('call_tool', {
          server: 'fs',
          tool_name: 'write_file',
          tool_args: { path: elsewhere.at('typed.txt'), content },
        });
      // From 16 KB on, arguments over stdio pass by unparsed.
      for (const length of [10, 18_000]) {
        expect((await create(`${'x'.repeat(length)}\u202EDROP\u200B`)).isError).toBe(true);
        expect(asked.pop()).toContain(`${'x'.repeat(length)}⟨U+202E⟩DROP⟨U+200B⟩`);
      }
      const long = await create(`${'x'.repeat(40_000)}DROP`);
      expect(long.json()).toMatchObject({
        code: 'CONFIRMATION_REFUSED',
        hint: expect.stringContaining('open the Filebridge window'),
      });
      expect(asked).toEqual([]);
      await expect(readFile(elsewhere.at('typed.txt'))).rejects.toThrow('ENOENT');
    });

    it('and not when the user refuses, or cannot be asked', async () => {
      consent = false;
      const refused = await write(client, 'refused.csv');
      expect(refused.isError).toBe(true);
      expect(refused.json()).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
      const mute = await filebridge.connect(kind);
      const unasked = await write(mute, 'unasked.csv');
      expect(unasked.isError).toBe(true);
      expect(unasked.json()).toMatchObject({ code: 'CONFIRMATION_REFUSED', hint: expect.stringContaining('Filebridge app') });
      for (const name of ['refused.csv', 'unasked.csv']) await expect(readFile(elsewhere.at(name))).rejects.toThrow('ENOENT');
    });
  });
});
