/** Source of a default app that starts the app given on the command line, after Playwright's preloads. */

export const loaderSource = `
const { app } = require('electron');
const fs = require('node:fs');
const path = require('node:path');
const Module = require('node:module');

const given = process.argv.slice(1);
const preloads = [];
let at = 0;
while (at < given.length && given[at].startsWith('-')) {
  if (given[at] === '-r' || given[at] === '--require') preloads.push(given[++at]);
  at += 1;
}
if (preloads.length > 0) Module._preloadModules(preloads);

if (at === given.length) {
  console.error('electron: name the folder of an app');
  app.exit(1);
} else {
  const place = path.resolve(given[at]);
  const folder = fs.statSync(place).isDirectory() ? place : path.dirname(place);
  process.defaultApp = true;
  process.argv.splice(1, Infinity, ...given.slice(at));
  const manifestFile = path.join(folder, 'package.json');
  if (fs.existsSync(manifestFile)) {
    const { version, productName, name, desktopName } = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
    if (version) app.setVersion(version);
    if (productName || name) app.setName(productName || name);
    if (desktopName) app.setDesktopName(desktopName);
  }
  app.setAppPath(folder);
  Module._load(require.resolve(place), Module, true);
}
`;
