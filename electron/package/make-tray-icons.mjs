/**
 * Draws the tray's icons from their mark, for each state, ink and size. Run it after the mark has changed and commit what it writes:
 * `node electron/package/make-tray-icons.mjs`.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const icons = fileURLToPath(new URL('../shell/icons/', import.meta.url));

/** By the name Electron looks for: pixels at each scale of the screen. */
const sizes16 = { '': 16, '@1.5x': 24, '@2x': 32 };
const sizes22 = { '': 22, '@2x': 44 };
/** macOS paints a template itself, and knows it by its name; elsewhere the ink must suit the panel. */
const variants = [
  { name: 'Template', ink: '#000', problem: '#000', sizes: { '': 16, '@2x': 32 } },
  { name: '-on-light-16', ink: '#1c2124', problem: '#b42318', sizes: sizes16 },
  { name: '-on-light-22', ink: '#1c2124', problem: '#b42318', sizes: sizes22 },
  { name: '-on-dark-16', ink: '#fff', problem: '#ffb4a8', sizes: sizes16 },
  { name: '-on-dark-22', ink: '#fff', problem: '#ffb4a8', sizes: sizes22 },
];

/** What a state puts into the corner, on a clearing of its own: two bars, or an exclamation mark. */
const badges = {
  running: '',
  paused: '<path d="M10 10h2v5h-2zM13 10h2v5h-2z"/>',
  problem: '<path d="M12 7h2v5h-2zM12 13h2v2h-2z"/>',
};
const clearings = { running: '', paused: 'M9 9h7v7H9z', problem: 'M11 6h5v10h-5z' };

const mark = await readFile(path.join(icons, 'tray.svg'), 'utf8');
const shape = /<path d="([^"]+)"/.exec(mark)[1];

function picture(state, { ink, problem }) {
  const hole = clearings[state] ? `<path fill="#000" d="${clearings[state]}"/>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><mask id="m"><path fill="#fff" d="M0 0h16v16H0z"/>${hole}</mask><path fill="${ink}" mask="url(#m)" d="${shape}"/><g fill="${state === 'problem' ? problem : ink}">${badges[state]}</g></svg>`;
}

const browser = await chromium.launch({
  ...(existsSync('/usr/bin/chromium') ? { executablePath: '/usr/bin/chromium' } : {}),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage();
  for (const state of Object.keys(badges)) {
    for (const variant of variants) {
      const source = `data:image/svg+xml;base64,${Buffer.from(picture(state, variant)).toString('base64')}`;
      for (const [scale, side] of Object.entries(variant.sizes)) {
        await page.setViewportSize({ width: side, height: side });
        await page.setContent(
          `<body style="margin:0"><img src="${source}" width="${side}" height="${side}" style="display:block"></body>`,
        );
        await page.locator('img').evaluate((image) => image.decode());
        await writeFile(path.join(icons, `${state}${variant.name}${scale}.png`), await page.screenshot({ omitBackground: true }));
      }
    }
  }
} finally {
  await browser.close();
}
