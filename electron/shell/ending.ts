/** Ends the app in order, whatever triggered it. */
import { app } from 'electron';

/** How long to wait for running work, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Ends upstream processes and finishes what is being written, once, before the app goes. */
export function endInOrder(close: () => Promise<void>, log: (line: string) => void): void {
  let begun = false;
  let closed = false;
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (begun) return;
    begun = true;
    setTimeout(() => {
      log('what is still being closed is left behind');
      app.exit(1);
    }, PATIENCE_MS);
    close()
      .catch((error: unknown) => log(`could not close cleanly: ${error}`))
      .finally(() => {
        closed = true;
        app.quit();
      });
  });
}
