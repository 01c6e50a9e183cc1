/** German chosen: what goes wrong on Preview, Folders, Servers and Home is shown in German. */
import { mkdir, rm } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askProgram } from './support/ask-program.ts';
import { dropPaths } from './support/steps.ts';
import { type OpenWindow, openWindow } from './support/window-hosts.ts';

/** A word that stands in nearly each of our English sentences, and in no German one. */
const english = /\b(the|is|are|it|not|was|were|cannot)\b/;

// A browser hides where a dropped file lies.
describe('the German window', () => {
  let home: OpenWindow;
  let page: Page;

  beforeAll(async () => {
    home = await openWindow('electron', {
      app: { welcomed: true, language: 'de' },
      upstreams: {
        absent: { type: 'stdio', command: 'no-such-server' },
        ending: { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(3)'] },
      },
    });
    page = home.page;
    await home.file('ragged.csv', 'a,b\n1,2\n3,4,5\n');
    await home.file('short.csv', 'a,b\n1\n2,3\n');
    await home.file('sized.csv', `a\n${'1\n'.repeat(767)}`);
    await home.file('open.json', '{"a": [1, 2');
    await mkdir(home.at('gone'));
    await askProgram(page, 'folders.add', { path: home.at('gone'), access: 'read' });
  });
  afterAll(() => home?.close());

  const goTo = async (name: string) => {
    await page.locator(`nav a[href$="/${name}"]`).click();
    await page.locator(`nav a[href$="/${name}"][aria-current="page"]`).waitFor();
  };
  const callout = (text: string | RegExp) => page.locator('.callout').filter({ hasText: text });
  const isGerman = async (text: string | RegExp) => {
    await callout(text).first().waitFor();
    for (const shown of await page.locator('.callout').allInnerTexts()) expect(shown).not.toMatch(english);
  };

  it('says what is wrong with a file', async () => {
    await goTo('preview');
    await dropPaths(page, [home.at('ragged.csv')]);
    await isGerman('Die CSV-Datei ist fehlerhaft in Zeile 3, Spalte 3: 3 Zellen in einer Zeile, die Tabelle hat 2 Spalten');
    await dropPaths(page, [home.at('open.json')]);
    await isGerman('die Datei endet mitten in einem Array');
    await dropPaths(page, [home.at('nowhere.csv')]);
    await isGerman(/nowhere\.csv“ gibt es nicht, oder sie ist nicht lesbar/);
    await dropPaths(page, [home.at('short.csv')]);
    await isGerman('1 Zeile hat weniger Zellen, als es Spalten gibt (zuerst in Zeile 2)');
  });

  it('shows sizes with a comma', async () => {
    await goTo('preview');
    await dropPaths(page, [home.at('sized.csv')]);
    await page.locator('.file-facts').filter({ hasText: '1,5 KB' }).waitFor();
  });

  it('says why a folder is refused', async () => {
    await goTo('folders');
    await dropPaths(page, ['/']);
    await isGerman('„/“ ist das ganze Laufwerk');
    await dropPaths(page, ['/etc']);
    await isGerman('„/etc“ gehört zum System');
  });

  it('says why a server does not start', async () => {
    await goTo('servers');
    for (const name of ['absent', 'ending']) await askProgram(page, 'upstreams.tools', { name }).catch(() => undefined);
    await isGerman(/konnte nicht gestartet werden: Der Befehl „no-such-server“ wurde nicht gefunden/);
    await isGerman('Er endete, bevor er bereit war (Exit-Code 3)');
    await isGerman('Er meldete: no key');
  });

  it('says which problems there are', async () => {
    await rm(home.at('gone'), { recursive: true });
    await goTo('');
    await isGerman(`Den Ordner „${home.at('gone')}“ gibt es nicht`);
  });
});
