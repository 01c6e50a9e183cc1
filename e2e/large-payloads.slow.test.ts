/** 100 MB go into a tool in little memory, and about as much as an answer may have comes out of one into a file, to the last byte. */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import type { McpClient } from './support/mcp-clients.ts';
import { torrents, torrentWays } from './support/torrents.ts';

const MEGABYTES = 100;
const ANSWER_MEGABYTES = 60;
/** What the program may take in all. Bytes. */
const MEMORY = 260 * 1024 * 1024;

let filebridge: Filebridge;
let servers: Awaited<ReturnType<typeof torrents>>;
let records: { path: string; arguments: { bytes: number; sha256: string } };

beforeAll(async () => {
  servers = await torrents();
  filebridge = await startFilebridge('stdio', { upstreams: servers.upstreams });
  records = await recordsFile();
});
afterAll(async () => {
  await filebridge?.stop();
  servers?.stop();
});

/** A JSON list, and the arguments that it makes. */
async function recordsFile(): Promise<typeof records> {
  const path = filebridge.at('records.json');
  const file = await open(path, 'w');
  const hash = createHash('sha256').update('{"records":');
  let bytes = 0;
  for (let i = 0; bytes < MEGABYTES * 1_000_000; ) {
    let piece = i === 0 ? '[' : '';
    for (; piece.length < 1_000_000; i += 1)
      piece += `${i === 0 ? '' : ','}{"id":${i},"name":"Grüße ${i}","note":"${'x'.repeat(80)}"}`;
    if (bytes + piece.length >= MEGABYTES * 1_000_000) piece += ']';
    hash.update(piece);
    bytes += (await file.write(piece)).bytesWritten;
  }
  await file.close();
  return { path, arguments: { bytes: bytes + '{"records":}'.length, sha256: hash.update('}').digest('hex') } };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The same as the server dumps, as it must lie in the file. */
function dumped(rows: boolean): string {
  const hash = createHash('sha256');
  let left = ANSWER_MEGABYTES * 1_000_000;
  if (rows) hash.update('{\n  "rows": [');
  for (let i = 0; left > 0; ) {
    let sent = 0;
    let kept = '';
    while (sent < 60_000) {
      const name = `Grüße "${i}"`;
      sent += rows ? `${i === 0 ? '' : ','}{"id":${i},"name":${JSON.stringify(name)},"size":${i}.5}`.length : LINE.sent.length;
      kept += rows
        ? `${i === 0 ? '' : ','}\n    {\n      "id": ${i},\n      "name": ${JSON.stringify(name)},\n      "size": ${i}.5\n    }`
        : LINE.kept;
      i += 1;
    }
    left -= sent;
    hash.update(kept);
  }
  return hash.update(rows ? '\n  ]\n}' : '').digest('hex');
}
const LINE = { sent: 'row \\"0\\" grüße \\ud83d\\ude00\\n', kept: 'row "0" grüße 😀\n' };

/** The most memory that a process has had. */
function peakOf({ pid }: McpClient): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

describe.each(torrentWays)(`${MEGABYTES} MB over %s`, (server) => {
  it('reach a tool to the last byte, and are not held', async () => {
    const client = await filebridge.connect('v1');
    const answer = await client.call('call_tool_with_file_content', {
      server,
      tool_name: 'hash',
      path: records.path,
      data_key: 'records',
      output_format: 'string',
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(JSON.parse(answer.text)).toEqual(records.arguments);
    expect(peakOf(client)).toBeLessThan(MEMORY);
    await client.close();
  });

  // What is written anew does not depend on where it came from.
  it.each(server === 'stdio' ? [false, true] : [false])('come into a file to the last byte (rows: %s)', async (rows) => {
    const client = await filebridge.connect('v1');
    const filename = `${server}-${rows}.${rows ? 'json' : 'txt'}`;
    const answer = await client.call('call_tool_and_store', {
      server,
      tool_name: 'dump',
      tool_args: { megabytes: ANSWER_MEGABYTES, rows },
      storage_path: filebridge.at('.'),
      filename,
    });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toContain(filename);
    expect(await hashOf(filebridge.at(filename))).toBe(dumped(rows));
    await client.close();
  });
});
