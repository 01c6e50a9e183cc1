/** What hints and errors tell an agent to send fits the schema that it was given. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, it } from 'vitest';
import { formats } from '../../shared/model/formats.ts';
import { stdioEndpoint } from './fixtures/endpoints.ts';
import { memoryCallService } from './fixtures/memory-call-service.ts';
import type { PublishedTool } from './tool-source.ts';

let tools: PublishedTool[];
beforeAll(async () => {
  const endpoint = stdioEndpoint(memoryCallService());
  const host = await endpoint.connect('v1 SDK, 2025');
  ({ tools } = (await host.request('tools/list')) as { tools: PublishedTool[] });
  await endpoint.close();
});

const base = { server: 's', tool_name: 't', path: '/a' };
it.each([
  ['a file of an archive', { entry: 'data/a.csv' }],
  ['a kind of archive', { format: 'zip' }],
  ...formats.map((format): [string, object] => [`the format ${format}`, { format }]),
  ['the rest of a receipt', { batch: { ranges: [[2, 6]] } }],
  ['single records of a receipt', { batch: { each: true, ranges: [[2, 2]] } }],
  ['a receipt', { batch: { resume: '3f2a91c0', resend_unknown: true } }],
  ['text of a table', { as: 'csv' }],
  ['records without an empty cell', { transform: { where: [{ column: 'a', op: 'not_null' }] } }],
  ['empty texts', { types: { email: 'string' } }],
  ['a table without a header', { header: false }],
  ['all rows of a sheet', { skip: 0 }],
  ['a query', { query: 'SELECT 1' }],
])('%s', (_, given) => {
  const [fileCall] = tools;
  const validate = new Ajv2020({ strict: false }).compile(fileCall?.inputSchema as object);
  expect(validate({ ...base, ...given }), JSON.stringify(validate.errors)).toBe(true);
});
