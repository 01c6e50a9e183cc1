/** Starts the desktop app: one instance, which a second start brings to the front. */

import path from 'node:path';
import { app, dialog } from 'electron';
import { pageText, terminalLine } from '../../shared/lib/visible-text.ts';
import { dataDirectory } from '../store/paths.ts';
import { type Desktop, openDesktop } from './desktop.ts';
import { commandLine, ownArguments } from './launch.ts';
import { denyEverythingElse, registerPageScheme, servePage } from './page-protocol.ts';
import { textsIn } from './texts.ts';

const log = (line: string) => void process.stderr.write(`filebridge: ${terminalLine(line)}\n`);

async function open(): Promise<Desktop> {
  const args = ownArguments(process.argv, app.getAppPath(), app.isPackaged);
  await app.whenReady();
  denyEverythingElse();
  await servePage(path.join(__dirname, 'renderer'));
  return openDesktop(args, commandLine(args), log);
}

// Without a listener, Electron shows a modal error dialog, which blocks the main process and with it every agent.
process.on('uncaughtException', (error) => log(`unexpected error: ${error.stack ?? error}`));

registerPageScheme();
// The name Windows knows the installed app by, without which it shows no notifications.
app.setAppUserModelId('io.github.filebridge.app');
// Run as root, as in containers, Chromium starts only without its sandbox.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// Chromium's files are in a separate folder; each data directory has one app.
if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', path.join(dataDirectory(), 'window'));

if (app.requestSingleInstanceLock()) {
  const opened = open();
  opened.catch((error: unknown) => {
    const t = textsIn(app.getLocale().startsWith('de') ? 'de' : 'en');
    dialog.showErrorBox(t('startFailed'), pageText(error instanceof Error ? error.message : String(error)));
    app.exit(1);
  });
  const front = () => void opened.then(({ showWindow }) => showWindow()).catch(() => undefined);
  app.on('second-instance', (_event, argv) => {
    // Starting at login, with the app there already.
    if (!argv.includes('--hidden')) front();
  });
  app.on('activate', front);
  // The app keeps running in the tray.
  app.on('window-all-closed', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
} else {
  app.quit();
}
