/** The naive way to pass a file to a tool: parsed whole, sent by the SDK's client in one call to a server without limits. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import papaparse from 'papaparse';
import { peakMemory } from '../support/peak-memory.ts';

const [server = '', warmUp = '', file = ''] = process.argv.slice(2);
const client = new Client({ name: 'naive', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, 'uncapped'] }));

async function send(path: string): Promise<unknown> {
  const { data } = papaparse.parse(readFileSync(path, 'utf8'), { header: true, dynamicTyping: true, skipEmptyLines: true });
  return await client.callTool({ name: 'ingest', arguments: { records: data } }, undefined, { timeout: 600_000 });
}

await send(warmUp);
const began = performance.now();
const answer = await send(file);
const ms = performance.now() - began;
const text = (answer as { content: { text: string }[] }).content[0]?.text;
process.stdout.write(`${JSON.stringify({ ms, rss: peakMemory(), records: Number(text) })}\n`, () => process.exit());
