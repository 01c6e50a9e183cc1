/** How Filebridge is started: by `npm start` in a clone, and by the command of the installed app. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../shared/lib/fixtures/eventually.ts';
import { openWorkspace, repository } from './support/cli.ts';
import { endProcess, openHome } from './support/filebridge.ts';
import { copyProject } from './support/project-copy.ts';

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  it("builds what is missing, and opens in the browser without Electron's runtime", async () => {
    const [project, home] = [await copyProject(), await openHome({ port: 0 })];
    try {
      await rm(path.join(project.root, 'dist'), { recursive: true });
      // The system's browser: it notes the address that it is given.
      const browser = await home.workspace.file('bin/xdg-open', `#!/bin/sh\necho "$1" >'${home.workspace.at('opened')}'\n`);
      await chmod(browser, 0o755);
      const env = {
        ...home.env,
        PATH: `${path.dirname(browser)}:${process.env.PATH}`,
        DISPLAY: process.env.DISPLAY ?? ':0',
        ELECTRON_OVERRIDE_DIST_PATH: home.workspace.at('none'),
        // A port that no client connects to.
        ELECTRON_MIRROR: 'http://127.0.0.1:9/',
        electron_config_cache: home.workspace.at('cache'),
      };
      const started = spawn(process.execPath, [path.join(project.root, 'electron', 'launch', 'start.mjs')], { env });
      let said = '';
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      try {
        await eventually(() => expect(said).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/\S+\n/m));
        expect(said).toMatch(/Electron's runtime could not be had .*, so Filebridge opens in your browser instead/);
        const link = /^Open (\S+)$/m.exec(said)?.[1] ?? '';
        await eventually(async () => expect(await readFile(home.workspace.at('opened'), 'utf8')).toBe(`${link}\n`));
        expect(await (await fetch(link)).text()).toContain('Filebridge');
      } finally {
        await endProcess(started);
      }
    } finally {
      await home.workspace.remove();
      await project.remove();
    }
  });
});

describe.skipIf(process.platform === 'win32')('the command of the installed app', () => {
  it('opens the window without arguments, and is the command line with some', async () => {
    const app = await openWorkspace();
    try {
      const program = await app.file('filebridge', `#!/bin/sh\necho "node: $ELECTRON_RUN_AS_NODE, given: $*"\n`);
      await chmod(program, 0o755);
      await mkdir(app.at('resources', 'bin'), { recursive: true });
      const command = app.at('resources', 'bin', 'filebridge');
      await cp(path.join(repository, 'electron', 'package', 'linux', 'filebridge'), command);
      await chmod(command, 0o755);
      const env = { ...process.env, ELECTRON_RUN_AS_NODE: '' };
      const said = (...args: string[]) => spawnSync(command, args, { encoding: 'utf8', env }).stdout;
      expect(said()).toBe('node: , given: \n');
      expect(said('doctor', '--json')).toBe(
        `node: 1, given: ${app.at('resources', 'app.asar', 'dist', 'cli.cjs')} doctor --json\n`,
      );
    } finally {
      await app.remove();
    }
  });
});
