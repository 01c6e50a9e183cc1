/** Runs the command. */
import { runCommand } from './run.ts';

// A reader that stops early (`… | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const FAILED = 0;
void runCommand(process.argv.slice(2)).then((code) => {
  // A failed command may leave something open, such as a connection.
  if (code > FAILED) process.exit(code);
  process.exitCode = code;
});
