/** Checks the accessibility of the current page. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { repository } from './cli.ts';

/** One line per violation; `within` is a selector. */
export async function accessibilityFaults(page: Page, within = 'body'): Promise<string[]> {
  await page.evaluate(await readFile(path.join(repository, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
  return page.evaluate(async (selector) => {
    // Colours in a transition are not the page's colours.
    const settled = () => {
      const passing = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
      return Promise.allSettled(passing.map(({ finished }) => finished));
    };
    const run = async () => {
      await settled();
      return await Reflect.get(window, 'axe').run(selector);
    };
    // Where one began in the middle of the run, as of a message that fades, the page is looked at once more.
    let moved = false;
    const onMove = () => {
      moved = true;
    };
    for (const event of ['transitionrun', 'animationstart']) document.addEventListener(event, onMove, true);
    let { violations } = await run();
    if (moved && violations.length > 0) ({ violations } = await run());
    for (const event of ['transitionrun', 'animationstart']) document.removeEventListener(event, onMove, true);
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  }, within);
}
