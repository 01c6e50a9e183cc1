import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const shell = process.platform === 'win32' ? '' : (os.userInfo().shell ?? '');
const usesBash = path.basename(shell) === 'bash';
if (!usesBash) process.stderr.write(`Skipped: the layouts below are written for bash, and the login shell here is '${shell}'\n`);

/** How each tool's installer sets up a shell: the start-up file, its lines, and where the tool's programs are. */
const layouts: { tool: string; startUp: string; lines: string; programs: string; more?: Record<string, string> }[] = [
  {
    tool: 'nvm',
    startUp: '.bashrc',
    lines: 'export NVM_DIR="$HOME/.nvm"\n[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"',
    programs: '.nvm/versions/node/v22.20.0/bin',
    more: { '.nvm/nvm.sh': 'export PATH="$NVM_DIR/versions/node/v22.20.0/bin:$PATH"' },
  },
  {
    tool: 'fnm',
    startUp: '.bashrc',
    lines: 'export PATH="$HOME/.local/share/fnm:$PATH"\neval "$(fnm env)"',
    programs: '.local/state/fnm_multishells/771_1/bin',
    more: { '.local/share/fnm/fnm': '#!/bin/sh\necho "export PATH=$HOME/.local/state/fnm_multishells/771_1/bin:\\$PATH"' },
  },
  { tool: 'asdf', startUp: '.bashrc', lines: 'export PATH="${ASDF_DATA_DIR:-$HOME/.asdf}/shims:$PATH"', programs: '.asdf/shims' },
  {
    tool: 'mise',
    startUp: '.bash_profile',
    lines: 'eval "$("$HOME/.local/bin/mise" activate bash --shims)"',
    programs: '.local/share/mise/shims',
    more: { '.local/bin/mise': '#!/bin/sh\necho "export PATH=\\"$HOME/.local/share/mise/shims:\\$PATH\\""' },
  },
  {
    tool: 'Volta',
    startUp: '.profile',
    lines: 'export VOLTA_HOME="$HOME/.volta"\nexport PATH="$VOLTA_HOME/bin:$PATH"',
    programs: '.volta/bin',
  },
  {
    tool: 'Homebrew',
    startUp: '.bash_profile',
    lines: 'eval "$("$HOME/.linuxbrew/bin/brew" shellenv)"',
    programs: '.linuxbrew/bin',
    more: {
      '.linuxbrew/bin/brew': '#!/bin/sh\necho "export PATH=\\"$HOME/.linuxbrew/bin:$HOME/.linuxbrew/sbin\\${PATH+:\\$PATH}\\";"',
    },
  },
  {
    tool: 'Flatpak',
    startUp: '.profile',
    lines: 'export PATH="$HOME/.local/share/flatpak/exports/bin:$PATH"',
    programs: '.local/share/flatpak/exports/bin',
  },
  { tool: 'Snap', startUp: '.profile', lines: 'export PATH="$PATH:$HOME/snap/bin"', programs: 'snap/bin' },
];

let home: string;
let system: string;
/** Without what it knows of the login shell. */
let fresh: typeof import('./shell-path.ts');

const limits = { patience: 20_000, hangs: 60_000, fresh: 60_000 };

async function write(file: string, content: string): Promise<string> {
  const place = path.join(home, file);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, `${content}\n`);
  await chmod(place, 0o755);
  return place;
}

const program = (folder: string, name: string) => write(path.join(folder, name), '#!/bin/sh\necho "$0"');

/** A shell that finds the user's own `npx`, after these lines. */
async function shellWithVolta(before = ''): Promise<string> {
  await write('.bash_profile', `${before}export PATH="$HOME/.volta/bin:$PATH"`);
  return program('.volta/bin', 'npx');
}

async function started(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await promisify(execFile)(command, [], { env })).stdout.trim();
}

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-home-'));
  system = path.join(home, 'system');
  await program('system', 'npx');
  vi.stubEnv('HOME', home);
  vi.resetModules();
  fresh = await import('./shell-path.ts');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

describe.runIf(process.platform !== 'win32')('the PATH for children', () => {
  it('is left alone when a terminal started us and the command is there', async () => {
    const env = { SHLVL: '1', TERM: 'xterm-256color', PATH: system };
    expect(await fresh.environmentFor('npx', env)).toBe(env);
  });

  it('keeps the first folders first and each once', () => {
    expect(fresh.mergePaths('/a:/b', '/b::/c')).toBe('/a:/b:/c');
  });

  it('knows what can be run', async () => {
    await mkdir(path.join(system, 'folder'));
    const known = ['npx', 'othertool', 'folder', '/any/path'].map((command) => fresh.isOnPath(command, system));
    expect(known).toEqual([true, false, false, true]);
    expect(fresh.programOnPath('npx', `/nowhere:${system}`)).toBe(path.join(system, 'npx'));
  });

  describe.runIf(usesBash)('after a start from the desktop', () => {
    it.each(layouts)("finds the programs of $tool before the system's", async ({ startUp, lines, programs, more = {} }) => {
      if (startUp === '.bashrc') await write('.bash_profile', '[ -f ~/.bashrc ] && . ~/.bashrc');
      await write(startUp, lines);
      for (const [file, content] of Object.entries(more)) await write(file, content);
      // Snap's folder comes last: what the system has as well is the system's for its user too.
      const command = programs === 'snap/bin' ? 'only-in-a-snap' : 'npx';
      const own = await program(programs, command);
      const env = await fresh.environmentFor(command, { PATH: system }, limits);
      expect(await started(command, env)).toBe(own);
      expect(env.PATH?.split(':').at(-1)).toBe(system);
    });

    it('does so where a launcher that is a shell script started us', async () => {
      const own = await shellWithVolta();
      expect(await started('npx', await fresh.environmentFor('npx', { SHLVL: '1', PATH: system }, limits))).toBe(own);
    });

    it('uses the answer of a slow shell when it has come', async () => {
      const own = await shellWithVolta('until [ -e "$HOME/go" ]; do sleep 0.05; done\n');
      const env = { PATH: system };
      expect(await fresh.environmentFor('npx', env, { ...limits, patience: 50 })).toBe(env);
      await write('go', '');
      expect(await started('npx', await fresh.environmentFor('npx', env, limits))).toBe(own);
    });

    it('asks another shell where one hangs', async () => {
      const own = await shellWithVolta('[ -e "$HOME/go" ] || exec sleep 8\n');
      const env = { PATH: system };
      expect(await fresh.environmentFor('npx', env, { ...limits, patience: 500 })).toBe(env);
      await write('go', '');
      expect(await started('npx', await fresh.environmentFor('npx', env, { ...limits, hangs: 0 }))).toBe(own);
    });

    it('asks again for a program that was installed since', async () => {
      await shellWithVolta();
      const env = { PATH: system };
      expect((await fresh.environmentFor('new-tool', env, limits)).PATH).toContain('.volta/bin');
      await write('.bash_profile', 'export PATH="$HOME/.new/bin:$PATH"');
      const own = await program('.new/bin', 'new-tool');
      expect(await started('new-tool', await fresh.environmentFor('new-tool', env, { ...limits, fresh: 0 }))).toBe(own);
    });
  });
});
