/** Upstream tools as clients of each era see and call them, over real servers and files. */
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../shared/lib/fixtures/eventually.ts';
import { kinds, stdioEndpoint } from '../server/fixtures/endpoints.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { type Companions, openCompanions } from './fixtures/companions.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const textOf = (result: ToolResult): string => String(result.content[0]?.text);
const failureOf = (result: ToolResult): JsonObject => {
  expect(result.isError, textOf(result)).toBe(true);
  return JSON.parse(textOf(result)) as JsonObject;
};
const forever = new AbortController().signal;
const caller = { signal: forever, client: 'test', progress: () => undefined, log: () => undefined };

async function open(...given: Parameters<typeof openCompanions>): Promise<Companions> {
  const companions = await openCompanions(...given);
  ends.push(() => companions.close());
  return companions;
}

/** Calls as the server does: only what is offered. */
async function call({ source }: Companions, name: string, args: JsonObject): Promise<ToolResult> {
  expect(await source.has?.(name), name).toBe(true);
  const result = source.call(name, args, caller);
  if (result === undefined) throw new Error(`${name} was offered, but cannot be called`);
  return result;
}

const upload = {
  name: 'upload',
  title: 'Upload a pack',
  description: 'Uploads files.',
  inputSchema: {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, content: { type: 'string' } },
          required: ['path', 'content'],
        },
      },
      rows: { type: 'array', items: { type: 'object', properties: { zip: { type: 'string' } } } },
      logo_base64: { type: 'string' },
    },
    required: ['files'],
  },
  annotations: { readOnlyHint: false, destructiveHint: false },
  unheardOf: { kept: true },
};

describe.each(kinds)('a host with the %s', (kind) => {
  it('sees a companion and calls it with files', async () => {
    const companions = await open({ store: [upload] });
    const endpoint = stdioEndpoint(companions.service, [companions.source]);
    ends.push(() => endpoint.close());
    const host = await endpoint.connect(kind);
    ends.push(() => host.close());

    const { tools } = (await host.request('tools/list')) as { tools: JsonObject[] };
    const tool = tools.find(({ name }) => name === 'store__upload');
    expect(tool).toMatchObject({
      title: upload.title,
      description: upload.description,
      annotations: upload.annotations,
      unheardOf: { kept: true },
    });
    expect(Object.keys((tool?.inputSchema as JsonObject | undefined)?.properties ?? {})).toEqual([
      'files',
      'files_path',
      'rows',
      'rows_path',
      'logo_base64',
      'logo_base64_path',
      '_file',
    ]);

    const content = '# "Quoted" `ticks` \\ and\ttabs\n';
    const result = await host.callTool('store__upload', {
      files: [{ path: 'pdd.md', content_path: await companions.file('pdd.md', content) }],
      rows_path: await companions.file('rows.csv', 'zip\n00501\n'),
      logo_base64_path: await companions.file('logo.png', Uint8Array.of(0x89, 0x50, 0, 0xff)),
    });
    expect(JSON.parse(textOf(result))).toEqual({
      files: [{ path: 'pdd.md', content }],
      rows: [{ zip: '00501' }],
      logo_base64: 'iVAA/w==',
    });
  });
});

describe('the arguments', () => {
  it('are the same where they are long, with files among them or not', async () => {
    const companions = await open({ store: [upload] });
    const endpoint = stdioEndpoint(companions.service, [companions.source]);
    ends.push(() => endpoint.close());
    const host = await endpoint.connect(kinds[0] ?? expect.fail());
    ends.push(() => host.close());
    await host.request('tools/list');
    const files = Array.from({ length: 3000 }, (_, i) => ({ path: `${i}.md`, content: `ü "${i}"\n`.repeat(9) }));
    expect(files.length * 60).toBeGreaterThan(100_000);
    for (let round = 0; round < 2; round += 1) {
      const whole = await host.callTool('store__upload', { files });
      expect(whole.isError).toBeUndefined();
      expect(companions.ledger.at(-1)).toMatchObject({ sentBytes: Buffer.byteLength(JSON.stringify({ files })) });
      const passed = await host.callTool('store__upload', { files, logo_base64: 'AA==' });
      expect(companions.ledger.at(-1)).toMatchObject({
        kind: 'call',
        server: 'store',
        tool: 'upload',
        outcome: 'ok',
        sentBytes: Buffer.byteLength(JSON.stringify({ files, logo_base64: 'AA==' })),
      });
      expect(passed.isError).toBeUndefined();
    }
  });

  it('are refused with the name of the parameter and of the item', async () => {
    const companions = await open({ store: [upload] });
    const file = await companions.file('a.md', 'a');
    const item = (more: JsonObject) => ({
      files: [
        { path: 'a', content: '' },
        { path: 'pdd.md', ...more },
      ],
    });
    const failed = async (args: JsonObject) => failureOf(await call(companions, 'store__upload', args)).error;
    expect(await failed(item({ content: 'x', content_path: file }))).toBe(
      "files[1] 'pdd.md': give content or content_path, not both",
    );
    expect(await failed(item({}))).toBe("files[1] 'pdd.md': give content or content_path");
    expect(await failed({})).toBe('give files or files_path');
    expect(await failed({ files: [], _file: { as: 'text' } })).toMatch(/^_file says how files are read, but/);
    expect(await failed({ files_path: file, _file: { fromat: 'csv' } })).toBe("Unknown parameter '_file.fromat'");
    expect(await failed({ files_path: path.join(companions.directory, 'none.json') })).toMatch(
      /does not exist or is not readable/,
    );
    expect(companions.ledger.every(({ calls }) => calls === 0)).toBe(true);
  });

  it('obey the conversion options', async () => {
    const companions = await open({ store: [upload] });
    const rows_path = await companions.file('rows.txt', 'zip;n\n1;x\n2;y\n');
    const result = await call(companions, 'store__upload', {
      files: [],
      rows_path,
      _file: { format: 'csv', delimiter: ';', transform: { select: ['n'], limit: 1 } },
    });
    expect(JSON.parse(textOf(result))).toEqual({ files: [], rows: [{ n: 'x' }] });
  });
});

describe('a call', () => {
  it('is recorded, and asks the person where the server is to be confirmed', async () => {
    const companions = await open({ store: [upload] });
    const files_path = await companions.file('files.json', '[{"path":"a","content":"b"}]');
    await call(companions, 'store__upload', { files_path });
    expect(companions.ledger).toMatchObject([
      { kind: 'file_call', server: 'store', tool: 'upload', outcome: 'ok', paths: [files_path] },
    ]);
    await companions.configure((config) => {
      const store = config.upstreams.store;
      return store ? { ...config, upstreams: { store: { ...store, confirm: 'always' } } } : config;
    });
    expect(failureOf(await call(companions, 'store__upload', { files_path }))).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
    expect(companions.asked).toMatchObject([{ server: 'store', tool: 'upload', paths: [files_path] }]);
  });

  it('is refused while paused, and where no message to the server may be that big', async () => {
    const companions = await open({ store: [upload] });
    const rows_path = await companions.file('rows.csv', `zip\n${'00501\n'.repeat(2000)}`);
    companions.pause(true);
    expect(failureOf(await call(companions, 'store__upload', { files: [], rows_path })).code).toBe('PAUSED');
    expect(failureOf(await call(companions, 'store__upload', { files: [] })).code).toBe('PAUSED');
    companions.pause(false);
    await companions.configure((config) => {
      const { store } = config.upstreams;
      return store ? { ...config, upstreams: { store: { ...store, maxMessageBytes: 10_000 } } } : config;
    });
    expect(failureOf(await call(companions, 'store__upload', { files: [], rows_path }))).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      hint: expect.stringMatching(
        /^Set batch: "auto" .* \(in _file\); .* the user can raise maxMessageBytes of 'store' in Filebridge$/,
      ),
    });
    expect(companions.ledger.map(({ errorCode, calls }) => [errorCode, calls])).toEqual([
      ['PAUSED', 0],
      ['PAUSED', 0],
      ['MESSAGE_TOO_LARGE', 0],
    ]);
    const inParts = await call(companions, 'store__upload', { files: [], rows_path, _file: { batch: 'auto' } });
    // In short: nothing that is empty, and not each batch.
    expect(inParts.structuredContent).toEqual({ recordsRead: 2000, recordsAccepted: 2000 });
    const calls = companions.ledger.reduce((sum, line) => sum + line.calls, 0);
    const dry = await call(companions, 'store__upload', { files: [], rows_path, _file: { batch: 'auto', dry_run: true } });
    expect(JSON.parse(textOf(dry))).toMatchObject({ dry_run: true, tool: 'upload', calls: expect.anything() });
    expect(companions.ledger.reduce((sum, line) => sum + line.calls, 0)).toBe(calls);
  });

  it('that cannot be made is recorded too, and refused while paused', async () => {
    const broken = { type: 'stdio' as const, command: process.execPath, args: ['-e', 'process.exit(1)'] };
    const companions = await open({ store: [upload] }, { broken });
    const codes = async () => [
      failureOf(await call(companions, 'store__upload', {})).code,
      failureOf(await call(companions, 'broken__upload', {})).code,
    ];
    const [arguments_, server] = await codes();
    expect(arguments_).toBe('INVALID_REQUEST');
    expect(server).toMatch(/^UPSTREAM_/);
    companions.pause(true);
    expect(await codes()).toEqual(['PAUSED', 'PAUSED']);
    expect(companions.ledger).toMatchObject([
      { kind: 'call', server: 'store', tool: 'upload', outcome: 'failed', errorCode: arguments_, calls: 0 },
      { kind: 'call', server: 'broken', tool: 'upload', outcome: 'failed', errorCode: server, calls: 0 },
      { kind: 'call', server: 'store', outcome: 'blocked', errorCode: 'PAUSED' },
      { kind: 'call', server: 'broken', outcome: 'blocked', errorCode: 'PAUSED' },
    ]);
  });

  it('goes on in the background where that is asked for', async () => {
    const companions = await open({ store: [upload] });
    const rows_path = await companions.file('rows.csv', 'zip\n1\n');
    const started = await call(companions, 'store__upload', { files: [], rows_path, _file: { background: true } });
    const { job_id } = JSON.parse(textOf(started)) as { job_id: string };
    await eventually(async () => {
      const status = await companions.service.jobStatus({ job_id }, caller);
      expect(JSON.parse(textOf(status))).toMatchObject({ state: 'done', tool: 'upload' });
      expect(JSON.parse(String(status.content[1]?.text))).toEqual({ files: [], rows: [{ zip: '1' }] });
    });
  });

  it('is cut into batches where that is asked for', async () => {
    const companions = await open({ store: [upload] });
    const rows_path = await companions.file('rows.csv', `zip\n${Array.from({ length: 10 }, (_, i) => `${i}`).join('\n')}\n`);
    const result = await call(companions, 'store__upload', { files: [], rows_path, _file: { batch: { size: 4 } } });
    expect(result.structuredContent).toMatchObject({ recordsRead: 10, recordsAccepted: 10 });
    expect(companions.ledger).toMatchObject([{ calls: 3, records: 10 }]);
  });

  it('gets the result whole, unknown blocks and fields included', async () => {
    const answer = {
      content: [
        { type: 'hologram', beam: [1] },
        { type: 'text', text: 'x', flavour: 'y' },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0=' },
      ],
      structuredContent: { rows: 3 },
      verdict: 'odd',
      _meta: { 'example.com/trace': 7 },
    };
    const failing = { content: [{ type: 'text', text: 'no such table' }], isError: true, odd: 1 };
    const companions = await open({
      s: [
        { name: 'odd', inputSchema: { type: 'object' }, answer },
        { name: 'fails', inputSchema: { type: 'object' }, answer: failing },
      ],
    });
    expect(await call(companions, 's__odd', {})).toEqual(answer);
    expect(await call(companions, 's__fails', {})).toEqual(failing);
  });

  it('gets pictures of any size as they are, and long texts as a link', async () => {
    const picture = { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0='.repeat(50_000) }] };
    const long = { content: [{ type: 'text', text: 'many words '.repeat(20_000) }] };
    const structured = { content: [], structuredContent: { rows: 'many words '.repeat(20_000) } };
    const inputSchema = { type: 'object' };
    const outputSchema = { type: 'object', properties: { rows: { type: 'string' } }, required: ['rows'] };
    const companions = await open({
      s: [
        { name: 'picture', inputSchema, answer: picture },
        { name: 'long', inputSchema, answer: long },
        { name: 'structured', inputSchema, outputSchema, answer: structured },
      ],
    });
    expect(await call(companions, 's__picture', {})).toEqual(picture);
    const linked = [expect.objectContaining({ type: 'text' }), expect.objectContaining({ type: 'resource_link' })];
    expect((await call(companions, 's__long', {})).content).toEqual(linked);
    const instead = await call(companions, 's__structured', {});
    expect(instead.content).toEqual(linked);
    // What clients hold to the output schema must fit it in this case too.
    const published = (await companions.source.list()).find(({ name }) => name === 's__structured')?.outputSchema;
    expect(new Ajv2020({ strict: false }).validate(published as JsonObject, instead.structuredContent)).toBe(true);
    expect(instead.structuredContent).toEqual({ _filebridge: { stored: [expect.stringMatching(/^file:/)] } });
  });
});

describe('a failure', () => {
  it('of a call with a path in place of content says where the path goes', async () => {
    const refuses = { ...upload, answer: { content: [{ type: 'text', text: 'rows must be a list' }], isError: true } };
    const companions = await open({ store: [upload], strict: [refuses] });
    const said = async (name: string, args: JsonObject) => (await call(companions, name, args)).content.map(({ text }) => text);
    expect(await said('strict__upload', { rows: '/data/rows.csv', files: [{ path: '/a', content: '~/a.md' }] })).toEqual([
      'rows must be a list',
      'Note: rows was given a path as its value; to hand over the file, name it in rows_path\n' +
        'Note: files[0].content was given a path as its value; to hand over the file, name it in files[0].content_path',
    ]);
    // Our own check of a call with another file refuses it, too.
    const logo_base64_path = await companions.file('logo.png', Uint8Array.of(1));
    const [, note] = await said('store__upload', { files: [], rows: '/data/rows.csv', logo_base64_path });
    expect(note).toContain('name it in rows_path');
    // What a path is no mistake for, and what has not failed, is left alone.
    expect(await said('strict__upload', { files: [{ path: '/a', content: 'a' }] })).toHaveLength(1);
    expect(await said('store__upload', { files: [{ path: '/a', content: '/not/a/file' }] })).toHaveLength(1);
  });

  it('says what to do in the words of the companion', async () => {
    const companions = await open({
      store: [{ ...upload, inputSchema: { ...upload.inputSchema, required: ['rows', 'logo_base64', 'table'] } }],
    });
    const hintOf = async (args: JsonObject) => failureOf(await call(companions, 'store__upload', args)).hint;
    const rows_path = await companions.file('rows.csv', 'zip\n1\n');
    const given = { rows_path, logo_base64: '' };
    expect(await hintOf(given)).toBe('Add what is missing');
    const ragged = await companions.file('ragged.csv', 'zip\n1,2\n');
    expect(await hintOf({ ...given, rows_path: ragged })).toMatch(/ragged: "keep".* \(in _file\)$/);
    const letter = await companions.file('letter.md', '# Hi');
    expect(await hintOf({ ...given, rows_path: letter })).toMatch(/^A list or an object is read from JSON/);
    const open_quote = await companions.file('open.csv', 'zip\n"1\n');
    expect(await hintOf({ ...given, rows_path: open_quote })).toMatch(/^Close the quote there/);
    const broken = await companions.file('broken.xml', '<a><b></a>');
    expect(await hintOf({ ...given, rows_path: broken })).toBeUndefined();
  });
});
