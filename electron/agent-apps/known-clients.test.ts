import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled, knownClients } from './known-clients.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Files by id, as paths inside the home directory. */
async function files(platform: NodeJS.Platform, env: Record<string, string> = {}): Promise<Record<string, string>> {
  const clients = await knownClients({ home, platform, env });
  return Object.fromEntries(clients.map(({ id, file }) => [id, path.relative(home, file).split(path.sep).join('/')]));
}

describe('where agents keep their servers', () => {
  it('on Linux', async () => {
    expect(await files('linux')).toEqual({
      'claude-desktop': '.config/Claude/claude_desktop_config.json',
      'claude-code': '.claude.json',
      cursor: '.cursor/mcp.json',
      vscode: '.config/Code/User/mcp.json',
      'vscode-insiders': '.config/Code - Insiders/User/mcp.json',
      windsurf: '.codeium/windsurf/mcp_config.json',
      'gemini-cli': '.gemini/settings.json',
      codex: '.codex/config.toml',
      zed: '.config/zed/settings.json',
      goose: '.config/goose/config.yaml',
      'lm-studio': '.lmstudio/mcp.json',
    });
  });

  it('on macOS', async () => {
    expect(await files('darwin')).toEqual({
      'claude-desktop': 'Library/Application Support/Claude/claude_desktop_config.json',
      'claude-code': '.claude.json',
      cursor: '.cursor/mcp.json',
      vscode: 'Library/Application Support/Code/User/mcp.json',
      'vscode-insiders': 'Library/Application Support/Code - Insiders/User/mcp.json',
      windsurf: '.codeium/windsurf/mcp_config.json',
      'gemini-cli': '.gemini/settings.json',
      codex: '.codex/config.toml',
      zed: '.config/zed/settings.json',
      goose: '.config/goose/config.yaml',
      'lm-studio': '.lmstudio/mcp.json',
    });
  });

  it('on Windows', async () => {
    expect(await files('win32')).toEqual({
      'claude-desktop': 'AppData/Roaming/Claude/claude_desktop_config.json',
      'claude-code': '.claude.json',
      cursor: '.cursor/mcp.json',
      vscode: 'AppData/Roaming/Code/User/mcp.json',
      'vscode-insiders': 'AppData/Roaming/Code - Insiders/User/mcp.json',
      windsurf: '.codeium/windsurf/mcp_config.json',
      'gemini-cli': '.gemini/settings.json',
      codex: '.codex/config.toml',
      zed: 'AppData/Roaming/Zed/settings.json',
      goose: 'AppData/Roaming/Block/goose/config/config.yaml',
      'lm-studio': '.lmstudio/mcp.json',
    });
  });

  it('heeds the variables that move them', async () => {
    const at = (...parts: string[]) => path.join(home, ...parts);
    const env = { XDG_CONFIG_HOME: at('xdg'), CODEX_HOME: at('cx'), CLAUDE_CONFIG_DIR: at('cc') };
    expect(await files('linux', env)).toMatchObject({
      'claude-desktop': 'xdg/Claude/claude_desktop_config.json',
      'claude-code': 'cc/.claude.json',
      vscode: 'xdg/Code/User/mcp.json',
      zed: 'xdg/zed/settings.json',
      goose: 'xdg/goose/config.yaml',
      codex: 'cx/config.toml',
    });
    expect(await files('linux', { XDG_CONFIG_HOME: 'relative' })).toMatchObject({ zed: '.config/zed/settings.json' });
    expect(await files('win32', { APPDATA: at('R') })).toMatchObject({ zed: 'R/Zed/settings.json' });
  });

  it('finds Claude Desktop for Windows in its package, which sees no other file', async () => {
    const packaged = 'AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude';
    await mkdir(path.join(home, 'AppData', 'Roaming', 'Claude'), { recursive: true });
    await mkdir(path.join(home, 'AppData', 'Local', 'Packages', 'Claude_leftover'), { recursive: true });
    expect((await files('win32'))['claude-desktop']).toBe('AppData/Roaming/Claude/claude_desktop_config.json');
    await mkdir(path.join(home, ...packaged.split('/')), { recursive: true });
    expect((await files('win32'))['claude-desktop']).toBe(`${packaged}/claude_desktop_config.json`);
    expect((await files('linux'))['claude-desktop']).toBe('.config/Claude/claude_desktop_config.json');
  });

  it('follows LM Studio to where it was moved, or has been since its first versions', async () => {
    await mkdir(path.join(home, '.cache', 'lm-studio'), { recursive: true });
    expect((await files('darwin'))['lm-studio']).toBe('.cache/lm-studio/mcp.json');
    await mkdir(path.join(home, '.lmstudio'));
    expect((await files('darwin'))['lm-studio']).toBe('.lmstudio/mcp.json');
    await mkdir(path.join(home, 'elsewhere'));
    await writeFile(path.join(home, '.lmstudio-home-pointer'), `${path.join(home, 'elsewhere')}\n`);
    expect((await files('darwin'))['lm-studio']).toBe('elsewhere/mcp.json');
    await writeFile(path.join(home, '.lmstudio-home-pointer'), path.join(home, 'gone'));
    expect((await files('darwin'))['lm-studio']).toBe('.lmstudio/mcp.json');
  });
});

describe('isInstalled', () => {
  const installed = async (): Promise<string[]> => {
    const clients = await knownClients({ home, platform: 'linux', env: {} });
    const here = await Promise.all(clients.map(isInstalled));
    return clients.filter((_, index) => here[index]).map(({ id }) => id);
  };

  it('goes by the directory that an app makes', async () => {
    expect(await installed()).toEqual([]);
    await mkdir(path.join(home, '.cursor'));
    await mkdir(path.join(home, '.config', 'goose'), { recursive: true });
    expect(await installed()).toEqual(['cursor', 'goose']);
  });

  it('knows Claude Code by its file, too, which lies in the home directory itself', async () => {
    await writeFile(path.join(home, '.claude.json'), '{}');
    expect(await installed()).toEqual(['claude-code']);
  });
});
