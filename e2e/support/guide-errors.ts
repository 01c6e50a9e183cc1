/** The messages of docs/guide/troubleshooting.md, each made by a call; those that no call makes here, by their wording. */
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import { type Filebridge, startFilebridge } from './filebridge.ts';
import type { JsonObject } from './mcp-clients.ts';
import type { StdioEntry } from './upstreams.ts';

const files: Record<string, string | Uint8Array> = {
  'people.csv': 'id,name\n1,Ada\n2,Ben\n',
  'amounts.csv': 'name;amount\nAda;1,50\n',
  'cells.csv': 'a,b\n1,2,3\n',
  'greek.csv': Uint8Array.of(...Buffer.from('name\n'), 0xe4, 0xf6, 0xfc, 0xdf, 0xa4, 0x0a),
  'broken.json': '{"a": 1, "b" 2}',
  'photo.bin': Uint8Array.of(0, 1, 2, 255),
  'object.json': '{"rows": []}',
  '.env': 'KEY=1\n',
};

const preview = (path: string, options: JsonObject = {}) => ['preview_file', { path, ...options }] as const;
const send = (path: string, options: JsonObject = {}) =>
  ['call_tool_with_file_content', { server: 'practice', tool_name: 'insert_rows', path, ...options }] as const;
const plain = (server: string, tool_name: string) => ['call_tool', { server, tool_name }] as const;
const table = { data_key: 'data', tool_args: { table: 't' } };

const calls = [
  preview('/data/peple.csv'),
  preview('/home/ada/people.csv'),
  preview('/data/.env'),
  preview('/data/photo.bin'),
  preview('/data/greek.csv'),
  preview('/data/cells.csv'),
  preview('/data/amounts.csv', { types: { amount: 'number' } }),
  preview('/data/broken.json'),
  preview('/data/people.csv', { sheet: 1 }),
  preview('/data/people.csv', { transform: { select: ['nme'] } }),
  send('/data/people.csv', { data_key: 'data' }),
  send('/data/people.csv', { data_key: 'data', tool_args: { table: 't', data: [] } }),
  send('/data/object.json', table),
  send('/data/object.json', { ...table, batch: 'auto' }),
  plain('practise', 'insert_rows'),
  plain('practice', 'insert'),
  plain('missing', 'any'),
  plain('silent', 'any'),
] as const;

const others = [
  say('server.timeout', { server: 'db', tool: 'query', ms: 120_000, setting: 'limits.callTimeoutMs' }),
  say('server.ended', { server: 'db', tool: 'query', exit: null }),
  say('http.signIn', { server: 'db' }),
  say('file.readOnly', { path: '/data/out.csv' }),
  say('size.file', { bytes: 12 * 1024 * 1024, limit: 10 * 1024 * 1024 }),
  say('approval.nobody', { name: 'db:query' }),
  say('approval.refused', { name: 'db:query' }),
  say('paused'),
].map(inAgentsWords);

export async function errorMessages(practice: StdioEntry): Promise<string[]> {
  const filebridge = await startFilebridge('stdio', {
    upstreams: {
      practice,
      missing: { type: 'stdio', command: 'no-such-program' },
      silent: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
    },
  });
  try {
    for (const [name, content] of Object.entries(files)) await filebridge.file(name, content);
    return [...(await made(filebridge)), ...others];
  } finally {
    await filebridge.stop();
  }
}

async function made(filebridge: Filebridge): Promise<string[]> {
  const folder = filebridge.workspace.at('data');
  const client = await filebridge.connect('v1');
  const messages: string[] = [];
  for (const [tool, args] of calls) {
    const real = JSON.parse(JSON.stringify(args).replaceAll('"/data/', `"${folder}/`)) as JsonObject;
    const answer = await client.call(tool, real);
    if (!answer.isError) throw new Error(`No error: ${tool} ${JSON.stringify(args)}`);
    messages.push(String(answer.json().error).replaceAll(folder, '/data'));
  }
  return messages;
}
