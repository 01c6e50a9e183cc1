import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { toAppError } from '../../shared/model/errors.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import { filledOffer, outlined } from './filled.ts';
import type { InputValues, Offer } from './offer.ts';
import { readPasted } from './pasted.ts';

const read = (text: string): Promise<Offer[]> => readPasted(text, { folder: '/data/bundles' });

/** What would run, in short: `name: command args {env} @cwd` or `name: url {headers}`; ‹names› stand for values that are asked for. */
function inShort(offer: Offer): string {
  const { upstream, refusal, shown } = outlined(offer);
  if (!upstream || refusal) throw refusal ?? new Error(`${offer.name} is no server`);
  const values = upstream.type === 'stdio' ? upstream.env : upstream.headers;
  const place =
    upstream.type === 'stdio'
      ? [upstream.command, ...upstream.args].join(' ')
      : `${upstream.type === 'sse' ? 'sse ' : ''}${upstream.url}`;
  const more = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  const cwd = upstream.type === 'stdio' && upstream.cwd !== null ? ` @${upstream.cwd}` : '';
  return shown(`${offer.name}: ${place}${more.length === 0 ? '' : ` {${more.join(', ')}}`}${cwd}`);
}

const pasted = async (text: string): Promise<string[]> => (await read(text)).map(inShort);

const fails = async (text: string) => {
  const error = toAppError(
    await read(text).then(
      (offers) => expect.fail(JSON.stringify(offers)),
      (thrown: unknown) => thrown,
    ),
  );
  return { code: error.code, message: error.message, hint: error.hint };
};

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const inUrl = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const home = os.homedir();

describe('command lines', () => {
  it.each<[text: string, server: string]>([
    ['npx -y @modelcontextprotocol/server-memory', 'server-memory: npx -y @modelcontextprotocol/server-memory'],
    ['$ uvx mcp-server-git --repository "/my repo"', 'mcp-server-git: uvx mcp-server-git --repository /my repo'],
    ['@scope/server@1.2.3', 'server: npx -y @scope/server@1.2.3'],
    ['`npx -y a-server`', 'a-server: npx -y a-server'],
    ['API_KEY=k-1 LEVEL="de bug" npx -y a-server', 'a-server: npx -y a-server {API_KEY=k-1, LEVEL=de bug}'],
    ['export A_TOKEN=abc\nexport B=2\nnpx -y a-server # starts it', 'a-server: npx -y a-server {A_TOKEN=abc, B=2}'],
    ['$env:A_TOKEN = "abc"; npx -y a-server', 'a-server: npx -y a-server {A_TOKEN=abc}'],
    ['cmd /c npx -y a-server', 'a-server: npx -y a-server'],
    ['npx -y a-server \\\n  --port 3 \\\n  --fast', 'a-server: npx -y a-server --port 3 --fast'],
    ['PS C:\\Users\\me> npx -y a-server', 'a-server: npx -y a-server'],
    ['cd ~/tools && node dist/index.js', `index: node dist/index.js @${home}/tools`],
    ['git clone https://github.com/a/b && cd b && npm install && node server.js', `server: node server.js @${home}/b`],
    ['node ~/tools/db.js', `db: node ${home}/tools/db.js`],
    ['"C:\\Program Files\\db\\db.exe" --port 1', 'db: C:\\Program Files\\db\\db.exe --port 1'],
    ['/opt/db/bin/db-server stdio', 'db-server: /opt/db/bin/db-server stdio'],
    ['my-mcp-server --stdio', 'my-mcp-server: my-mcp-server --stdio'],
    ['uv run --directory /srv/weather weather.py', 'weather: uv run --directory /srv/weather weather.py'],
    [
      'uvx --from git+https://github.com/a/serena serena start-mcp-server',
      'serena: uvx --from git+https://github.com/a/serena serena start-mcp-server',
    ],
    ['pipx run mcp-thing==1.0', 'mcp-thing: pipx run mcp-thing==1.0'],
    ['npx -y a-server --key $API_KEY', 'a-server: npx -y a-server --key ‹API_KEY›'],
    ['npx -y a-server "$(pwd)"', 'a-server: npx -y a-server ‹Folder›'],
    ['npx -y a-server /path/to/folder', 'a-server: npx -y a-server ‹Folder›'],
    ['npx -y a-server --token <your-token>', 'a-server: npx -y a-server --token ‹Token›'],
    ['npx -y mcp-remote https://x.example/sse', 'mcp-remote: npx -y mcp-remote https://x.example/sse'],
  ])('%s', async (text, server) => expect(await pasted(text)).toEqual([server]));

  it.each<[text: string, server: string]>([
    ['docker run -i --rm mcp/time', 'time: docker run -i --rm mcp/time'],
    ['docker run -it --rm mcp/time', 'time: docker run -i --rm mcp/time'],
    ['docker run --rm mcp/time:latest', 'time: docker run -i --rm mcp/time:latest'],
    [
      'docker run -i --rm -e GITHUB_TOKEN=ghp_1 ghcr.io/github/github-mcp-server',
      'github-mcp-server: docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server {GITHUB_TOKEN=ghp_1}',
    ],
    ['docker run -i --rm -e TOKEN img', 'img: docker run -i --rm -e TOKEN img {TOKEN=‹TOKEN›}'],
    [
      'docker run -i --rm --env=A_KEY=<key> -e LEVEL=info img',
      'img: docker run -i --rm -e A_KEY -e LEVEL=info img {A_KEY=‹A_KEY›}',
    ],
    [
      'docker run -i --rm -v $(pwd):/data --mount type=bind,src=/a,dst=/b mcp/fs /data',
      'fs: docker run -i --rm -v ‹Folder›:/data --mount type=bind,src=/a,dst=/b mcp/fs /data',
    ],
    [
      'podman run --rm -d -p 80:80 reg.example:5000/a/b@sha256:00 --x',
      'b: podman run -i --rm -p 80:80 reg.example:5000/a/b@sha256:00 --x',
    ],
    ['docker pull mcp/time && docker run -i --rm mcp/time', 'time: docker run -i --rm mcp/time'],
  ])('%s', async (text, server) => expect(await pasted(text)).toEqual([server]));
});

describe('commands that add a server to an app', () => {
  it.each<[text: string, ...servers: string[]]>([
    ['claude mcp add db -- npx -y db-server --fast', 'db: npx -y db-server --fast'],
    ['claude mcp add db -s user -e KEY=v B=2 -- npx db', 'db: npx db {KEY=v, B=2}'],
    ['claude mcp add --env KEY=v --scope project db -- npx db --env X', 'db: npx db --env X {KEY=v}'],
    ['claude mcp add db npx -y db-server', 'db: npx -y db-server'],
    ['claude mcp add --transport http linear https://mcp.linear.app/mcp', 'linear: https://mcp.linear.app/mcp'],
    ['claude mcp add -t sse a https://a.example/sse --header "X-Key: abc"', 'a: sse https://a.example/sse {X-Key=abc}'],
    [
      'claude mcp add --transport http a https://a.example/mcp -H "Authorization: Bearer <token>"',
      'a: https://a.example/mcp {Authorization=Bearer ‹Authorization›}',
    ],
    [`claude mcp add-json a '{"type":"stdio","command":"npx","args":["-y","x"]}'`, 'a: npx -y x'],
    [`claude mcp add-json a "{\\"url\\":\\"https://a.example/mcp\\"}"`, 'a: https://a.example/mcp'],
    ['codex mcp add docs --env A=1 -- npx -y docs-server', 'docs: npx -y docs-server {A=1}'],
    [
      'codex mcp add docs --url https://d.example/mcp --bearer-token-env-var DOCS_TOKEN',
      'docs: https://d.example/mcp {Authorization=Bearer ‹DOCS_TOKEN›}',
    ],
    ['gemini mcp add -s user -e API_KEY=1 db /usr/bin/db arg1 arg2', 'db: /usr/bin/db arg1 arg2 {API_KEY=1}'],
    ['gemini mcp add --transport http web https://w.example/mcp', 'web: https://w.example/mcp'],
    ['gemini mcp add db python3 server.py -- --flag', 'db: python3 server.py -- --flag'],
    [`code --add-mcp '{"name":"p","command":"npx","args":["p@latest"]}'`, 'p: npx p@latest'],
    [`code-insiders --add-mcp "{\\"name\\":\\"p\\",\\"url\\":\\"https://p.example/mcp\\"}"`, 'p: https://p.example/mcp'],
    [`cursor --add-mcp='{"name":"p","command":"npx"}'`, 'p: npx'],
    ['amp mcp add web --header "X=1" https://w.example/mcp', 'web: https://w.example/mcp {X=1}'],
    ['droid mcp add web "npx -y web-server" --env A=1', 'web: npx -y web-server {A=1}'],
    ['q mcp add --name git --command uvx --args "mcp-server-git" --env A=1', 'git: uvx mcp-server-git {A=1}'],
    ['# both\nclaude mcp add a -- npx a\nclaude mcp add b -- npx b', 'a: npx a', 'b: npx b'],
    ['claude mcp add db \\\n  --env KEY=v \\\n  -- npx db', 'db: npx db {KEY=v}'],
  ])('%s', async (text, ...servers) => expect(await pasted(text)).toEqual(servers));
});

describe('install links', () => {
  const entry = { command: 'npx', args: ['-y', 'x'], env: { A: '1' } };
  const run = 'x: npx -y x {A=1}';
  it.each<[what: string, text: string, server: string]>([
    ['VS Code', `vscode:mcp/install?${inUrl({ name: 'x', ...entry })}`, run],
    ['VS Code Insiders', `vscode-insiders:mcp/install?${inUrl({ name: 'x', ...entry })}`, run],
    ['the page of VS Code', `https://insiders.vscode.dev/redirect/mcp/install?name=x&config=${inUrl(entry)}`, run],
    [
      'the older page of VS Code',
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${inUrl({ name: 'x', ...entry })}`)}`,
      run,
    ],
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${encodeURIComponent(base64(entry))}`, run],
    [
      'Cursor, with a whole line',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${base64({ command: 'npx -y x' })}`,
      'x: npx -y x',
    ],
    ['the page of Cursor', `https://cursor.com/en/install-mcp?name=x&config=${base64(entry)}`, run],
    ['LM Studio', `lmstudio://add_mcp?name=x&config=${base64(entry)}`, run],
    ['Kiro', `https://kiro.dev/launch/mcp/add?name=x&config=${inUrl(entry)}`, run],
    ['Goose', 'goose://extension?cmd=npx&arg=-y&arg=x&id=x&name=The%20X&env=KEY%3DYour%20key', 'x: npx -y x {KEY=‹KEY›}'],
    [
      'Goose, remote',
      'goose://extension?url=https%3A%2F%2Fx.example%2Fmcp&type=streamable_http&id=x&name=X',
      'x: https://x.example/mcp',
    ],
    [
      'Markdown',
      `[![Install](https://img.shields.io/badge/a)](https://cursor.com/install-mcp?name=x&config=${base64(entry)})`,
      run,
    ],
    ['HTML', `<a href="https://cursor.com/install-mcp?name=x&amp;config=${base64(entry)}">Add</a>`, run],
  ])('%s', async (_what, text, server) => expect(await pasted(text)).toEqual([server]));

  it('ask for what VS Code asks', async () => {
    const inputs = [{ type: 'promptString', id: 'key', description: 'From your account', password: true }];
    const config = { url: 'https://x.example/mcp', headers: { 'X-Key': '${input:key}' } };
    const text = `https://vscode.dev/redirect/mcp/install?name=x&config=${inUrl(config)}&inputs=${inUrl(inputs)}`;
    const [offer] = await read(text);
    expect(offer?.inputs).toMatchObject([
      { id: 'key', label: 'Key', description: 'From your account', secret: true, required: true },
    ]);
    expect(await pasted(text)).toEqual(['x: https://x.example/mcp {X-Key=‹Key›}']);
  });
});

describe('addresses', () => {
  it.each<[text: string, server: string]>([
    ['https://mcp.linear.app/sse', 'linear.app: sse https://mcp.linear.app/sse'],
    [' <https://api.example.com/mcp/> ', 'example.com: https://api.example.com/mcp/'],
    ['http://localhost:3000/mcp', 'localhost: http://localhost:3000/mcp'],
    ['https://x.example/mcp?api_key=YOUR_API_KEY', 'x.example: https://x.example/mcp?api_key=‹YOUR_API_KEY›'],
    ['https://www.npmjs.com/package/@scope/db?activeTab=readme', 'db: npx -y @scope/db'],
    ['https://pypi.org/project/mcp-server-git/', 'mcp-server-git: uvx mcp-server-git'],
  ])('%s', async (text, server) => expect(await pasted(text)).toEqual([server]));
});

describe('settings', () => {
  it.each<[what: string, text: string, ...servers: string[]]>([
    ['Claude', '{"mcpServers": {"db": {"command": "x"}}}', 'db: x'],
    ['a fenced block', 'Add this:\n```json\n{"mcpServers": {"db": {"command": "x"}}}\n```\nThen restart.', 'db: x'],
    ['typographic quotes', '{“mcpServers”: {“db”: {“command”: “x”}}}', 'db: x'],
    ['VS Code', '{ // mine\n "servers": {"db": {"type": "stdio", "command": "x",},}, }', 'db: x'],
    ['settings of VS Code', '{"mcp": {"servers": {"db": {"command": "x"}}}}', 'db: x'],
    ['a part of a block', '"db": {"command": "x"},', 'db: x'],
    ["an editor's folder", '{"servers": {"fs": {"command": "fs", "args": ["${workspaceFolder}/docs"]}}}', 'fs: fs ‹Folder›/docs'],
    [
      'Zed',
      '{"context_servers": {"a": {"source": "custom", "command": {"path": "p", "args": ["1"], "env": {"B": "2"}}}}}',
      'a: p 1 {B=2}',
    ],
    ['Windsurf', '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp"}}}', 'a: https://a.example/mcp'],
    [
      'Gemini',
      '{"mcpServers": {"a": {"httpUrl": "https://a.example/mcp", "headers": {"X": "1"}}}}',
      'a: https://a.example/mcp {X=1}',
    ],
    ['Codex', '[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "a"]\n[mcp_servers.a.env]\nB = "2"\n', 'a: npx -y a {B=2}'],
    [
      'Codex, remote',
      '[mcp_servers."a b"]\nurl = "https://a.example/mcp"\nhttp_headers = { X = "1" }',
      'a b: https://a.example/mcp {X=1}',
    ],
    ['Mistral Vibe', '[[mcp_servers]]\nname = "a"\ntransport = "stdio"\ncommand = "npx"\nargs = ["a"]\n', 'a: npx a'],
    [
      'Goose',
      'extensions:\n  dev:\n    type: builtin\n    enabled: true\n  gh:\n    type: stdio\n    cmd: npx\n    args: [gh]\n    env_keys: [GH_TOKEN]\n    envs: {A: "1"}\n',
      'gh: npx gh {GH_TOKEN=‹GH_TOKEN›, A=1}',
    ],
    [
      'Goose, remote',
      'extensions:\n  web:\n    type: streamable_http\n    uri: https://w.example/mcp\n',
      'web: https://w.example/mcp',
    ],
    [
      'OpenCode',
      '{"mcp": {"a": {"type": "local", "command": ["npx", "-y", "a"], "environment": {"B": "2"}, "enabled": true}, "b": {"type": "remote", "url": "https://b.example/mcp"}}}',
      'a: npx -y a {B=2}',
      'b: https://b.example/mcp',
    ],
    ['Crush', '{"mcp": {"a": {"type": "http", "url": "https://a.example/mcp"}}}', 'a: https://a.example/mcp'],
    [
      'Continue',
      'name: mine\nversion: 0.0.1\nmcpServers:\n  - name: a\n    command: uvx\n    args:\n      - mcp-a\n    env:\n      B: 2\n',
      'a: uvx mcp-a {B=2}',
    ],
    [
      'older Continue',
      '{"experimental": {"modelContextProtocolServers": [{"transport": {"type": "stdio", "command": "uvx", "args": ["mcp-a"]}}]}}',
      'mcp-a: uvx mcp-a',
    ],
    ['LibreChat', 'mcpServers:\n  a:\n    type: streamable-http\n    url: https://a.example/mcp\n', 'a: https://a.example/mcp'],
    ['Amp', '{"amp.mcpServers": {"a": {"command": "a"}}}', 'a: a'],
    ['Cline', '{"mcpServers": {"a": {"command": "a", "args": [], "disabled": false, "autoApprove": []}}}', 'a: a'],
    ['Copilot CLI', '{"mcpServers": {"a": {"type": "local", "command": "a", "tools": ["*"], "args": ["b"]}}}', 'a: a b'],
    [
      'Cherry Studio',
      '{"mcpServers": {"a": {"type": "streamableHttp", "baseUrl": "https://a.example/mcp", "command": ""}}}',
      'a: https://a.example/mcp',
    ],
    [
      'a list',
      '[{"name": "a", "command": "x"}, {"name": "b", "url": "https://b.example/mcp"}]',
      'a: x',
      'b: https://b.example/mcp',
    ],
    ['a dev container', '{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "x"}}}}}}', 'a: x'],
    [
      'Docker with a key',
      '{"mcpServers": {"gh": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "img"], "env": {"GITHUB_TOKEN": "<YOUR_TOKEN>"}}}}',
      'gh: docker run -i --rm -e GITHUB_TOKEN img {GITHUB_TOKEN=‹GITHUB_TOKEN›}',
    ],
    [
      'samples',
      '{"mcpServers": {"a": {"command": "npx", "args": ["a", "/Users/username/Desktop", "--file", "/path/to/db.sqlite"], "env": {"API_KEY": "your-api-key-here", "OTHER_KEY": "sk-xxxx", "LEVEL": "info"}}}}',
      'a: npx a ‹Folder› --file ‹File› {API_KEY=‹API_KEY›, OTHER_KEY=‹OTHER_KEY›, LEVEL=info}',
    ],
  ])('%s', async (_what, text, ...servers) => expect(await pasted(text)).toEqual(servers));
});

describe('values that only the person knows', () => {
  const only = async (text: string) => (await read(text))[0] as Offer;
  const filled = (offer: Offer, values: InputValues) => filledOffer(offer, values);

  it('go in where they belong, and nothing in them is taken for more', async () => {
    const offer = await only(
      '{"inputs": [{"id": "key", "type": "promptString", "password": true}, {"id": "region", "type": "pickString", "options": ["eu", "us"], "default": "eu"}], "servers": {"a": {"command": "a", "args": ["--in=${input:dir}"], "env": {"X": "k ${input:key}", "REGION": "${input:region}"}}}}',
    );
    const values = { key: '$HOME ${input:dir} zq1zq', dir: '/a b' };
    const { upstream, secrets } = filled(offer, values);
    expect(upstream).toMatchObject({ command: 'a', args: ['--in=/a b'], env: { X: 'k $HOME ${input:dir} zq1zq', REGION: 'eu' } });
    expect(secrets).toEqual(['X']);
    expect(() => filled(offer, { ...values, region: 'mars' })).toThrow("'Region' takes one of: eu, us");
    expect(() => filled(offer, { dir: '/a' })).toThrow("The server 'a' needs a value for 'Key'");
    expect(() => filled(offer, { ...values, key: '${secret:abc}' })).toThrow('stored secret');
  });

  it('may stand in an address, which must be one in the end', async () => {
    const offer = await only(
      '{"servers": {"a": {"url": "${input:base}/mcp"}, "b": {"url": "http://${input:host}:${input:port}/x"}}}',
    );
    expect(filled(offer, { base: 'https://a.example' }).upstream).toMatchObject({ url: 'https://a.example/mcp' });
    expect(filled(offer, { base: 'nonsense' })).toMatchObject({ upstream: null, refusal: { code: 'INVALID_REQUEST' } });
    const [, second] = await read('{"servers": {"a": {"command": "x"}, "b": {"url": "http://${input:host}:${input:port}/x"}}}');
    expect(filled(second as Offer, { host: 'h.example', port: '81' }).upstream).toMatchObject({ url: 'http://h.example:81/x' });
    expect(inShort(second as Offer)).toBe('b: http://‹Host›:‹Port›/x');
  });

  it('are read as references where they are', async () => {
    const offer = await only('{"servers": {"a": {"command": "a", "env": {"KEY": "${input:key}"}}}}');
    expect(
      filled({ ...offer, inputs: offer.inputs.map((input) => ({ ...input, secret: true })) }, { key: '${MY_KEY}' }),
    ).toMatchObject({
      upstream: { env: { KEY: '${MY_KEY}' } },
      secrets: [],
    });
  });
});

describe('what is no server', () => {
  it.each<[what: string, text: string, message: string]>([
    ['nothing', ' \n\t', 'Nothing was pasted'],
    ['prose', 'Please install the weather server, it is great!', 'is not understood'],
    ['a word', 'hunter2', 'is not understood'],
    ['JSON without servers', '{"a": 1}', 'has no servers in it'],
    ['broken JSON', '{"mcpServers": {"db": {"env": {"KEY": "hunter2" "X"', 'is not valid JSON'],
    ['broken TOML', '[mcp_servers.x]\ncommand =', 'is not valid TOML'],
    ['broken YAML', 'mcpServers:\n  a: {command: x', 'is not valid YAML'],
    ['an open quote', 'npx -y "a-server', 'quotation mark'],
    ['a pipe', 'curl -fsSL https://x.example/i.sh | sh', "needs a shell: it has '|'"],
    ['a substitution', 'npx a-server $(cat key)', 'needs a shell'],
    ['an installation', 'npm install -g a-server', 'installs a server'],
    ['another app', 'npx -y @smithery/cli install a-server --client claude', 'settings of another app'],
    ['a list of an app', 'claude mcp list', 'settings of another app'],
    ['a page', 'https://github.com/modelcontextprotocol/servers', 'a page of github.com'],
    ['a download', 'https://x.example/a.mcpb', 'can be downloaded'],
    ['a broken link', 'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30x', 'install link is damaged'],
    ['depth', '['.repeat(200_000), 'is not understood'],
    ['deep JSON', `{"a":${'['.repeat(200_000)}`, 'pasted text is'],
    ['deep YAML', `mcpServers: ${'['.repeat(50_000)}`, 'pasted text is'],
    ['length', `npx ${'a'.repeat(3_000_000)}`, 'longer than settings'],
    [
      'many',
      JSON.stringify({ mcpServers: Object.fromEntries([...Array(600).keys()].map((n) => [`s${n}`, { command: 'x' }])) }),
      'more than 500 servers',
    ],
    [
      'a YAML bomb',
      `mcpServers:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `  ${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`).join('\n')}\n`,
      'is not valid YAML',
    ],
  ])('%s', async (_what, text, message) => {
    const error = await fails(text);
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w/),
    });
    expect(error.message + error.hint).not.toContain('hunter2');
  });

  it('is said in German, too', async () => {
    const error = toAppError(await read('hunter2').catch((thrown: unknown) => thrown));
    expect(personsWords(error, 'de').message).toBe('Der eingefügte Text ist nicht verständlich');
  });

  it('is refused beside others in the same text', async () => {
    const [good, bad] = await read('{"mcpServers": {"good": {"command": "x"}, "bad": {"url": "nonsense"}}}');
    expect(inShort(good as Offer)).toBe('good: x');
    expect(outlined(bad as Offer).refusal?.message).toContain("server 'bad'");
  });

  it('takes no name of a member of objects for an input', async () => {
    const [offer] = await read('{"servers": {"a": {"command": "a", "args": ["${input:__proto__}", "${input:constructor}"]}}}');
    expect(() => filledOffer(offer as Offer, {})).toThrow('needs a value');
    expect(filledOffer(offer as Offer, JSON.parse('{"__proto__": "1", "constructor": "2"}')).upstream).toMatchObject({
      args: ['1', '2'],
    });
  });
});
