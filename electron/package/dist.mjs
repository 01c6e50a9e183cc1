/**
 * `npm run dist`: builds the installers for the system it runs on, with the Electron that package.json pins. What stands behind
 * `--` goes to electron-builder, for example `npm run dist -- --linux deb`. With `--test-runtime` it packages whatever
 * Electron ELECTRON_OVERRIDE_DIST_PATH names, under a version that says so.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parse } from 'yaml';
import { build, root } from '../launch/build.mjs';
import { installNpmPackages } from '../launch/set-up.mjs';
import { isStale } from '../launch/stale.mjs';
import { thirdPartyNotices } from './notices.mjs';
import { chooseRuntime, Refusal } from './runtime.mjs';

const require = createRequire(import.meta.url);
/** electron-builder is a package apart: it is large, and only this program needs it. */
const builderFolder = path.join(root, 'installers');
const fromBuilder = createRequire(path.join(builderFolder, 'package.json'));
const configFile = path.join(root, 'electron-builder.yml');
const release = path.join(root, 'release');
const testRelease = path.join(release, 'test-runtime');

/** Electron has this fuse from its version 29 on. */
const FILE_PROTOCOL_FUSE_SINCE = 29;

/** The configuration for a test build: with the given runtime, and a version that nobody takes for a release's. */
function testConfig({ version, folder }) {
  const config = parse(readFileSync(configFile, 'utf8'));
  config.electronVersion = version;
  if (folder !== undefined) config.electronDist = folder;
  if (Number(version.split('.')[0]) < FILE_PROTOCOL_FUSE_SINCE) delete config.electronFuses.grantFileProtocolExtraPrivileges;
  config.extraMetadata = { version: `${require('../../package.json').version}-test-runtime.${version}` };
  config.directories.output = path.relative(root, testRelease);
  // Quickly made, not small.
  config.deb.compression = 'gz';
  return config;
}

function dist(args) {
  const forTests = args.includes('--test-runtime');
  const builderArguments = args.filter((argument) => argument !== '--test-runtime');
  const runtime = chooseRuntime(root, { forTests, builderArguments });

  if (!installNpmPackages(builderFolder)) return 1;
  // A release is made of nothing that lies about.
  if (!forTests || isStale(root)) {
    const status = build();
    if (status !== 0) return status;
  }
  mkdirSync(testRelease, { recursive: true });
  writeFileSync(path.join(release, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root));
  let config = configFile;
  if (forTests) {
    config = path.join(testRelease, 'electron-builder.json');
    writeFileSync(config, JSON.stringify(testConfig(runtime), null, 2));
  }
  const official = forTests || runtime.folder === undefined ? [] : [`--config.electronDist=${runtime.folder}`];
  const builder = path.join(path.dirname(fromBuilder.resolve('electron-builder/package.json')), 'cli.js');
  return (
    spawnSync(process.execPath, [builder, '--publish', 'never', '--config', config, ...official, ...builderArguments], {
      cwd: root,
      stdio: 'inherit',
    }).status ?? 1
  );
}

try {
  process.exitCode = dist(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`Not built: ${error.message}.\n`);
  process.exitCode = 1;
}
