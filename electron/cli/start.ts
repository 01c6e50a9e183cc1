/**
 * `filebridge` as Node starts it: runs the command line that is built beside it. Code that was compiled when it was built is not compiled
 * again, which is a third of the time to the first answer.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './compiled-chunks.ts';

runProgram(path.dirname(fileURLToPath(import.meta.url)), 'cli.cjs');
