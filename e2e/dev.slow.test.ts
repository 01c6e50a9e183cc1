/** `npm run dev` in a browser: the page comes from the sources, and stays signed in while the program behind it is rebuilt and restarted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../shared/lib/fixtures/eventually.ts';
import { limits } from '../shared/lib/fixtures/limits.ts';
import { endProcess, type Home, openHome } from './support/filebridge.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';
import { openBrowser } from './support/window-hosts.ts';

describe('npm run dev -- --console', () => {
  let project: ProjectCopy;
  let home: Home;
  let dev: ChildProcess;
  let browser: Browser;
  let said = '';
  let link = '';

  const says = (text: string | RegExp) => eventually(() => expect(said).toMatch(text));

  beforeAll(async () => {
    project = await copyProject();
    home = await openHome({ port: 0 });
    dev = spawn(process.execPath, [path.join(project.root, 'electron', 'launch', 'dev.mjs'), '--console'], {
      env: home.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [dev.stdout, dev.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await says(/^Open http\S+\n/m);
    link = /^Open (\S+)$/m.exec(said)?.[1] ?? '';
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    if (dev) await endProcess(dev);
    await home?.workspace.remove();
    await project?.remove();
  });

  it('serves the sources, with a session that outlives the program', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(limits.wait);
    const modules: string[] = [];
    page.on('request', (request) => modules.push(new URL(request.url()).pathname));
    await page.goto(link);
    await page.getByRole('status').filter({ hasText: 'Running' }).waitFor();
    expect(modules).toContain('/main.tsx');
    // Lost when the page is loaded anew.
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));

    await appendFile(path.join(project.root, 'electron', 'cli', 'console.ts'), '// changed\n');
    await says('rebuilt and started again');
    const answer = page.waitForResponse((response) => response.url().endsWith('/api') && response.ok());
    await page.getByRole('link', { name: 'Folders' }).click();
    await answer;
    await page.getByText(home.at('.').slice(0, -1)).first().waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  });

  it('answers no page but its own, and nobody without the session', async () => {
    const { origin, hash } = new URL(link);
    const ask = async (path: string, headers: Record<string, string>) =>
      (await fetch(origin + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: '{}' }))
        .status;
    const token = { Authorization: `Bearer ${hash.slice('#link='.length)}` };
    expect(await ask('/session', { Origin: origin })).toBe(403);
    expect(await ask('/session', { Origin: 'http://127.0.0.1:1', ...token })).toBe(403);
    expect(await ask('/api', { Origin: origin })).toBe(401);
    expect(await ask('/api', { Origin: origin, ...token })).toBe(401);
  });
});
