/** Chooses the Electron for the installers, and refuses a wrong one for a release. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** A build that must not be made; its message says what to do instead. */
export class Refusal extends Error {}

/** The version that package.json stands for: the one its lock file names. */
function pinnedVersion(root) {
  const pinned = readJson(path.join(root, 'package-lock.json')).packages['node_modules/electron'].version;
  const installed = readJson(path.join(root, 'node_modules', 'electron', 'package.json')).version;
  if (installed !== pinned) {
    throw new Refusal(`electron ${installed} is installed, but package-lock.json pins ${pinned}. Run 'npm ci' and try again`);
  }
  return pinned;
}

/** The version of the runtime in a folder. */
function versionIn(folder) {
  try {
    return readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch (cause) {
    throw new Refusal(`ELECTRON_OVERRIDE_DIST_PATH names no Electron runtime: there is no file 'version' in ${folder}`, {
      cause,
    });
  }
}

/**
 * The runtime to package: its version, and its folder if it is not to be downloaded from Electron's releases.
 * Throws a Refusal where a release would get another one than package.json pins.
 */
export function chooseRuntime(root, { forTests, env = process.env, builderArguments = [] }) {
  const pinned = pinnedVersion(root);
  const folder = env.ELECTRON_OVERRIDE_DIST_PATH || undefined;
  const version = folder === undefined ? pinned : versionIn(folder);
  if (forTests) return { version, folder };

  const refuse = (what, instead) => {
    throw new Refusal(
      `${what}, and package.json pins Electron ${pinned}. ${instead}, or build what is only for testing: npm run dist -- --test-runtime`,
    );
  };
  if (version !== pinned) {
    refuse(`ELECTRON_OVERRIDE_DIST_PATH points at Electron ${version}`, 'Unset it to package the official runtime');
  }
  const { electronVersion, electronDist } = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'));
  if (electronDist !== undefined || (electronVersion !== undefined && electronVersion !== pinned)) {
    refuse('electron-builder.yml names a runtime of its own', 'Take electronVersion and electronDist out of it');
  }
  const override = builderArguments.find((argument) => /electron(Version|Dist|Download)\b/.test(argument));
  if (override !== undefined) refuse(`'${override}' asks for another runtime`, 'Leave it out');
  return { version, folder };
}
