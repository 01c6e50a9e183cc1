/** Collects the licences of bundled packages, which MIT and similar licences require with every copy. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const readManifest = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** The folder Node would take a dependency from, looked for from a package's own folder upwards. */
function locate(name, from, root) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return found;
    if (folder === root) return undefined;
  }
}

/** Folders of all packages that the program's dependencies stand on, each once. */
function bundledPackages(root) {
  const found = new Set();
  const visit = (folder) => {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = locate(name, folder, root);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      visit(place);
    }
  };
  visit(root);
  return [...found];
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name));
  return file === undefined ? undefined : readFileSync(path.join(folder, file), 'utf8').trim();
}

/** Folders of this repository with work of others in them, beside its licence. */
const copiedWork = [{ title: 'Lucide icons', folder: 'renderer/ui/icons' }];

/** One text: each package with its version and licence, in the order of names. */
export function thirdPartyNotices(root) {
  const entries = bundledPackages(root).map((folder) => {
    const { name, version, license } = readManifest(folder);
    return { title: `${name} ${version}`, text: licenceText(folder) ?? `Licence: ${license}` };
  });
  entries.push(...copiedWork.map(({ title, folder }) => ({ title, text: licenceText(path.join(root, folder)) })));
  entries.sort((one, other) => (one.title < other.title ? -1 : 1));
  const line = '-'.repeat(80);
  return [
    'Filebridge contains the following software. Electron and Chromium come with notices of their own.',
    ...entries.map(({ title, text }) => `${line}\n${title}\n\n${text}`),
  ].join('\n\n');
}
