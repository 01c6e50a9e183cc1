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
    // One may begin in the middle of the run, as where a message fades; a fault of the page is there the next time, too.
    const first = await run();
    const { violations } = first.violations.length === 0 ? first : await run();
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  }, within);
}
