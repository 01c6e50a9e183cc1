/** Calls of tools that want some arguments in HTTP headers as well, made on a server that compares them. */

import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configSchema } from '../../shared/model/config.ts';
import { inProcess } from '../engine/index.ts';
import { createFileAccess } from '../files/file-access.ts';
import { type HttpFixture, headerServer } from '../upstream/fixtures/http-servers.ts';
import { poolOf, remote } from '../upstream/fixtures/support.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import { type CallService, createCallService } from './service.ts';
import type { FileCallRequest } from './types.ts';

let root: string;
let server: HttpFixture;
let pool: UpstreamPool;
let service: CallService;
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-headers-')));
  server = await headerServer();
  pool = poolOf({ shop: remote('http', server.url) });
  service = createCallService({
    config: () => configSchema.parse({ version: 1 }),
    files: createFileAccess({ folders: () => [{ path: root, access: 'read' }], foldersFrom: () => 'configuration' }),
    converter: inProcess,
    upstreams: pool,
    ledger: { append: async () => undefined },
    responsesDirectory: path.join(root, 'answers'),
    log: () => undefined,
  });
});
afterAll(async () => {
  await service?.close();
  await pool?.close();
  await server?.close();
  await rm(root, { recursive: true, force: true });
});

const caller = { signal: new AbortController().signal, client: 'agent', progress: () => undefined, log: () => undefined };
const common = { server: 'shop', tool_name: 'query', output_format: 'string' as const };

async function withFile(name: string, content: string, request: Partial<FileCallRequest>) {
  await writeFile(path.join(root, name), content);
  const { content: blocks, isError } = await service.callWithFile({ ...common, path: path.join(root, name), ...request }, caller);
  return { isError: isError === true, text: String(blocks?.[0]?.text) };
}

it('come with the arguments of a plain call', async () => {
  const { content, isError } = await service.call({ ...common, tool_args: { region: 'eu', shard: 3 } }, caller);
  expect([isError ?? false, JSON.parse(String(content?.[0]?.text))]).toEqual([false, { region: 'eu', shard: 3 }]);
});

it('come beside a file, in one call and in several', async () => {
  const request = { data_key: 'rows', tool_args: { region: 'Süd', scope: { live: true } } };
  const whole = await withFile('rows.csv', 'n\n1\n2\n3\n', request);
  expect(JSON.parse(whole.text)).toEqual({ ...request.tool_args, rows: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  const batched = await withFile('rows.csv', 'n\n1\n2\n3\n', { ...request, batch: { size: 2 } });
  expect(batched).toMatchObject({ isError: false });
  expect(batched.text).not.toContain('-32020');
});

it('come from a file that is such an argument itself, or has it as a member', async () => {
  const text = await withFile('region.txt', 'Mitte', { data_key: 'region', as: 'text' });
  expect(JSON.parse(text.text)).toEqual({ region: 'Mitte' });
  const members = await withFile('arguments.json', '{"shard": 5, "region": "eu"}', { tool_args: { rows: [] } });
  expect(JSON.parse(members.text)).toEqual({ shard: 5, region: 'eu', rows: [] });
});
