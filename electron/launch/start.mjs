/** `npm start`: installs what is missing, builds what is stale, then opens the desktop app, or the same window in a browser where that cannot be. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build, root } from './build.mjs';
import { downloadElectron } from './download-electron.mjs';
import { electronPackage, hasScreen, installedElectron } from './electron-runtime.mjs';
import { installNpmPackages, installSystemPackages, windowPackages } from './set-up.mjs';
import { isStale } from './stale.mjs';

/** An app that ends sooner than this with an error never opened. */
const OPENED_MS = 8_000;

const say = (line) => process.stdout.write(`${line}\n`);

/** Runs a child with our terminal, listening to what it prints if asked; resolves with its exit code and how long it lived. */
function run(command, args, hear) {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(command, args, { cwd: root, stdio: ['inherit', hear ? 'pipe' : 'inherit', 'inherit'] });
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text);
      hear(text);
    });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
    const done = (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass);
      resolve({ code, ms: Date.now() - started });
    };
    child.once('error', () => done(127));
    child.once('exit', (code, signal) => done(signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : (code ?? 1)));
  });
}

/** Hands a link to the system's browser; where that fails, the printed link is there to be followed by hand. */
function browse(link) {
  const [command, ...args] = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[process.platform] ?? [
    'xdg-open',
  ];
  const opener = spawn(command, [...args, link], { stdio: 'ignore', detached: true });
  opener.once('error', () => undefined);
  opener.unref();
}

async function openConsole(reason, args) {
  say(`${reason}, so Filebridge opens in your browser instead.`);
  const cli = path.join(root, 'dist', 'cli.js');
  const { code } = await run(process.execPath, [cli, 'console', ...args], (text) => {
    const link = /Open (\S+)\n/.exec(text)?.[1];
    if (link && hasScreen) browse(link);
  });
  return code;
}

async function start(args) {
  if (!installNpmPackages(root)) {
    say('The npm packages could not be installed: see the messages above, then run npm install.');
    return 1;
  }
  if (isStale(root)) {
    const status = build();
    if (status !== 0) return status;
  }
  if (!hasScreen) return openConsole('There is no screen for a desktop window here', args);
  // Libraries that are still missing make the window fail, which opens the console.
  installSystemPackages(root, windowPackages);
  let electron = installedElectron();
  if (electron === undefined) {
    say("Getting Electron's runtime, once (about 120 MB)…");
    const reason = await downloadElectron(electronPackage);
    electron = installedElectron();
    if (electron === undefined) {
      const why = reason ?? 'it is not where it was installed';
      return openConsole(`Electron's runtime could not be had (${why}; npm start tries again)`, args);
    }
  }
  // Chromium's sandbox does not run as root.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const { code, ms } = await run(electron, [...flags, root, ...args]);
  if (code !== 0 && ms < OPENED_MS) return openConsole('The desktop app could not start', args);
  return code;
}

process.exitCode = await start(process.argv.slice(2));
