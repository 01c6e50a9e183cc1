/**
 * Entry point of `filebridge` under Node: runs the built command line. The V8 code cache from the build saves compilation,
 * which is a third of the time to the first answer.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './compiled-chunks.ts';

runProgram(path.dirname(fileURLToPath(import.meta.url)), 'cli.cjs');
