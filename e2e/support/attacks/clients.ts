/** Attacks other than paths: other clients' data, resources, approvals, the HTTP endpoint, the terminal. */
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runCli } from '../cli.ts';
import { openHome } from '../filebridge.ts';
import type { JsonObject, McpClient } from '../mcp-clients.ts';
import { poisonedTools, UNSEEN } from '../poisoned-tools.ts';
import { fixtureServer } from '../upstreams.ts';
import { attempt, reading, type Tried, writing } from './tries.ts';
import { SECRET, type World } from './world.ts';

async function storedBy(victim: McpClient): Promise<{ uri: string; file: string }> {
  const answer = await victim.call('call_tool_and_store', {
    server: 'echo',
    tool_name: 'anything',
    tool_args: { secret: SECRET },
  });
  const uri = String(answer.blocks.find(({ type }) => type === 'resource_link')?.uri);
  return { uri, file: fileURLToPath(uri) };
}

/** The outcome of a request that must not succeed. */
async function requested(
  client: McpClient,
  method: string,
  params: JsonObject,
  gives: (text: string) => boolean,
): Promise<Tried> {
  const { text, refused } = await client.request(method, params).then(
    (result) => ({ text: JSON.stringify(result), refused: result.isError === true }),
    (error: unknown) => ({ text: String(error), refused: true }),
  );
  return { what: `${method} ${JSON.stringify(params)}`, outcome: gives(text) ? 'open' : refused ? 'refused' : 'harmless' };
}

export async function otherClients(world: World): Promise<Tried[]> {
  const results: Tried[] = [];
  for (const victim of world.victims) {
    const { file, uri } = await storedBy(victim);
    const folder = path.dirname(file);
    const started = await victim.call('call_tool_with_file_content', {
      server: 'echo',
      tool_name: 'anything',
      tool_args: { secret: SECRET },
      path: world.at('ordinary.txt'),
      data_key: 'a',
      as: 'text',
      background: true,
    });
    const { job_id } = started.json();
    for (const client of world.attackers) {
      const named = (text: string) => text.includes(path.basename(folder));
      for (const place of [folder, path.dirname(folder), world.at('own')]) {
        for (const name of ['list_directory', 'list_directory_with_sizes', 'directory_tree', 'search_files', 'get_file_info']) {
          const args = { path: place, pattern: '**', excludePatterns: [] };
          const told = (text: string) => named(text.replaceAll(place, ''));
          results.push(await requested(client, 'tools/call', { name, arguments: args }, told));
        }
      }
      results.push(await requested(client, 'resources/list', {}, named));
      results.push(await requested(client, 'resources/read', { uri }, (text) => text.includes(SECRET)));
      for (const name of ['job_status', 'cancel_job'])
        results.push(
          await requested(client, 'tools/call', { name, arguments: { job_id } }, (text) => !text.includes('JOB_UNKNOWN')),
        );
      // Last, because the files that the attacker stores may have these names.
      for (const call of [...reading(world, file), ...writing(world, file), ...writing(world, folder)])
        results.push(await attempt(client, call, [file]));
    }
  }
  return results;
}

export async function resources(world: World): Promise<Tried[]> {
  const { at, workspace } = world;
  const files = [
    workspace.at('outside', 'secret.txt'),
    at('own', 'settings.json'),
    at('own', 'state', 'tokens.json'),
    at('ordinary.txt'),
    '/etc/passwd',
    '/proc/self/environ',
  ];
  const uris = [
    ...files.map((file) => pathToFileURL(file).href),
    ...files,
    ...files.map((file) => `file://localhost${file}`),
    ...files.map((file) => `filebridge://responses/..${file}`),
    'file:///',
    '',
    '%00',
    'http://127.0.0.1/',
  ];
  const results: Tried[] = [];
  for (const client of world.attackers)
    for (const uri of uris)
      results.push(await requested(client, 'resources/read', { uri }, (text) => text.includes('"contents"')));
  return results;
}

/** The server `guarded` needs an approval for each call, and nobody gives one. */
export async function approvals(world: World): Promise<Tried[]> {
  const mark = 'this-must-not-be-sent';
  const target = { server: 'guarded', tool_name: 'anything' };
  const tool_args = { mark };
  const file = await world.home.file('to-be-sent.json', JSON.stringify([{ mark }]));
  const send = { ...target, path: file, data_key: 'rows' };
  const calls: [string, JsonObject][] = [
    ['call_tool', { ...target, tool_args }],
    ['call_tool', { ...target, tool_args, confirm: false }],
    ['call_tool', { ...target, tool_args, approve: true, approved: true, confirmed: true }],
    ['call_tool_and_store', { ...target, tool_args }],
    ['call_tool_with_file_content', send],
    ['call_tool_with_file_content', { ...send, batch: 'auto' }],
    ['call_tool_with_file_content', { ...send, batch: { size: 1, concurrency: 4 } }],
    ['call_tool_with_file_content', { ...send, batch: { resume: 'any' } }],
    ['call_tool_with_file_content', { ...send, output_format: 'structured' }],
    ['call_tool_with_file_content', { ...send, storage_path: world.at('out') }],
    ['call_tool_with_file_content', { ...target, files: [{ path: file, data_key: 'rows' }] }],
    ['guarded__anything', { mark }],
    ['guarded__no_list', { name: mark }],
    ['call_tool_and_store', { ...target, tool_args, storage_path: world.at('out'), filename: 'saved.json' }],
    ['guarded__no_list', { name_path: file }],
    ['call_tool', { server: 'guarded', tool_name: 'no_list', tool_args: { name_path: file } }],
    ['call_tool', { server: 'echo', tool_name: 'guarded__anything', tool_args }],
    ['call_tool', { server: 'Guarded', tool_name: 'anything', tool_args }],
    ['call_tool', { server: ' guarded', tool_name: 'anything', tool_args }],
    ['call_tool', { server: 'guarded', tool_name: 'Anything', tool_args }],
  ];
  const results: Tried[] = [];
  for (const client of world.attackers) {
    for (const [name, args] of calls) {
      // Arguments quoted in a refusal were not sent.
      const sent = (text: string) => !/"isError":true|MCP error|Error:/.test(text) && text.includes(mark);
      results.push(await requested(client, 'tools/call', { name, arguments: args }, sent));
    }
  }
  return results;
}

interface Knock {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stranger', version: '1' } },
};

function knock(
  url: string,
  { method = 'POST', path: place = '/mcp', headers = {} }: Knock,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const given = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const request = http.request(
      { host: '127.0.0.1', port: new URL(url).port, method, path: place, headers: given },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    request.once('error', reject);
    request.end(method === 'POST' ? JSON.stringify(initialize) : undefined);
  });
}

export async function httpServer({ http: { url, token } }: World): Promise<Tried[]> {
  const bearer = `Bearer ${token}`;
  const changed = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  const authorizations = [
    ...['', 'Bearer', 'Bearer ', 'Bearer null', 'Bearer undefined', `Basic ${token}`, token, `${bearer}x`, `${bearer} ${token}`],
    ...[0, 20, token.length - 1].map((at) => `Bearer ${changed(at)}`),
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toLowerCase()}`,
  ].filter((each) => each !== bearer);
  const hosts = [
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '169.254.169.254',
    '0.0.0.0.evil.example',
  ];
  const origins = [
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'null',
    'file://',
    'http://evil@127.0.0.1.example',
  ];
  const knocks: Knock[] = [
    ...['POST', 'GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'PATCH'].map((method) => ({ method })),
    ...authorizations.map((authorization) => ({ headers: { authorization } })),
    ...hosts.map((host) => ({ headers: { authorization: bearer, host } })),
    ...origins.map((origin) => ({ headers: { authorization: bearer, origin } })),
    ...origins.map((origin) => ({ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })),
    ...['token', 'access_token', 'authorization'].map((name) => ({ path: `/mcp?${name}=${token}` })),
    { headers: { cookie: `token=${token}` } },
    { headers: { 'x-forwarded-host': 'localhost', host: 'evil.example', authorization: bearer } },
    { headers: { 'mcp-session-id': token } },
    ...['/', '/../mcp', '//mcp', '/api', '/events', '/tokens.json'].map((place) => ({ path: place })),
  ];
  const results: Tried[] = [];
  for (const given of knocks) {
    const { status, body } = await knock(url, given);
    const open = status < 300 || body.includes('serverInfo') || body.includes(token);
    results.push({ what: JSON.stringify(given).replaceAll(token, 'TOKEN'), outcome: open ? 'open' : 'refused' });
  }
  return results;
}

/** Tools whose texts contain terminal escapes, printed by each command that prints tools. */
export async function terminal(world: World): Promise<Tried[]> {
  const script = await world.workspace.file('script.json', JSON.stringify({ tools: poisonedTools, results: {} }));
  const upstreams = { poisoned: fixtureServer('scripted.mjs', [script, world.workspace.at('record')]) };
  const home = await openHome({ upstreams });
  const results: Tried[] = [];
  try {
    for (const command of ['audit', 'audit --json', 'doctor']) {
      const { stdout, stderr } = await runCli(command.split(' '), { env: home.env });
      const acts = UNSEEN.test(stdout.toString('utf8') + stderr);
      for (const { name } of poisonedTools) results.push({ what: `${command}: ${name}`, outcome: acts ? 'open' : 'harmless' });
    }
  } finally {
    await home.workspace.remove();
  }
  return results;
}
