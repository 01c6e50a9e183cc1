/** After the build: runs the command line as agents and people start it, and stores V8's code cache. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledKey } from '../cli/compiled-key.mjs';

const preload = fileURLToPath(new URL('keep-compiled.cjs', import.meta.url));

const message = (fields) => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;

/** What an agent sends before anything else. */
const greeting = [
  message({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
  }),
  message({ method: 'notifications/initialized' }),
  message({ id: 2, method: 'tools/list', params: {} }),
].join('');

/** `folder`: where the caches of this Node get a folder. A build is whole without them: the program then starts somewhat later. */
export function compileAhead(dist, folder) {
  const home = mkdtempSync(path.join(tmpdir(), 'filebridge-build-'));
  try {
    const files = path.join(home, 'files');
    mkdirSync(files);
    const csv = path.join(files, 'a.csv');
    const json = path.join(files, 'a.json');
    writeFileSync(csv, 'id,name\n1,"a ""b"""\n2,\n');
    writeFileSync(json, '[{"id": 1, "name": "a"}]');
    const env = {
      ...process.env,
      // Its own folder holds nothing that may be converted.
      FILEBRIDGE_DATA: path.join(home, 'data'),
      FILEBRIDGE_CONFIG: path.join(home, 'data', 'config.json'),
      FILEBRIDGE_KEEP_COMPILED: path.join(folder, compiledKey()),
    };
    for (const args of [
      ['serve', '--stdio', files],
      ['convert', csv],
      ['convert', json],
      ['preview', csv],
    ]) {
      const { status, error } = spawnSync(process.execPath, ['--require', preload, path.join(dist, 'cli.js'), ...args], {
        env,
        input: greeting,
        stdio: ['pipe', 'ignore', 'inherit'],
        timeout: 30_000,
      });
      if (status !== 0) process.stderr.write(`not compiled ahead: ${args[0]} ended with ${error?.message ?? status}\n`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
