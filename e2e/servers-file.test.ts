/** Servers files as people have them, from other apps: names in any script, placeholders in every part, variables in a file. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliFile, openWorkspace, repository, runCli, type Workspace } from './support/cli.ts';

const everything = path.join(repository, 'node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js');

let workspace: Workspace;
let servers: string;
let env: Record<string, string>;

beforeAll(async () => {
  workspace = await openWorkspace();
  await workspace.file('project/.env', 'FROM_FILE="in the file"\nLEVEL=info\n');
  const node = { command: '${NODE_BINARY}', args: [everything, 'stdio'] };
  servers = await workspace.file(
    'project/mcp.json',
    JSON.stringify({
      mcpServers: {
        'Internet Search (Tavily)': {
          ...node,
          cwd: '${workspaceFolder}',
          envFile: '${workspaceFolder}/.env',
          env: {
            API_KEY: '${env:MY_KEY}',
            URL: 'https://${HOST:-a.example}/x',
            HOME_OF: '${userHome}',
            ROOT: '${workspaceFolder}',
            WINDOWS: '%MY_KEY%',
            LEVEL: 'debug',
          },
        },
        数据库: node,
        asks: { ...node, env: { TOKEN: '${input:token}' } },
        unset: { ...node, args: ['${NOT_SET_ANYWHERE}'] },
      },
    }),
  );
  env = {
    ...(process.env as Record<string, string>),
    HOME: workspace.at('home'),
    FILEBRIDGE_CONFIG: workspace.at('config.json'),
    FILEBRIDGE_DATA: workspace.at('data'),
    NODE_BINARY: process.execPath,
    MY_KEY: 'k3y',
  };
});
afterAll(() => workspace?.remove());

describe('a servers file of another app', () => {
  it('works as it is, tools by the names of their servers', async () => {
    const client = new Client({ name: 'host', version: '1' });
    const args = [cliFile, 'serve', '--stdio', workspace.at('project'), '--upstreams', servers];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, cwd: workspace.at('project'), stderr: 'pipe' }),
    );
    try {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toContain('Internet_Search_Tavily__get-env');
      expect(names.some((name) => /^server_[0-9a-f]{4}__get-env$/.test(name))).toBe(true);
      const { content } = await client.callTool({ name: 'Internet_Search_Tavily__get-env', arguments: {} });
      const [block] = content as { text: string }[];
      expect(JSON.parse(block?.text ?? '')).toMatchObject({
        API_KEY: 'k3y',
        FROM_FILE: 'in the file',
        URL: 'https://a.example/x',
        HOME_OF: workspace.at('home'),
        ROOT: workspace.at('project'),
        WINDOWS: 'k3y',
        LEVEL: 'debug',
      });
      const other = await client.callTool({
        name: 'call_tool',
        arguments: { server: '数据库', tool_name: 'echo', tool_args: { message: 'hi' } },
      });
      expect(JSON.stringify(other)).toContain('Echo: hi');
      const asked = await client.callTool({ name: 'call_tool', arguments: { server: 'asks', tool_name: 'echo' } });
      expect(asked.isError).toBe(true);
      expect(JSON.stringify(asked.content)).toContain('${input:token}');
    } finally {
      await client.close();
    }
  });

  it('has what cannot be filled named by server in doctor', async () => {
    const { stdout } = await runCli(['doctor', workspace.at('project'), '--upstreams', servers], {
      env,
      cwd: workspace.at('project'),
    });
    const said = stdout.toString();
    expect(said).toMatch(
      /Server 'asks' needs in env 'TOKEN' a value for \$\{input:token\}, which the app it comes from asks for/,
    );
    expect(said).toMatch(/Server 'unset' needs the environment variable NOT_SET_ANYWHERE for argument '1', and it is not set/);
    expect(said).not.toContain('k3y');
  });
});
