/** Command lines and SDKs: mcporter, the MCP inspector, mcp-remote, the SDKs' own clients and the Vercel AI SDK. */
import { access } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { endProcess, serveHttp } from '../filebridge.ts';
import { type ClientKind, type JsonObject, openClient, type Tool, type Way } from '../mcp-clients.ts';
import type { Host, Outcome, Scene } from './host.ts';
import type { SentTool } from './model-api.ts';
import { hostFile, hostModules, type ProgramRun, printsVersion, runProgram } from './programs.ts';

const sent = (tools: readonly Tool[]): SentTool[] => tools.map(({ name, inputSchema }) => ({ name, inputSchema }));
const configFor = ({ home, server }: Scene): Promise<string> =>
  home.workspace.file('host/mcp.json', JSON.stringify({ mcpServers: { filebridge: { type: 'stdio', ...server } } }));
const diaryOf = (...runs: ProgramRun[]): string => runs.map(({ output, code }) => `exit code ${code}\n${output}`).join('\n');

const mcporterProgram = hostFile('mcporter', 'dist', 'cli.js');

const mcporter: Host = {
  name: 'mcporter',
  packages: ['mcporter'],
  prefix: '',
  check: (folder) => printsVersion(mcporterProgram, folder),
  async run(scene) {
    const { folder } = scene;
    const program = [mcporterProgram, '--config', await configFor(scene)];
    const call = ['call', `filebridge.${scene.tool}`, '--args', JSON.stringify(scene.args), '--output', 'json'];
    const listed = await runProgram(process.execPath, [...program, 'list', 'filebridge', '--schema', '--json'], { folder });
    const called = await runProgram(process.execPath, [...program, ...call], { folder });
    const { tools } = JSON.parse(listed.stdout) as { tools: Tool[] };
    return { tools: sent(tools), result: called.stdout, diary: diaryOf(listed, called) };
  },
};

const inspectorProgram = hostFile('@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

const inspector: Host = {
  name: 'MCP inspector',
  packages: ['@modelcontextprotocol/inspector'],
  prefix: '',
  check: (folder) => printsVersion(inspectorProgram, folder),
  async run(scene) {
    const { folder } = scene;
    const program = [inspectorProgram, '--cli', '--config', await configFor(scene), '--server', 'filebridge'];
    // Otherwise it asks for the keychain.
    const options = { folder, env: { MCP_INSPECTOR_SECRET_STORE: 'memory' } };
    const args = Object.entries(scene.args).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const call = ['--method', 'tools/call', '--tool-name', scene.tool, '--tool-arg', ...args];
    const listed = await runProgram(process.execPath, [...program, '--method', 'tools/list'], options);
    const called = await runProgram(process.execPath, [...program, ...call], options);
    const { tools } = JSON.parse(listed.stdout) as { tools: Tool[] };
    return { tools: sent(tools), result: called.stdout, diary: diaryOf(listed, called) };
  },
};

async function outcomeOf(
  kind: ClientKind,
  way: Omit<Extract<Way, { command: string }>, 'onStderr'>,
  { tool, args }: Scene,
): Promise<Outcome> {
  let diary = '';
  const onStderr = (text: string) => {
    diary += text;
  };
  const client = await openClient(kind, { ...way, onStderr });
  try {
    return { tools: sent(await client.tools()), result: (await client.call(tool, args)).text, diary };
  } finally {
    await client.close();
  }
}

const remoteProgram = hostFile('mcp-remote', 'dist', 'proxy.js');

/** Brings hosts that only start programs to our server over HTTP. */
const mcpRemote: Host = {
  name: 'mcp-remote',
  packages: ['mcp-remote'],
  prefix: '',
  // Without an address it prints how it is used, and fails.
  check: () => access(remoteProgram),
  async run(scene) {
    const { child, url, token } = await serveHttp(scene.home, () => undefined, scene.server.args.slice(-2));
    const args = [remoteProgram, url, '--transport', 'http-only', '--header', `Authorization:Bearer ${token}`];
    const env = { ...scene.server.env, HOME: scene.folder, MCP_REMOTE_CONFIG_DIR: scene.folder };
    try {
      return await outcomeOf('v1', { command: process.execPath, args, env }, scene);
    } finally {
      await endProcess(child);
    }
  },
};

const sdk = (kind: ClientKind, name: string): Host => ({
  name,
  packages: [],
  prefix: '',
  check: async () => undefined,
  run: (scene) => outcomeOf(kind, scene.server, scene),
});

/** The little that is used of packages that are not dependencies of Filebridge. */
interface AiSdk {
  generateText(options: JsonObject): Promise<{ text: string; steps: { content: unknown[] }[] }>;
  isStepCount(count: number): unknown;
}
interface AiMcp {
  createMCPClient(options: JsonObject): Promise<{ tools(): Promise<JsonObject>; close(): Promise<void> }>;
}
interface AiStdio {
  Experimental_StdioMCPTransport: new (server: Scene['server']) => unknown;
}
type Provider = (options: { baseURL: string; apiKey: string }) => (model: string) => unknown;

const imported = async <T>(name: string): Promise<T> => (await import(pathToFileURL(hostModules.resolve(name)).href)) as T;

const aiSdk = (provider: string, create: string, model: string, path: string): Host => ({
  name: `AI SDK with ${provider}`,
  packages: ['ai', '@ai-sdk/mcp', provider],
  prefix: '',
  check: () => Promise.all(['ai', '@ai-sdk/mcp', '@ai-sdk/mcp/mcp-stdio', provider].map(imported)),
  async run(scene): Promise<Outcome> {
    const { generateText, isStepCount } = await imported<AiSdk>('ai');
    const { createMCPClient } = await imported<AiMcp>('@ai-sdk/mcp');
    const { Experimental_StdioMCPTransport: Stdio } = await imported<AiStdio>('@ai-sdk/mcp/mcp-stdio');
    const { [create]: createProvider } = await imported<Record<string, Provider>>(provider);
    const client = await createMCPClient({ transport: new Stdio(scene.server) });
    try {
      const { text, steps } = await generateText({
        model: createProvider?.({ baseURL: `${scene.model.url}${path}`, apiKey: 'dummy' })(model),
        tools: await client.tools(),
        stopWhen: isStepCount(3),
        prompt: 'Put people.csv into the table people.',
      });
      const { requests } = scene.model;
      return {
        tools: requests[0]?.tools ?? [],
        result: requests.at(-1)?.results.at(-1) ?? '',
        diary: `${text}\n${JSON.stringify(steps)}`,
      };
    } finally {
      await client.close();
    }
  },
});

export const clients: readonly Host[] = [
  mcporter,
  inspector,
  mcpRemote,
  sdk('v1', 'the SDK v1'),
  sdk('v2 in its default era', 'the SDK v2'),
  sdk('v2 negotiating', 'the SDK v2, negotiating'),
  aiSdk('@ai-sdk/openai', 'createOpenAI', 'gpt-5', '/v1'),
  aiSdk('@ai-sdk/google', 'createGoogleGenerativeAI', 'gemini-2.5-flash', '/v1beta'),
];
