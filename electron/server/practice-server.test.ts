import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { servePractice } from './practice-server.ts';
import { described } from './practice-tool.ts';

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
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const closed = new Promise<void>((resolve) =>
      servePractice({ info: { name: 'p', version: '1' }, stdin, stdout, onClosed: resolve }),
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
    const { result: listed } = await ask(2, 'tools/list', {});
    expect(listed.tools).toMatchObject([{ name: 'count_records', inputSchema: { required: ['records'] } }]);
    const call = (id: number, name: string, args: object) => ask(id, 'tools/call', { name, arguments: args });
    expect((await call(3, 'count_records', { records: [{ a: 1 }, { a: 2 }] })).result.content).toEqual([
      { type: 'text', text: 'Counted 2 records with a.' },
    ]);
    expect((await call(4, 'count_records', { records: null })).result.content[0].text).toMatch(/empty/);
    expect((await call(5, 'count_records', {})).result.isError).toBe(true);
    expect((await call(6, 'delete_records', {})).error.message).toMatch(/Unknown tool/);
    stdin.end();
    await closed;
  });
});
