/**
 * `npm run package`: writes what package registries and MCP clients take, from the built program, to `release/`: the npm package
 * (`filebridge-….tgz`), the MCP bundle (`filebridge-….mcpb`), and `server.json` for the MCP registry. `--out FOLDER` writes
 * elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, root } from '../launch/build.mjs';
import { installNpmPackages } from '../launch/set-up.mjs';
import { isStale } from '../launch/stale.mjs';
import { thirdPartyNotices } from './notices.mjs';

const dist = path.join(root, 'dist');
/** The name under which the MCP registry lists the server; the npm package must say it, too. */
export const REGISTRY_NAME = 'io.github.filebridge/filebridge';

const project = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The built files that the command line loads, in any of its commands; those of the window alone are left out. */
export function commandLineFiles(folder) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(path.join(folder, name), 'utf8');
    for (const [, chunk] of text.matchAll(/["'`]\.\/([\w.-]+\.cjs)["'`]/g)) visit(chunk);
  };
  for (const name of ['cli.cjs', 'engine-thread.cjs']) visit(name);
  return ['cli.js', 'package.json', ...found];
}

/** Writes the program into a folder as it is published. */
function stage(folder, manifest) {
  mkdirSync(path.join(folder, 'dist'), { recursive: true });
  for (const name of commandLineFiles(dist)) cpSync(path.join(dist, name), path.join(folder, 'dist', name));
  cpSync(path.join(dist, 'renderer'), path.join(folder, 'dist', 'renderer'), { recursive: true });
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root));
  for (const [name, content] of Object.entries(manifest)) {
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

const { name, version, description, license, author, homepage, engines } = project;

/** Everything is bundled, so nothing is installed with it and nothing is built. */
const npmManifest = {
  name,
  version,
  description,
  keywords: ['mcp', 'model-context-protocol', 'mcp-server', 'files', 'csv', 'xlsx', 'json'],
  license,
  author,
  homepage,
  mcpName: REGISTRY_NAME,
  type: 'module',
  bin: { [name]: 'dist/cli.js' },
  files: ['dist', 'THIRD-PARTY-NOTICES.txt'],
  engines,
};

const npmReadme = `# Filebridge

${description}

\`\`\`sh
npx ${name} connect            # lists the agents on this computer; connect NAME adds Filebridge to one
npx ${name} serve --stdio DIR  # an MCP server over the folder DIR, for a client's own configuration
npx ${name} console            # the window in a browser: folders, servers, preview, activity
\`\`\`

It needs Node ${engines.node.replace('>=', '')} or later, and installs nothing else. ${homepage}
`;

const folders = { title: 'Folders', description: 'Folders whose files agents may read, write and send to tools.' };

/** The MCP registry's description of a server, schema 2025-12-11. */
export const serverJson = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: REGISTRY_NAME,
  title: project.productName,
  description: 'Agents name a file; it is read, converted and sent to any MCP tool, without its content as tokens.',
  version,
  websiteUrl: homepage,
  packages: [
    {
      registryType: 'npm',
      registryBaseUrl: 'https://registry.npmjs.org',
      identifier: name,
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'positional', value: '--stdio' },
        { type: 'positional', valueHint: 'folder', description: folders.description, format: 'filepath', isRepeated: true },
      ],
      environmentVariables: [{ name: 'FILEBRIDGE_CONFIG', description: 'Configuration file', format: 'filepath' }],
    },
  ],
};

const servers = {
  title: 'Servers file',
  description: 'A file with the servers to call, in the form {"mcpServers": {…}}. Without one, the servers added in Filebridge.',
};

/** The manifest of the MCP bundle, version 0.3. */
const bundleManifest = {
  manifest_version: '0.3',
  name,
  display_name: project.productName,
  version,
  description,
  author,
  homepage,
  license,
  server: {
    type: 'node',
    entry_point: 'dist/cli.js',
    mcp_config: {
      command: 'node',
      // In one word: some hosts leave out an argument without a value, but not the name before it.
      args: ['${__dirname}/dist/cli.js', 'serve', '--stdio', '${user_config.folders}', '--upstreams=${user_config.servers}'],
    },
  },
  tools_generated: true,
  user_config: {
    folders: { type: 'directory', ...folders, required: true, multiple: true },
    servers: { type: 'file', ...servers, required: false, default: '' },
  },
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
};

function run(program, args, cwd) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (error || status !== 0) throw new Error(`${program} ${args[0]} failed${error ? `: ${error.message}` : ''}`);
}

function main() {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const out = path.resolve(values.out ?? path.join(root, 'release'));
  const installers = path.join(root, 'installers');
  if (!installNpmPackages(root) || !installNpmPackages(installers)) return 1;
  if (isStale(root)) build();
  mkdirSync(out, { recursive: true });
  const work = mkdtempSync(path.join(os.tmpdir(), 'filebridge-package-'));
  try {
    const npmFolder = path.join(work, 'npm');
    stage(npmFolder, { 'package.json': npmManifest, 'README.md': npmReadme });
    run('npm', ['pack', '--silent', '--pack-destination', out], npmFolder);
    const bundle = path.join(work, 'bundle');
    // Without this the command line would not be read as a module.
    stage(bundle, { 'manifest.json': bundleManifest, 'package.json': { name, version, type: 'module' } });
    const mcpb = path.join(installers, 'node_modules', '.bin', 'mcpb');
    run(mcpb, ['validate', path.join(bundle, 'manifest.json')], work);
    run(mcpb, ['pack', bundle, path.join(out, `${name}-${version}.mcpb`)], work);
    writeFileSync(path.join(out, 'server.json'), `${JSON.stringify(serverJson, null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const made = readdirSync(out).filter((file) => file === 'server.json' || file.startsWith(`${name}-${version}.`));
  process.stdout.write(`${made.map((file) => path.join(out, file)).join('\n')}\n`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
