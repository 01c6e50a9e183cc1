import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { servePractice } from './practice-server.ts';
import { described } from './practice-tool.ts';

/** A server that has been greeted, and a way to ask it. */
async function served(options: { tables?: boolean } = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const closed = new Promise<void>((resolve) =>
    servePractice({ info: { name: 'p', version: '1' }, ...options, stdin, stdout, onClosed: resolve }),
  );
  const answers: string[] = [];
  let rest = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    answers.push(...lines);
  });
  const ask = async (id: number, method: string, params: object) => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const answer = () => answers.map((line) => JSON.parse(line)).find((message) => message.id === id);
    await expect.poll(answer).toBeDefined();
    return answer();
  };
  const clientInfo = { name: 'test', version: '0' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const end = async () => {
    stdin.end();
    await closed;
  };
  return { ask, end };
}

describe('the practice server', () => {
  it('says what it got, in a sentence', () => {
    expect(described([])).toBe('Counted 0 records.');
    expect(described([{ id: 1, name: 'Ada' }])).toBe('Counted 1 record with id, name.');
    expect(described(Array.from({ length: 1234 }, () => [1]))).toBe('Counted 1,234 records.');
    expect(described('Größe')).toBe('Got one text of 5 characters.');
    expect(described({ a: 1 })).toBe('Got one object with 1 entry.');
    expect(described(null)).toBe('Got an empty value (null).');
    expect(described(7)).toBe('Got one value, a number.');
  });

  it('speaks MCP, lists its one tool, counts, and ends with its input', async () => {
    const { ask, end } = await served();
    const { result: listed } = await ask(2, 'tools/list', {});
    expect(listed.tools).toMatchObject([{ name: 'count_records', inputSchema: { required: ['records'] } }]);
    const call = (id: number, name: string, args: object) => ask(id, 'tools/call', { name, arguments: args });
    expect((await call(3, 'count_records', { records: [{ a: 1 }, { a: 2 }] })).result.content).toEqual([
      { type: 'text', text: 'Counted 2 records with a.' },
    ]);
    expect((await call(4, 'count_records', { records: null })).result.content[0].text).toMatch(/empty/);
    expect((await call(5, 'count_records', {})).result.isError).toBe(true);
    expect((await call(6, 'delete_records', {})).error.message).toMatch(/Unknown tool/);
    await end();
  });

  it('keeps rows in tables where it is asked to, as many in a call as a database takes', async () => {
    const { ask, end } = await served({ tables: true });
    const { result: listed } = await ask(2, 'tools/list', {});
    expect(listed.tools.map((tool: { name: string }) => tool.name)).toEqual(['count_records', 'insert_rows', 'describe_table']);
    const call = async (id: number, name: string, args: object) =>
      (await ask(id, 'tools/call', { name, arguments: args })).result;
    const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
    expect((await call(3, 'insert_rows', { table: 'a', data: rows(10_000) })).content[0].text).toBe(
      'Inserted 10000 rows into a.',
    );
    expect((await call(4, 'insert_rows', { table: 'a', data: rows(10_001) })).isError).toBe(true);
    await call(5, 'insert_rows', { table: 'a', data: [{ id: 'last' }] });
    const described = JSON.parse((await call(6, 'describe_table', { table: 'a' })).content[0].text);
    expect(described).toEqual({ table: 'a', rows: 10_001, columns: ['id'], first: { id: 0 }, last: { id: 'last' } });
    await end();
  });
});
