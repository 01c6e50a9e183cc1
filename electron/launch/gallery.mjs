/** `npm run gallery`: serves the page that shows every component of renderer/ui in every state, and prints its address. */
import path from 'node:path';
import { root } from './build.mjs';
import { installNpmPackages } from './set-up.mjs';

if (!installNpmPackages(root)) process.exit(1);
const vite = await import('vite');
const server = await vite.createServer({
  configFile: path.join(root, 'vite.config.ts'),
  logLevel: 'warn',
  server: { host: '127.0.0.1', port: 5174, fs: { allow: [root] } },
});
await server.listen();
process.stdout.write(`Open http://127.0.0.1:${server.config.server.port}/gallery/index.html\n`);
