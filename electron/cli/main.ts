/** Runs the command. */
import { runCommand } from './run.ts';

// A reader that stops early (`… | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const FAILED = 0;
/** When a command that has ended is ended whatever holds it up (milliseconds). */
const LATE_MS = 1_000;
void runCommand(process.argv.slice(2)).then((code) => {
  // A failed command may leave something open, such as a connection.
  if (code > FAILED) process.exit(code);
  process.exitCode = code;
  // A call to a disk that does not answer would.
  setInterval(() => (process.stdout.writableLength === 0 ? process.exit() : undefined), LATE_MS).unref();
});
