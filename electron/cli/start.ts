/** Entry point of `filebridge` under Node: runs the built command line, compiled ahead where Node keeps what it compiled. */
import module, { createRequire } from 'node:module';
import path from 'node:path';
import { dataDirectory } from '../store/paths.ts';

interface CachingModule {
  /** Node 22.1 and later. */
  enableCompileCache?: (directory: string) => unknown;
}

// In our own folder: in the system's temporary one, another user could put code into it first.
(module as CachingModule).enableCompileCache?.(path.join(dataDirectory(), 'compile-cache'));
createRequire(__filename)('./cli.cjs');
