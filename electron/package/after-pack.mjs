/** Removes files that a runtime from a folder contains and a downloaded one does not. */
import { rm } from 'node:fs/promises';
import path from 'node:path';

/** electron-builder calls this when everything is in place, before it sets the fuses and signs. */
export async function afterPack({ appOutDir, packager }) {
  // Electron's own app, which would be there to start were ours taken away.
  await rm(path.join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  await rm(path.join(appOutDir, 'version'), { force: true });
}
