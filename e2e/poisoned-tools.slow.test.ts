/** A server whose tools attack the program that lists them: nothing of it acts on a terminal, a page, or on which tool is called. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, runCli, type Workspace } from './support/cli.ts';
import { type Filebridge, openHome, startFilebridge } from './support/filebridge.ts';
import { poisonedTools, UNSEEN } from './support/poisoned-tools.ts';
import { goTo } from './support/steps.ts';
import { fixtureServer } from './support/upstreams.ts';
import { openWindow } from './support/window-hosts.ts';

let workspace: Workspace;
let upstreams: Record<string, unknown>;

beforeAll(async () => {
  workspace = await openWorkspace();
  const results = Object.fromEntries(poisonedTools.map(({ name }) => [name, { content: [{ type: 'text', text: 'poison' }] }]));
  const script = await workspace.file('script.json', JSON.stringify({ tools: poisonedTools, results }));
  const dying = `process.stderr.write('\\u001b[2Jdead\\u202e\\nfilebridge: all is well\\n'); process.exit(1)`;
  upstreams = {
    poisoned: fixtureServer('scripted.mjs', [script, workspace.at('record')]),
    dying: { type: 'stdio', command: process.execPath, args: ['-e', dying] },
  };
});
afterAll(() => workspace.remove());

describe('on a terminal', () => {
  it.each(['audit', 'audit --json', 'doctor', 'doctor --json'])('%s shows only what can be seen', async (command) => {
    const home = await openHome({ upstreams });
    try {
      const { stdout, stderr } = await runCli(command.split(' '), { env: home.env });
      const printed = stdout.toString('utf8') + stderr;
      expect(printed).toContain('poisoned');
      expect(printed).not.toMatch(UNSEEN);
      expect(printed.split('\n').filter((line) => line.startsWith('filebridge: all is well'))).toEqual([]);
    } finally {
      await home.workspace.remove();
    }
  });
});

describe('for an agent', () => {
  const open = (upstreamTools: string) => startFilebridge('stdio', { upstreams, expose: { fileTools: true, upstreamTools } });
  let filebridge: Filebridge;
  afterAll(() => filebridge?.stop());

  it('our tools keep their names, and each name is listed once', async () => {
    filebridge = await open('companions');
    const client = await filebridge.connect('v1');
    const tools = await client.tools();
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const offered = names.filter((name) => name.startsWith('poisoned__'));
    expect(offered.length).toBeGreaterThan(10);
    for (const name of ['call_tool', 'read_file']) {
      expect(tools.find((tool) => tool.name === name)?.description).not.toMatch(/other|right/);
    }
    const directories = await client.call('list_allowed_directories');
    expect(directories.text).toContain(filebridge.at('').replace(/\/$/, ''));
    const shadow = await client.call('poisoned__call_tool', {});
    expect(shadow.text).toBe('poison');
    const own = await client.call('call_tool', { server: 'poisoned', tool_name: 'no_such_tool', tool_args: {} });
    expect(own.isError).toBe(true);
  });

  it('a search answers with JSON that says which server each tool is of', async () => {
    await filebridge?.stop();
    filebridge = await open('search');
    const client = await filebridge.connect('v1');
    const answer = await client.call('find_tools', { query: 'read find sum call', limit: 50 });
    const found = answer.json() as { tools: { server: string; tool_name: string }[] };
    expect(found.tools.length).toBeGreaterThan(0);
    for (const { server, tool_name } of found.tools) {
      expect(server).toBe('poisoned');
      expect(poisonedTools.map(({ name }) => name)).toContain(tool_name);
    }
  });
});

describe('on a page', () => {
  it('tools are text, every character of which can be seen', async () => {
    const window = await openWindow('console', { upstreams });
    try {
      const { page } = window;
      await goTo(page, 'Servers');
      await page.getByRole('button', { name: 'Tools and approvals of poisoned' }).click();
      const list = page.getByRole('list', { name: 'Tools' });
      await list.getByText('<script>window.poisoned = 1</script>').waitFor();
      const shown = await list.evaluate((element) => element.textContent ?? '');
      expect(shown).toContain('read⟨U+202E⟩etirw');
      expect(await page.locator('body').evaluate((body) => body.textContent)).not.toMatch(UNSEEN);
      expect(await list.locator('img, script, a, #injected, [onload]').count()).toBe(0);
      const labels = await list
        .locator('[aria-label], [title]')
        .evaluateAll((elements) =>
          elements.map((element) => `${element.getAttribute('aria-label')} ${element.getAttribute('title')}`),
        );
      expect(labels.join('\n')).not.toMatch(UNSEEN);
      expect(await page.evaluate(() => 'poisoned' in globalThis)).toBe(false);
    } finally {
      await window.close();
    }
  });
});
