/** Agents' apps we know: where each keeps its MCP servers, and in which form. */
import os from 'node:os';
import path from 'node:path';
import type { KnownClient } from './types.ts';

/** Whose clients, on which system; the running ones if absent. */
export interface Place {
  home?: string | undefined;
  platform?: NodeJS.Platform | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The clients of a platform, whether installed or not. */
export function knownClients({ home = os.homedir(), platform = process.platform, env = process.env }: Place = {}): KnownClient[] {
  const mac = platform === 'darwin';
  const windows = platform === 'win32';
  const { join } = windows ? path.win32 : path.posix;
  const roaming = env.APPDATA || join(home, 'AppData', 'Roaming');
  const xdg = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config');
  const appData = mac ? join(home, 'Library', 'Application Support') : windows ? roaming : xdg;
  /** Command-line programs keep to `~/.config` on macOS. */
  const dotConfig = mac ? join(home, '.config') : xdg;
  const json = { format: 'json', block: ['mcpServers'], shape: 'plain', link: null } as const;
  const vscode = { format: 'jsonc', block: ['servers'], shape: 'typed' } as const;
  const client = (
    rest: Omit<KnownClient, 'traces'> & { traces?: readonly string[] },
    directory = (windows ? path.win32 : path.posix).dirname(rest.file),
  ): KnownClient => ({ traces: [directory], ...rest });
  return [
    client({
      ...json,
      id: 'claude-desktop',
      name: 'Claude Desktop',
      file: join(appData, 'Claude', 'claude_desktop_config.json'),
      note: 'Quit Claude Desktop and open it again',
    }),
    client({
      ...json,
      id: 'claude-code',
      name: 'Claude Code',
      file: join(home, '.claude.json'),
      traces: [join(home, '.claude.json'), join(home, '.claude')],
      shape: 'typed',
      note: 'Sessions of Claude Code that are started from now on have it',
    }),
    client({
      ...json,
      id: 'cursor',
      name: 'Cursor',
      file: join(home, '.cursor', 'mcp.json'),
      link: 'cursor',
      note: 'Cursor may ask you to switch it on, in its settings under MCP',
    }),
    client({
      ...vscode,
      id: 'vscode',
      name: 'VS Code',
      file: join(appData, 'Code', 'User', 'mcp.json'),
      link: 'vscode',
      note: 'VS Code asks whether to trust it when it is first used',
    }),
    client({
      ...vscode,
      id: 'vscode-insiders',
      name: 'VS Code Insiders',
      file: join(appData, 'Code - Insiders', 'User', 'mcp.json'),
      link: 'vscode-insiders',
      note: 'VS Code asks whether to trust it when it is first used',
    }),
    client({
      ...json,
      id: 'windsurf',
      name: 'Windsurf',
      file: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      note: 'Press Refresh in the MCP settings of Windsurf, or restart it',
    }),
    client({
      ...json,
      id: 'gemini-cli',
      name: 'Gemini CLI',
      file: join(home, '.gemini', 'settings.json'),
      note: 'Sessions of Gemini CLI that are started from now on have it',
    }),
    client({
      id: 'codex',
      name: 'Codex',
      file: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
      format: 'toml',
      block: ['mcp_servers'],
      shape: 'plain',
      link: null,
      note: 'Sessions of Codex that are started from now on have it',
    }),
    client({
      id: 'zed',
      name: 'Zed',
      file: windows ? join(roaming, 'Zed', 'settings.json') : join(dotConfig, 'zed', 'settings.json'),
      format: 'jsonc',
      block: ['context_servers'],
      shape: 'plain',
      link: null,
      note: 'Zed takes it over at once',
    }),
    client({
      id: 'goose',
      name: 'Goose',
      file: windows ? join(roaming, 'Block', 'goose', 'config', 'config.yaml') : join(dotConfig, 'goose', 'config.yaml'),
      format: 'yaml',
      block: ['extensions'],
      shape: 'goose',
      link: null,
      note: 'Sessions of Goose that are started from now on have it',
    }),
    client({
      ...json,
      id: 'lm-studio',
      name: 'LM Studio',
      file: join(home, '.lmstudio', 'mcp.json'),
      link: 'lmstudio',
      note: 'LM Studio takes it over at once',
    }),
  ];
}
