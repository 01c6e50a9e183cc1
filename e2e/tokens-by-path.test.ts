/** A call by path costs the model a handful of tokens at any size, and what arrives is what the file holds. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { openWorkspace, type Workspace } from './support/cli.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { emitted, type Payload, payloads, SERVER, type ToolCall } from './support/payload-calls.ts';
import { fixtureServer } from './support/upstreams.ts';

const MOST_TOKENS = 150;

let notes: Workspace;
let filebridge: Filebridge;
let client: McpClient;

beforeAll(async () => {
  notes = await openWorkspace();
  filebridge = await startFilebridge('stdio', {
    upstreams: { [SERVER]: fixtureServer('raw-recorder.mjs', [notes.at('calls.ndjson')]) },
    expose: { fileTools: false, upstreamTools: 'companions' },
  });
  client = await filebridge.connect('v1');
});
afterAll(async () => {
  await filebridge?.stop();
  await notes.remove();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What the upstream was sent since the last look, as the lines came in. */
async function taken(): Promise<ToolCall[]> {
  const text = await readFile(notes.at('calls.ndjson'), 'utf8');
  await rm(notes.at('calls.ndjson'));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { params: ToolCall }).params);
}

/** One hash for the text that a call was to write, or for the records of all its batches in their order. */
function hashOfTaken(calls: readonly ToolCall[]): string {
  const [first] = calls;
  if (first?.name === 'write_file') return sha256(String(first.arguments.content));
  return sha256(JSON.stringify(calls.flatMap((call) => call.arguments.data)));
}

const hashOf = (payload: Payload) => sha256(typeof payload.value === 'string' ? payload.text : JSON.stringify(payload.value));

describe.each(payloads().map((payload) => [payload.title, payload] as const))('%s', (_title, payload) => {
  it.each(['general', 'companion'] as const)(
    'costs the model under 150 tokens by the %s call, and arrives whole',
    async (kind) => {
      const call = payload.byPath(await filebridge.file(payload.file, payload.text))[kind];
      expect(await countTokens(emitted(call))).toBeLessThan(MOST_TOKENS);
      const answer = await client.call(call.name, call.arguments);
      expect(answer.isError, answer.text).toBe(false);
      const calls = await taken();
      expect(hashOfTaken(calls)).toBe(hashOf(payload));
      const { content: _text, data: _records, ...beside } = calls[0]?.arguments ?? {};
      const { content: _typed, data: _typedRecords, ...wanted } = payload.inline.arguments;
      expect(beside).toEqual(wanted);
    },
  );
});
