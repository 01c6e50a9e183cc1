import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, headerServer } from './fixtures/http-servers.ts';
import { argumentsOf, poolOf, remote } from './fixtures/support.ts';
import { LONGEST_VALUE, parameterHeaders } from './parameter-headers.ts';
import type { JsonObject, UpstreamPool } from './types.ts';

const inHeader = (type: unknown, header: unknown) => ({ type, 'x-mcp-header': header });
const headers = (properties: JsonObject, args: unknown) =>
  parameterHeaders({ name: 't', inputSchema: { type: 'object', properties } }, async () =>
    Buffer.from(typeof args === 'string' ? args : JSON.stringify(args)),
  );

describe('the headers of a call', () => {
  it('repeat texts, whole numbers and booleans, at any depth of properties', async () => {
    const properties = {
      a: inHeader('string', 'Region'),
      b: { type: 'object', properties: { c: inHeader('integer', 'Shard'), d: inHeader('boolean', 'Live') } },
    };
    const args = ' { "x": [{"a": 1}], "b" : {"d":true, "c": -7 }, "a": "e\\u0075" , "rows": [{"a":"no"}] }';
    expect(await headers(properties, args)).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Shard': '-7',
      'Mcp-Param-Live': 'true',
    });
  });

  it.each([
    ['Grüße', '=?base64?R3LDvMOfZQ==?='],
    ['', '=?base64??='],
    [' eu', '=?base64?IGV1?='],
    ['eu\r\nX-Other: 1', '=?base64?ZXUNClgtT3RoZXI6IDE=?='],
    ['=?base64?ZXU=?=', '=?base64?PT9iYXNlNjQ/WlhVPT89?='],
    ['a b', 'a b'],
  ])('carry %j as %s', async (value, shown) => {
    expect(await headers({ a: inHeader('string', 'R') }, { a: value })).toEqual({ 'Mcp-Param-R': shown });
  });

  it.each([
    ['null', { a: null }],
    ['nothing', {}],
    ['a list', { a: [1] }],
    ['an unsafe number', '{"a": 9007199254740993}'],
    ['what is too long', { a: 'x'.repeat(LONGEST_VALUE) }],
    ['what is inside a list', { list: [{ a: 'no' }] }],
  ])('leave out %s', async (_, args) => {
    const list = { type: 'array', items: { properties: { a: inHeader('string', 'Item') } } };
    expect(await headers({ a: inHeader('string', 'R'), list }, args)).toEqual({});
  });

  it.each([
    ['a name that is no token', inHeader('string', 'a b')],
    ['a name with a line break', inHeader('string', 'a\r\nb')],
    ['no name', inHeader('string', 3)],
    ['a fraction', inHeader('number', 'R')],
    ['a list', inHeader('array', 'R')],
  ])('heed no declaration with %s', async (_, declared) => {
    expect(await headers({ a: declared }, { a: 'x' })).toBeUndefined();
  });
});

describe('a server that compares headers with arguments', () => {
  let server: HttpFixture;
  let pool: UpstreamPool;
  beforeAll(async () => {
    server = await headerServer();
    pool = poolOf({ shop: remote('http', server.url) });
  });
  afterAll(async () => {
    await pool?.close();
    await server?.close();
  });
  const args = { region: 'Süd', shard: 4, scope: { live: false }, rows: [{ region: 'no' }] };

  it('refuses a call without them, and answers one with them', async () => {
    const refused = pool.callTool('shop', 'query', argumentsOf(args));
    await expect(refused).rejects.toMatchObject({ details: { rpc: { code: -32020 } } });
    const found = await parameterHeaders(await pool.tool('shop', 'query'), async () => Buffer.from(JSON.stringify(args)));
    const answer = await pool.callTool('shop', 'query', argumentsOf(args), { headers: found });
    expect(JSON.parse(String(answer.content?.[0]?.text))).toEqual(args);
  });
});
