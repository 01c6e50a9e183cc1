/**
 * `npm run dev`: the page from Vite's dev server with hot reload, and the program behind it, rebuilt and restarted when its sources change.
 * Opens the desktop app, or the page in a browser where there is no screen, no Electron, or with `--console`. Other arguments go to the program.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { root } from './build.mjs';
import { openConsoleProxy } from './dev-proxy.mjs';
import { hasScreen, installedElectron } from './electron-runtime.mjs';
import { installNpmPackages } from './set-up.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

/** Changes that come together make one build. */
const SETTLE_MS = 150;
/** A program that has not ended by then is killed. */
const END_MS = 10_000;

/** What `dist` is to the built program; beside it, so that both can run. */
const products = path.join(root, 'node_modules', '.cache', 'dev');

function prepareProducts() {
  rmSync(products, { recursive: true, force: true });
  mkdirSync(path.join(products, 'renderer'), { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(products, 'package.json'), JSON.stringify({ ...manifest, main: 'main.cjs' }));
  writeFileSync(path.join(products, 'renderer', 'index.html'), 'The page comes from the dev server.');
  cpSync(path.join(root, 'electron/shell/icons'), path.join(products, 'icons'), { recursive: true });
  copyFileSync(path.join(root, 'electron/package/icons/linux/256x256.png'), path.join(products, 'icons', 'window.png'));
}

/** The port asked for, or any other that is free. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves when the child has ended. */
function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

async function dev(argv) {
  if (!installNpmPackages(root)) return 1;
  const args = argv.filter((argument) => argument !== '--console');
  const electron = argv.includes('--console') || !hasScreen ? undefined : installedElectron();
  process.env.FILEBRIDGE_DIST = products;
  prepareProducts();

  const vite = await import('vite');
  const configFile = path.join(root, 'vite.config.ts');
  const rebuild = async () => {
    const builder = await vite.createBuilder({ configFile, logLevel: 'warn' });
    for (const name of ['start', 'main', 'preload']) await builder.build(builder.environments[name]);
  };

  const port = await freePort(5173);
  const proxy = openConsoleProxy();
  const server = await vite.createServer({
    configFile,
    logLevel: 'info',
    clearScreen: false,
    plugins: [proxy.plugin],
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      cors: false,
      // The desktop window's own address names no port.
      hmr: { protocol: 'ws', host: '127.0.0.1', clientPort: port },
      fs: { allow: [root] },
    },
  });
  await server.listen();
  const page = `http://127.0.0.1:${port}`;

  let child;
  let ending = false;

  const start = () => {
    const env = { ...process.env, FILEBRIDGE_DEV_PAGE: page };
    if (electron) {
      const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
      const require = ['--require', path.join(root, 'electron/launch/dev-electron.cjs')];
      child = spawn(electron, [...require, ...sandbox, products, ...args], { env, stdio: 'inherit' });
    } else {
      child = spawn(process.execPath, [path.join(products, 'cli.js'), 'console', ...args], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text;
        const link = /Open (\S+)\n/.exec(printed)?.[1];
        if (!link) return;
        printed = '';
        proxy.signIn(link).catch((error) => say(`The console could not be reached: ${error.message}`));
      });
    }
    const started = child;
    child.once('error', (error) => say(`The program could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (child !== started || ending) return;
      // A desktop app that a person has quit takes the dev server with it.
      if (electron && code === 0) return void stop();
      say(`The program ended (${signal ?? code}). It starts again after the next change.`);
    });
  };

  async function stop() {
    if (ending) return;
    ending = true;
    if (child) await end(child);
    await server.close();
    process.exit();
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());

  let running = Promise.resolve();
  /** Builds, and only then replaces the program: a mistake in the sources leaves the last one at work. */
  const restart = async () => {
    if (ending) return;
    try {
      await rebuild();
    } catch (error) {
      say(`Not built: ${error.message}`);
      return;
    }
    const old = child;
    child = undefined;
    proxy.forget();
    if (old) await end(old);
    if (ending) return;
    start();
    if (old) say('The program was rebuilt and started again.');
  };

  let timer;
  // The watcher names every file it finds at first.
  let started = false;
  const isProgram = (file) => /^(electron|shared)[\\/]/.test(path.relative(root, file)) && !/\.test\.tsx?$/.test(file);
  server.watcher.add(['electron', 'shared'].map((folder) => path.join(root, folder)));
  server.watcher.on('all', (_event, file) => {
    if (!started || !isProgram(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(restart);
    }, SETTLE_MS);
  });

  await restart();
  started = true;
  if (!electron) say(`Open ${page}/#link=${proxy.link}`);
  return undefined;
}

const status = await dev(process.argv.slice(2));
if (status !== undefined) process.exitCode = status;
