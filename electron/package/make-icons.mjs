/**
 * Draws the app's icons from its two marks: PNGs for Linux, icon.ico for Windows, icon.icns for macOS. Run it after a mark has
 * changed and commit what it writes: `node electron/package/make-icons.mjs`.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { icns, ico } from './icon-containers.mjs';

const icons = fileURLToPath(new URL('icons/', import.meta.url));
const marks = {
  large: path.join(icons, 'mark-large.svg'),
  // Drawn on a grid of 16 pixels: what is fine in the large one would blur here.
  small: fileURLToPath(new URL('../../renderer/ui/mark.svg', import.meta.url)),
};
const SMALL_UP_TO = 32;

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** Pictures in an .icns by type. 16 and 32 points are there at twice the pixels only: the types without @2x want no PNG. */
const macTypes = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 };
/** Apple's icon grid leaves a tenth of the canvas free on every side. */
const MAC_TILE = 824 / 1024;

/** Renders a mark in the middle of a transparent square. */
async function draw(page, size, tile = 1) {
  const mark = size <= SMALL_UP_TO ? marks.small : marks.large;
  const source = `data:image/svg+xml;base64,${(await readFile(mark)).toString('base64')}`;
  const side = Math.round((size * tile) / 2) * 2;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center"><img src="${source}" width="${side}" height="${side}"></body>`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  return page.screenshot({ omitBackground: true });
}

const browser = await chromium.launch({
  ...(existsSync('/usr/bin/chromium') ? { executablePath: '/usr/bin/chromium' } : {}),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage();
  const drawAll = async (sizes, tile) => {
    const drawn = new Map();
    for (const size of new Set(sizes)) drawn.set(size, await draw(page, size, tile));
    return drawn;
  };
  await mkdir(path.join(icons, 'linux'), { recursive: true });
  for (const [size, png] of await drawAll(linuxSizes)) await writeFile(path.join(icons, 'linux', `${size}x${size}.png`), png);
  await writeFile(path.join(icons, 'icon.ico'), ico(await drawAll(windowsSizes)));
  const mac = await drawAll(Object.values(macTypes), MAC_TILE);
  await writeFile(path.join(icons, 'icon.icns'), icns(Object.entries(macTypes).map(([type, size]) => [type, mac.get(size)])));
} finally {
  await browser.close();
}
