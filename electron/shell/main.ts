/** The desktop app: one instance, one window, the same services as `filebridge serve --http`. */
import path from 'node:path';
import { app, dialog } from 'electron';
import { stdioLaunch } from '../api/agent-launch.ts';
import { consoleHost } from '../api/host.ts';
import { type Services, startServices } from '../api/services.ts';
import { connectPage } from './ipc.ts';
import { commandLine, ownArguments } from './launch.ts';
import { denyEverythingElse } from './lockdown.ts';
import { registerPageScheme, servePage } from './page-protocol.ts';
import { showWindow } from './window.ts';

const log = (line: string) => void process.stderr.write(`filebridge: ${line}\n`);

async function open(): Promise<void> {
  const options = commandLine(ownArguments(process.argv, app.getAppPath(), app.isPackaged));
  await app.whenReady();
  denyEverythingElse();
  await servePage(path.join(__dirname, 'renderer'));
  const services = await startServices({
    ...options,
    host: consoleHost,
    launch: stdioLaunch(__dirname, options),
    log,
  });
  closeBeforeQuitting(services);
  connectPage(services.api);
  await showWindow();
}

/** Ends upstream processes and finishes what is being written, once, before the app goes. */
function closeBeforeQuitting(services: Services): void {
  let closed = false;
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    closed = true;
    services
      .close()
      .catch((error: unknown) => log(`could not close cleanly: ${error}`))
      .finally(() => app.quit());
  });
}

registerPageScheme();
// Run as root, as in containers, Chromium starts only without its sandbox.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => void showWindow());
  app.on('activate', () => void showWindow());
  app.on('window-all-closed', () => app.quit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
  open().catch((error: unknown) => {
    dialog.showErrorBox('Filebridge could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
