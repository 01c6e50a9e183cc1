/** The supported agents' apps, and where each keeps its MCP servers on each system, from the apps' documentation and sources. */
import { readdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { say } from '../../shared/model/messages/message.ts';
import type { Surroundings } from '../store/paths.ts';
import type { KnownClient } from './types.ts';

/** Facts about an app that are the same on every system. */
type Described = Omit<KnownClient, 'file' | 'traces'>;

const json = { format: 'json', block: ['mcpServers'], shape: 'plain', link: null } as const;
const jsonc = { ...json, format: 'jsonc' } as const;
const vscodeForm = { format: 'jsonc', block: ['servers'], shape: 'typed' } as const;

const claudeDesktop: Described = {
  ...json,
  id: 'claude-desktop',
  name: 'Claude Desktop',
  note: say('agentNote.quit', { app: 'Claude Desktop' }),
};
const claudeCode: Described = {
  ...json,
  id: 'claude-code',
  name: 'Claude Code',
  shape: 'typed',
  note: say('agentNote.session', { app: 'Claude Code' }),
};
const cursor: Described = {
  ...jsonc,
  id: 'cursor',
  name: 'Cursor',
  link: 'cursor',
  note: say('agentNote.restart', { app: 'Cursor' }),
};
const vscode: Described = {
  ...vscodeForm,
  id: 'vscode',
  name: 'VS Code',
  link: 'vscode',
  note: say('agentNote.trust', { app: 'VS Code' }),
};
const vscodeInsiders: Described = {
  ...vscodeForm,
  id: 'vscode-insiders',
  name: 'VS Code Insiders',
  link: 'vscode-insiders',
  note: say('agentNote.trust', { app: 'VS Code Insiders' }),
};
const windsurf: Described = { ...jsonc, id: 'windsurf', name: 'Windsurf', note: say('agentNote.restart', { app: 'Windsurf' }) };
const geminiCli: Described = {
  ...jsonc,
  id: 'gemini-cli',
  name: 'Gemini CLI',
  note: say('agentNote.anew', { app: 'Gemini CLI' }),
};
const codex: Described = {
  id: 'codex',
  name: 'Codex',
  format: 'toml',
  block: ['mcp_servers'],
  shape: 'plain',
  link: null,
  note: say('agentNote.session', { app: 'Codex' }),
};
const zed: Described = {
  ...jsonc,
  id: 'zed',
  name: 'Zed',
  block: ['context_servers'],
  note: say('agentNote.atOnce', { app: 'Zed' }),
};
const goose: Described = {
  id: 'goose',
  name: 'Goose',
  format: 'yaml',
  block: ['extensions'],
  shape: 'goose',
  // Its links start a few well-known programs only, none of which is ours.
  link: null,
  note: say('agentNote.session', { app: 'Goose' }),
};
const lmStudio: Described = {
  ...jsonc,
  id: 'lm-studio',
  name: 'LM Studio',
  link: 'lmstudio',
  note: say('agentNote.chat'),
};

/** Every known app of this system, whether installed or not. */
export async function knownClients({
  env = process.env,
  platform = process.platform,
  home = os.homedir(),
}: Surroundings = {}): Promise<KnownClient[]> {
  const at = (...parts: string[]) => path.join(home, ...parts);
  const windows = platform === 'win32';
  const mac = platform === 'darwin';
  const xdg = env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : at('.config');
  const appData = mac ? at('Library', 'Application Support') : windows ? env.APPDATA || at('AppData', 'Roaming') : xdg;
  /** A directory created by the app, and the file in it. */
  const inside = (app: Described, directory: string, ...file: string[]): KnownClient => ({
    ...app,
    file: path.join(directory, ...file),
    traces: [directory],
  });

  const claudeDirectory = path.join(appData, 'Claude');
  const packages = path.join(env.LOCALAPPDATA || at('AppData', 'Local'), 'Packages');
  const claudeCodeFile = env.CLAUDE_CONFIG_DIR ? path.join(env.CLAUDE_CONFIG_DIR, '.claude.json') : at('.claude.json');
  const zedDirectory = windows ? path.join(appData, 'Zed') : mac ? at('.config', 'zed') : path.join(xdg, 'zed');
  return [
    inside(
      claudeDesktop,
      (windows ? await packagedClaude(packages) : undefined) ?? claudeDirectory,
      'claude_desktop_config.json',
    ),
    { ...claudeCode, file: claudeCodeFile, traces: [claudeCodeFile, env.CLAUDE_CONFIG_DIR || at('.claude')] },
    inside(cursor, at('.cursor'), 'mcp.json'),
    inside(vscode, path.join(appData, 'Code', 'User'), 'mcp.json'),
    inside(vscodeInsiders, path.join(appData, 'Code - Insiders', 'User'), 'mcp.json'),
    inside(windsurf, at('.codeium', 'windsurf'), 'mcp_config.json'),
    inside(geminiCli, at('.gemini'), 'settings.json'),
    inside(codex, env.CODEX_HOME || at('.codex'), 'config.toml'),
    inside(zed, zedDirectory, 'settings.json'),
    windows
      ? inside(goose, path.join(appData, 'Block', 'goose'), 'config', 'config.yaml')
      : inside(goose, path.join(xdg, 'goose'), 'config.yaml'),
    inside(lmStudio, await lmStudioHome(home), 'mcp.json'),
  ];
}

export async function isInstalled({ traces }: KnownClient): Promise<boolean> {
  return (await Promise.all(traces.map(exists))).includes(true);
}

/**
 * Since 2026 the Windows app is a package, which sees a copy of the roaming directory and not a file at the documented place. Undefined
 * where the older kind of app is used.
 */
async function packagedClaude(packages: string): Promise<string | undefined> {
  const names = await readdir(packages).catch((): string[] => []);
  const directories = names
    .filter((name) => /^Claude_[a-z0-9]+$/i.test(name))
    .sort()
    .map((name) => path.join(packages, name, 'LocalCache', 'Roaming', 'Claude'));
  for (const directory of directories) if (await exists(path.join(directory, 'claude_desktop_config.json'))) return directory;
  for (const directory of directories) if (await exists(directory)) return directory;
  return undefined;
}

/** The directory that the app's pointer names, the usual one, or that of older versions. */
async function lmStudioHome(home: string): Promise<string> {
  const usual = path.join(home, '.lmstudio');
  const older = path.join(home, '.cache', 'lm-studio');
  const pointer = await readFile(path.join(home, '.lmstudio-home-pointer'), 'utf8').catch(() => '');
  for (const directory of [pointer.trim(), usual, older]) {
    if (path.isAbsolute(directory) && (await exists(directory))) return directory;
  }
  return usual;
}

const exists = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );
