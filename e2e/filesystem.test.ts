/** Files through the official filesystem server, and its answers into files. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds, type McpClient } from './support/mcp-clients.ts';
import { filesystem } from './support/upstreams.ts';

const records = [
  { id: 1, name: 'Ada', zip: '00501' },
  { id: 2, name: '=1+1', zip: '01234' },
];

describe.each(transports)('the filesystem server behind Filebridge over %s', (transport) => {
  let elsewhere: Workspace;
  let filebridge: Filebridge;

  beforeAll(async () => {
    elsewhere = await openWorkspace();
    await elsewhere.file('records.json', JSON.stringify(records));
    filebridge = await startFilebridge(transport, { upstreams: { fs: filesystem(elsewhere.root) } });
    await mkdir(filebridge.at('answers'));
  });
  afterAll(async () => {
    await filebridge?.stop();
    await elsewhere.remove();
  });

  describe.each(clientKinds)('with the SDK %s', (kind) => {
    let client: McpClient;
    const number = clientKinds.indexOf(kind);
    beforeAll(async () => {
      client = await filebridge.connect(kind);
    });

    it('writes a file there from a file here', async () => {
      const content = '# Grüße\r\n\r\n"quoted", \\ and \u{1F600}\n'.repeat(500);
      const answer = await client.call('call_tool_with_file_content', {
        server: 'fs',
        tool_name: 'write_file',
        path: await filebridge.file(`notes-${number}.md`, content),
        data_key: 'content',
        tool_args: { path: elsewhere.at(`notes-${number}.md`) },
      });
      expect(answer.isError, answer.text).toBe(false);
      expect(await readFile(elsewhere.at(`notes-${number}.md`), 'utf8')).toBe(content);
    });

    it('stores an answer as JSON and as CSV, and serves both as resources', async () => {
      const read = { server: 'fs', tool_name: 'read_text_file', tool_args: { path: elsewhere.at('records.json') } };
      const expected = {
        [`copy-${number}.json`]: { mimeType: 'application/json', text: JSON.stringify(records) },
        [`copy-${number}.csv`]: { mimeType: 'text/csv', text: 'id,name,zip\r\n1,Ada,00501\r\n2,=1+1,01234' },
      };
      for (const [filename, { mimeType, text }] of Object.entries(expected)) {
        const answer = await client.call('call_tool_and_store', {
          ...read,
          storage_path: filebridge.at('answers'),
          filename,
          description: 'A copy of the records',
        });
        expect(answer.isError, answer.text).toBe(false);
        const link = answer.blocks.find(({ type }) => type === 'resource_link') as Record<string, string> | undefined;
        expect(link).toMatchObject({
          name: filename,
          mimeType,
          description: 'A copy of the records',
          size: Buffer.byteLength(text),
        });
        const uri = link?.uri ?? '';
        expect(fileURLToPath(uri)).toBe(path.join(filebridge.at('answers'), filename));
        expect(await readFile(fileURLToPath(uri), 'utf8')).toBe(text);

        const { resources } = await client.request('resources/list');
        expect(resources).toContainEqual(expect.objectContaining({ uri, name: filename, mimeType }));
        const { contents } = await client.request('resources/read', { uri });
        expect(contents).toEqual([{ uri, mimeType, text }]);
      }
    });

    it('refuses a resource outside the folders', async () => {
      const uri = `file://${elsewhere.at('records.json')}`;
      await expect(client.request('resources/read', { uri })).rejects.toThrow(/not within allowed directories|does not exist/);
    });
  });
});
