import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Config, configSchema } from '../../shared/model/config.ts';
import { inProcess } from '../engine/index.ts';
import { createFileAccess } from '../files/file-access.ts';
import type { ToolResult } from '../upstream/types.ts';
import { CallEvents, firstFacts } from './events.ts';
import { type EndedCall, finishCall } from './finish.ts';
import { createResponses } from './stored-answers.ts';

let home: string;
let config: Config;
let logged: string[];
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-finish-'));
  await mkdir(path.join(home, 'own'));
  config = configSchema.parse({ version: 1, folders: [{ path: home, access: 'read-write' }] });
  logged = [];
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Ends a call with this result, as the pipeline does. */
async function finish(result: ToolResult, request: Partial<EndedCall['request']>, alwaysStore = true): Promise<ToolResult> {
  const responsesDirectory = path.join(home, 'own');
  const files = createFileAccess({ folders: () => config.folders, trustedDirectories: () => [responsesDirectory] });
  const deps = {
    config: () => config,
    files,
    converter: inProcess,
    responsesDirectory,
    log: (line: string) => void logged.push(line),
  };
  const { signal } = new AbortController();
  const start = { id: '1', time: '', kind: 'call_and_store' as const, client: null };
  const caller = { signal, client: null, progress: () => undefined, log: () => undefined };
  const { shown } = await finishCall({
    deps,
    responses: createResponses(deps),
    call: { events: new CallEvents(firstFacts(start, { server: 'db', tool: 'dump' }, []), []), caller },
    request: { server: 'db', tool_name: 'dump', ...request },
    sent: { answer: result, receipt: null },
    durationMs: 1,
    warnings: [],
    alwaysStore,
  });
  return shown;
}

const answer = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const textOf = (result: ToolResult) => result.content.map(({ text }) => text ?? '').join('\n');

describe('an answer that cannot be stored as asked', () => {
  const request = {
    storage_path: path.join(os.homedir(), 'not', 'allowed'),
    filename: 'dump.txt',
    output_format: 'string' as const,
  };

  it('is handed over, and says why', async () => {
    const result = await finish(answer('forty-two'), request);
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toMatch(/^forty-two\nNote: The answer could not be stored as asked: .*not within allowed directories/);
    expect(logged).toHaveLength(1);
  });

  it('goes to the usual place when it is too long to hand over', async () => {
    const result = await finish(answer('forty-two '.repeat(9000)), request);
    expect(await readdir(path.join(home, 'own'))).toHaveLength(1);
    expect(textOf(result)).toMatch(/is over the limit/);
    expect(textOf(result)).toMatch(/could not be stored as asked/);
    expect(result.content.at(-1)).toMatchObject({ type: 'resource_link', size: 90_000 });
  });
});

it('an answer that can be stored leaves a link and its beginning', async () => {
  const result = await finish(answer('forty-two'), { storage_path: home, filename: 'dump.txt' });
  expect(textOf(result)).toContain(path.join(home, 'dump.txt'));
  expect(textOf(result)).toContain('forty-two');
  expect(result.content.at(-1)).toMatchObject({ type: 'resource_link', size: 9 });
  expect(logged).toEqual([]);
});

describe('a stored answer that goes on behind its preview', () => {
  const long = answer('word '.repeat(500));
  const people = answer(JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: 'Ada' }))));

  it('names the tool that reads on', async () => {
    expect(textOf(await finish(long, {}))).toContain('\nRead on with read_text_file\n');
    expect(textOf(await finish(people, { filename: 'people.csv' }))).toContain('\nRead its records with preview_file');
    expect(textOf(await finish(answer('short'), {}))).not.toContain('Read');
  });
});

describe('a stored answer that tells of failures', () => {
  it('says so', async () => {
    const failed = answer('{"status":"error","message":"no such table"}');
    expect(textOf(await finish(failed, {}))).toContain(
      'Note: The server answered without an error, but tells of failures: {"status":"error","message":"no such table"}',
    );
    expect(textOf(await finish(answer('{"status":"ok"}'), {}))).not.toContain('Note');
  });

  it('says so where nobody asked to store it', async () => {
    const long = answer(JSON.stringify({ success: false, rows: 'x9 '.repeat(15_000) }));
    expect(textOf(await finish(long, {}, false))).toMatch(/is over the limit.*\n[\s\S]*tells of failures: \{"success":false/);
  });
});

it('a long picture beside its JSON is no long text', async () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(400_000) };
  const shown = await finish({ content: [picture] }, {}, false);
  expect(shown.content.map(({ type }) => type)).toEqual(['text', 'image']);
});

describe('an answer that is not what its file name says', () => {
  it.each([
    ['jsonl', '[{"a":1},{"a":2}]', 'dump.jsonl', '{"a":1}\n{"a":2}\n'],
    ['auto', 'just words', 'dump.json', '"just words"'],
  ] as const)('has another name, or that content: %s', async (response_format, content, name, stored) => {
    await finish(answer(content), { filename: 'dump.json', response_format });
    expect(await readdir(path.join(home, 'own'))).toEqual([name]);
    expect(await readFile(path.join(home, 'own', name), 'utf8')).toBe(stored);
  });

  it('gets the name of what it is', async () => {
    const result = await finish(answer('just words'), { filename: 'dump.csv' });
    expect(textOf(result)).toContain('no list of records, so it was stored as txt, not csv: dump.txt');
    expect(await readdir(path.join(home, 'own'))).toEqual(['dump.txt']);
  });

  it('says so where its format is one that is not written', async () => {
    const result = await finish(answer('{"a":1}'), { filename: 'graph.xlsx' });
    expect(textOf(result)).toMatch(/not written as xlsx, so this one was stored as json; there are json, .*csv/);
    expect(await readdir(path.join(home, 'own'))).toEqual(['graph.xlsx.json']);
  });

  it.each(['graph', 'report.2026', 'graph.json', '.graph'])('has no such note as %s', async (filename) => {
    expect(textOf(await finish(answer('{"a":1}'), { filename }))).not.toContain('not written as');
  });
});
