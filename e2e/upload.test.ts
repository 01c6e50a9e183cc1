/** A 67 KB binary file goes into a tool by its path, byte for byte, for the price of a sentence. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Filebridge, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds } from './support/mcp-clients.ts';
import { fixtureServer } from './support/upstreams.ts';

describe.each(transports)('a 67 KB upload over %s', (transport) => {
  let drop: Workspace;
  let filebridge: Filebridge;

  beforeAll(async () => {
    drop = await openWorkspace();
    await mkdir(drop.at('kept'));
    filebridge = await startFilebridge(transport, { upstreams: { store: fixtureServer('uploads.mjs', [drop.at('kept')]) } });
  });
  afterAll(async () => {
    await filebridge?.stop();
    await drop.remove();
  });

  it.each(clientKinds)('arrives byte for byte, asked for by the SDK %s', async (kind) => {
    const bytes = randomBytes(67 * 1024);
    const name = `scan-${clientKinds.indexOf(kind)}.bin`;
    const file = await filebridge.file(name, bytes);
    const call = {
      name: 'call_tool_with_file_content',
      arguments: {
        server: 'store',
        tool_name: 'upload_files',
        path: file,
        as: 'base64',
        data_key: 'files[0].content',
        tool_args: { files: [{ name }] },
      },
    };
    // What the model has to write; as base64 in the arguments the file alone would be about 90,000 characters.
    expect(countTokens(JSON.stringify(call))).toBeLessThan(150);

    const client = await filebridge.connect(kind);
    const answer = await client.call(call.name, call.arguments);
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toContain('1 kept');
    const kept = await readFile(drop.at('kept', name));
    expect(kept.equals(bytes)).toBe(true);

    // The receipt names the file by its hash.
    const receipt = await client.call(call.name, { ...call.arguments, output_format: 'structured' });
    expect(receipt.json()).toMatchObject({ receipt: { sha256: createHash('sha256').update(bytes).digest('hex') } });
  });
});
