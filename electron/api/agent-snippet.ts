/** What a person pastes into an agent's configuration to connect it. */
import path from 'node:path';
import type { Snippet } from '../../shared/contract/agents.ts';

/** How to start `filebridge serve --stdio` on this machine. */
export interface AgentLaunch {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** What this instance was started with, as far as an agent's own server must be started alike. */
export interface StartedWith {
  configPath?: string | undefined;
  upstreamsFile?: string | undefined;
  folders?: readonly string[] | undefined;
}

/** Arguments of a `filebridge serve --stdio` that sees the same configuration, servers and folders from any directory. */
export function serveArguments({ configPath, upstreamsFile, folders = [] }: StartedWith): string[] {
  const config = configPath ?? process.env.FILEBRIDGE_CONFIG;
  return [
    'serve',
    '--stdio',
    ...folders.map((folder) => path.resolve(folder)),
    ...(config ? ['--config', path.resolve(config)] : []),
    ...(upstreamsFile === undefined ? [] : ['--upstreams', path.resolve(upstreamsFile)]),
  ];
}

const TOKEN_PLACEHOLDER = '<token>';

/** Both ways to connect, as indented JSON; the token is written out only when given. */
export function agentSnippet(launch: AgentLaunch, url: string | null, token: string | null): Snippet {
  const block = (server: object) =>
    // A list of plain words reads better on one line.
    JSON.stringify({ mcpServers: { filebridge: server } }, null, 2).replace(
      /\[\n([^[\]{}]*)\]/g,
      (_list, words: string) => `[${words.trim().replace(/,\n\s+/g, ', ')}]`,
    );
  return {
    stdio: block(launch),
    http:
      url === null
        ? null
        : {
            url,
            config: block({ type: 'http', url, headers: { Authorization: `Bearer ${token ?? TOKEN_PLACEHOLDER}` } }),
          },
  };
}
