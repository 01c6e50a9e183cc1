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
    const passing = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
    await Promise.allSettled(passing.map(({ finished }) => finished));
    const { violations } = await Reflect.get(window, 'axe').run(selector);
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
  }, within);
}
