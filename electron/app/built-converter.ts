/** Creates the converter of the built program, whose worker threads run a bundled file. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Converter, inProcess, type SecondThread, secondThread, threadedConverter } from '../engine/index.ts';

/** Run from its sources, as in unit tests, the program has no such file, and converts in the thread it is in. */
export function builtConverter(): Converter {
  const script = builtScript();
  return script === undefined ? inProcess : threadedConverter({ script });
}

/** For who converts in the thread it is in. */
export function builtSecondThread(): SecondThread | undefined {
  const script = builtScript();
  return script === undefined ? undefined : secondThread(script);
}

function builtScript(): string | undefined {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'engine-thread.cjs');
  return existsSync(script) ? script : undefined;
}
