/** Attacks by what a client or a server says: roots, links in answers, templates and expressions, the console's link. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import { cliFile } from '../cli.ts';
import { endProcess } from '../filebridge.ts';
import type { JsonObject } from '../mcp-clients.ts';
import { attempt, reading, type Tried, writing } from './tries.ts';
import { SECRET, type World } from './world.ts';

/** A client whose roots name what it may not reach. */
export async function roots(world: World): Promise<Tried[]> {
  const files = [world.workspace.at('outside', 'secret.txt'), world.at('own', 'settings.json'), world.workspace.at('secret.txt')];
  const client = await world.rooted(['file:///', ...files.map((file) => pathToFileURL(file).href), 'file:///proc', 'x:', '']);
  const results: Tried[] = [];
  try {
    for (const file of files) {
      for (const call of [...reading(world, file), ...writing(world, file)]) results.push(await attempt(client, call, [file]));
    }
  } finally {
    await client.close();
  }
  return results;
}

/** A server whose answer links to files of the user. */
export async function links(world: World): Promise<Tried[]> {
  const files = [world.at('own', 'settings.json'), world.workspace.at('outside', 'secret.txt'), '/proc/self/environ'];
  const ways: [string, JsonObject][] = [
    ['call_tool', { server: 'linking', tool_name: 'links' }],
    ['call_tool', { server: 'linking', tool_name: 'links', output_format: 'raw' }],
    ['call_tool', { server: 'linking', tool_name: 'links', output_format: 'markdown' }],
    ['call_tool_and_store', { server: 'linking', tool_name: 'links' }],
    ['linking__links', {}],
    ['call_tool_and_store', { server: 'linking', tool_name: 'links', storage_path: world.at('out'), filename: 'links.json' }],
  ];
  const results: Tried[] = [];
  for (const client of world.attackers) {
    for (const way of ways) {
      results.push(await attempt(client, way, files.slice(0, 2)));
      const { resources } = (await client.request('resources/list', {})) as { resources: { uri: string }[] };
      for (const file of files) {
        const uri = pathToFileURL(file).href;
        const listed = resources.some((resource) => resource.uri === uri);
        const read = await client.request('resources/read', { uri }).then(
          () => true,
          () => false,
        );
        results.push({ what: `${way[0]} ${JSON.stringify(way[1])}, then ${uri}`, outcome: listed || read ? 'open' : 'refused' });
      }
    }
  }
  return results;
}

/** Templates, conditions and expressions that reach for the program around them: its variables hold the secret. */
export async function expressions(world: World): Promise<Tried[]> {
  const file = await world.home.file('rows.json', '[{"a":1}]');
  const reaches = [
    'process.env',
    'process.env.ATTACKED_VARIABLE',
    'globalThis.process.env.ATTACKED_VARIABLE',
    'constructor.constructor("return process.env.ATTACKED_VARIABLE")()',
    '__proto__.constructor.constructor("return process")().env',
    'this.constructor.constructor("return process.env")()',
    'require("fs").readFileSync("/proc/self/environ","utf8")',
  ];
  const expressions = [
    ...reaches,
    '$eval("process.env.ATTACKED_VARIABLE")',
    '$eval("$constructor")',
    '$string($)',
    '$env.ATTACKED_VARIABLE',
    '$lookup($, "__proto__")',
    '$lookup($string, "constructor")',
    '$map.constructor("return process.env.ATTACKED_VARIABLE")()',
    '($f := $sum; $f.implementation.constructor("return process")())',
    '$match("a", /a/).constructor',
    '$import("fs")',
  ];
  const send = { server: 'echo', tool_name: 'anything', path: file, data_key: 'rows' };
  const calls: [string, JsonObject][] = [
    ...expressions.map((expression): [string, JsonObject] => [
      'call_tool_with_file_content',
      { ...send, transform: { expression } },
    ]),
    ...expressions.map((expression): [string, JsonObject] => ['preview_file', { path: file, transform: { expression } }]),
    ...reaches.flatMap((reach): [string, JsonObject][] => [
      ['call_tool', { server: 'echo', tool_name: 'anything', output_format: 'custom', template: `{{${reach}}}` }],
      [
        'call_tool_with_file_content',
        { ...send, output_format: 'custom', template: `{{{${reach}}}} \${${reach}} <%= ${reach} %>` },
      ],
      ['call_tool_with_file_content', { ...send, transform: { select: [reach] } }],
      ['call_tool_with_file_content', { ...send, transform: { rename: { a: `\${${reach}}` } } }],
      ['call_tool', { server: 'echo', tool_name: 'anything', tool_args: { a: `\${ATTACKED_VARIABLE} \${${reach}}` } }],
      ['preview_file', { path: `\${${reach}}` }],
    ]),
  ];
  const results: Tried[] = [];
  for (const client of world.attackers) for (const call of calls) results.push(await attempt(client, call, [file]));
  return results;
}

/** Whoever reaches the console's port without its link, or with one that was used. */
export async function consoleLink(world: World): Promise<Tried[]> {
  const child = spawn(process.execPath, [cliFile, 'console'], { env: world.home.env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const url = new URL(/http:\S+/.exec(said.toString('utf8'))?.[0] ?? '');
  const token = url.hash.replace('#link=', '');
  const origin = url.origin;
  const knock = (method: string, place: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const given = { origin, 'content-type': 'application/json', ...headers };
      const request = http.request({ host: '127.0.0.1', port: url.port, method, path: place, headers: given }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.once('error', reject);
      request.end(body);
    });
  const ask = JSON.stringify({ name: 'status.get', input: {} });
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  const wrong = ['', 'null', token.slice(1), `${token}x`, token.toLowerCase(), token.split('').reverse().join('')].filter(
    (each) => each !== token,
  );
  const results: Tried[] = [];
  const refused = async (method: string, place: string, headers: Record<string, string>, body?: string) => {
    const { status, text } = await knock(method, place, headers, body);
    const what = `${method} ${place} ${JSON.stringify(headers)}`.replaceAll(token, 'LINK');
    results.push({ what, outcome: status < 400 || text.includes(SECRET) ? 'open' : 'refused' });
  };
  try {
    for (const each of wrong) await refused('POST', '/session', bearer(each));
    for (const strange of ['https://evil.example', 'null', `${origin}.evil.example`])
      await refused('POST', '/session', { ...bearer(token), origin: strange });
    await refused('POST', '/session', { ...bearer(token), host: 'evil.example' });
    await refused('GET', '/session', bearer(token));
    for (const each of [...wrong, token]) {
      await refused('POST', '/api', bearer(each), ask);
      await refused('GET', '/api/events', bearer(each));
    }
    await refused('POST', `/api?token=${token}`, {}, ask);
    await refused('POST', '/api', { cookie: `session=${token}` }, ask);
    // The person follows it, once.
    const { text: session } = await knock('POST', '/session', bearer(token));
    const mine = await knock('POST', '/api', bearer(session), ask);
    if (mine.status !== 200) throw new Error(`the link does not work: ${mine.status}`);
    await refused('POST', '/session', bearer(token));
    await refused('POST', '/session', bearer(session));
    await refused('POST', '/api', { ...bearer(session), origin: 'https://evil.example' }, ask);
    await refused('POST', '/api', { ...bearer(session), host: 'evil.example' }, ask);
  } finally {
    await endProcess(child);
  }
  return results;
}
