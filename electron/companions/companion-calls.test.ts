import { describe, expect, it } from 'vitest';
import type { CallAndStoreRequest, CallerContext, FileCallRequest } from '../calls/types.ts';
import { type JsonStream, jsonStreamOf, textOf } from '../engine/core/payload.ts';
import { memoryCallService, text } from '../server/fixtures/memory-call-service.ts';
import type { UpstreamPool } from '../upstream/types.ts';
import { withCompanions } from './companion-calls.ts';

const inputSchema = {
  type: 'object',
  properties: { content: { type: 'string' }, note: { type: 'string' } },
  required: ['content'],
};
const upstreams = { tool: async () => ({ name: 'write', inputSchema }) } as unknown as UpstreamPool;

/** Calls `write` with arguments that came unparsed, in these pieces, and says what became of it. */
async function call(...pieces: string[]) {
  const heard: { way: string; request: CallAndStoreRequest | FileCallRequest; bytes: string | undefined }[] = [];
  const hear =
    (way: string) => async (request: CallAndStoreRequest | FileCallRequest, _caller: CallerContext, unparsed?: JsonStream) => {
      heard.push({ way, request, bytes: unparsed && (await textOf(unparsed)).toString() });
      return text('done');
    };
  const service = { ...memoryCallService(), call: hear('plain'), callWithFile: hear('files'), callAndStore: hear('stored') };
  const caller: CallerContext = {
    signal: new AbortController().signal,
    client: null,
    progress: () => undefined,
    log: () => undefined,
  };
  const served = withCompanions(service, upstreams, () => ({ fileTools: true, upstreamTools: 'companions' }));
  const result = await served.call(
    { server: 'db', tool_name: 'write', tool_args: {} },
    caller,
    jsonStreamOf(...pieces.map((piece) => Buffer.from(piece))),
  );
  return { result, heard };
}

const long = 'y'.repeat(20_000);

describe('arguments that came unparsed', () => {
  it.each([
    ['short', '{"content":"x","n":12345678901234567890}'],
    ['long', `{"content":"${long}","n":12345678901234567890}`],
    ['long, with a word of ours in their text', `{"content":"a_path ${long}","n":1e400}`],
  ])('go on as they are where they name no file: %s', async (_, args) => {
    const { heard } = await call(args.slice(0, 15), args.slice(15));
    expect(heard).toEqual([{ way: 'plain', request: { server: 'db', tool_name: 'write', tool_args: {} }, bytes: args }]);
  });

  it.each([
    ['short', ['{"content_path":"/a"}']],
    ['long', [`{"note":"${long}","content_path":"/a"}`]],
    ['with the name cut in two', [`{"note":"${long}","content_pa`, 'th":"/a"}']],
    ['with the name cut into letters', [`{"note":"${long}",`, ...'"content_path":"/a"}']],
    ['with the name spelled by escapes', [`{"note":"${long}","content\\u005fpath":"/a"}`]],
  ])('name files as others do: %s', async (_, pieces) => {
    const { heard } = await call(...pieces);
    expect(heard).toMatchObject([{ way: 'files', request: { files: [{ path: '/a', data_key: 'content' }] }, bytes: undefined }]);
  });

  it.each([
    ['a text', '{"content_path":"/a.md"}', 'text'],
    ['a Word document', '{"content_path":"/my notes/a.DOCX"}', 'auto'],
    ['one by another name', '{"content_path":"/a","_file":{"format":"docx"}}', 'auto'],
    ['one asked for as plain text', '{"content_path":"/a.docx","_file":{"as":"text"}}', 'text'],
  ])('say how a file becomes text: %s', async (_, args, as) => {
    const { heard } = await call(args);
    expect(heard).toMatchObject([{ way: 'files', request: { files: [{ data_key: 'content', as }] } }]);
  });

  it('are told what they lack', async () => {
    const { result, heard } = await call('{"note":"x"}');
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toContain('give content or content_path');
    expect(heard).toEqual([]);
  });
});
