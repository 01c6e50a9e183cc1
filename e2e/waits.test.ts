/** Waits of a fixed time and limits of their own in tests are found, and waits for events are not. */
import { expect, it } from 'vitest';
import { waitsIn } from '../.ci/waits.mjs';

const linesOf = (text: string) => waitsIn(text).map(({ line }) => line);

it.each([
  'await new Promise((resolve) => setTimeout(resolve, 50));',
  'await new Promise<void>(resolve => setTimeout(resolve, 50));',
  'await new Promise((done) => { setTimeout(done, 50); });',
  'await new Promise((resolve) => setTimeout(() => resolve(), 50));',
  'await new Promise<void>((resolve) =>\n  setTimeout(resolve, 50),\n);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import { setImmediate, setTimeout } from 'timers/promises';",
  'await page.waitForTimeout(50);',
  'await vi.waitFor(() => expect(heard).toHaveLength(1));',
  "import { render } from '@testing-library/react';",
  'await expect.poll(lines, { interval: 1, timeout: 20_000 }).toBe(1);',
  "await page.getByText('Ready').waitFor({ timeout: 60_000 });",
  "it('takes long', { timeout: 120_000 }, async () => {",
  '}, 60_000);',
  'page.setDefaultTimeout(90_000);',
  "expect(await page.getByText('Done').count()).toBe(1);",
  'expect(await row(1)\n.textContent()).toContain(1);',
  'expect(await page.getByText(name, { exact: true }).isVisible()).toBe(true);',
])('finds %s', (wait) => {
  expect(linesOf(`const before = 1;\n${wait}\n`)).toEqual([2]);
});

it.each([
  'await until(() => lines.length > 0);',
  'await eventually(() => expect(heard).toHaveLength(1));',
  'await expect.poll(lines, { interval: 1 }).toBe(1);',
  "await pause(50, 'the server is slow');",
  'page.setDefaultTimeout(limits.wait);',
  'const limited = { timeoutMs: 60_000 };',
  'await new Promise((resolve) => setTimeout(resolve, 0));',
  'const timer = setTimeout(() => abort.abort(), 50);',
  "import { setImmediate } from 'node:timers/promises';",
  "expect(await page.getByText('Failed').count()).toBe(0);",
  'expect(await row(1).textContent()).not.toContain(1);',
  'await expect.poll(() => row(1).textContent()).toBe(1);',
])('allows %s', (wait) => {
  expect(linesOf(wait)).toEqual([]);
});
