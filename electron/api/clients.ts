/** Agents' apps we know: where each keeps its MCP servers, and whether Filebridge is among them. */
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface KnownClient {
  name: string;
  /** Its configuration file, for this platform and user. */
  file: string;
}

export type ClientState = 'absent' | 'not connected' | 'connected';

/** The clients of this platform, whether installed or not. */
export function knownClients(home = os.homedir(), platform = process.platform): KnownClient[] {
  const appData =
    platform === 'darwin'
      ? path.join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (process.env.APPDATA ?? path.join(home, 'AppData', 'Roaming'))
        : (process.env.XDG_CONFIG_HOME ?? path.join(home, '.config'));
  return [
    { name: 'Claude Desktop', file: path.join(appData, 'Claude', 'claude_desktop_config.json') },
    { name: 'Claude Code', file: path.join(home, '.claude.json') },
    { name: 'Cursor', file: path.join(home, '.cursor', 'mcp.json') },
    { name: 'VS Code', file: path.join(appData, 'Code', 'User', 'mcp.json') },
    { name: 'Windsurf', file: path.join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    { name: 'Gemini CLI', file: path.join(home, '.gemini', 'settings.json') },
    { name: 'Codex', file: path.join(home, '.codex', 'config.toml') },
    { name: 'Zed', file: path.join(appData, platform === 'darwin' ? '../../.config/zed' : 'zed', 'settings.json') },
  ];
}

/** Whether the client's configuration names Filebridge. Reads only; a file that cannot be read counts as absent. */
export async function clientState(client: KnownClient): Promise<ClientState> {
  try {
    return /filebridge/i.test(await readFile(client.file, 'utf8')) ? 'connected' : 'not connected';
  } catch {
    return 'absent';
  }
}
