/** The wordings for agents, the command line and the log, in English: a table per subject, which holds whole prefixes of codes (`csv.`, `signIn.`). */
import { argumentWords } from './arguments.ts';
import { calls } from './calls.ts';
import { containers } from './containers.ts';
import { converting } from './converting.ts';
import { files } from './files.ts';
import { program } from './program.ts';
import { servers } from './servers.ts';
import { setup } from './setup.ts';
import { textFormats } from './text-formats.ts';

export const agents = {
  ...argumentWords,
  ...calls,
  ...containers,
  ...converting,
  ...files,
  ...program,
  ...servers,
  ...setup,
  ...textFormats,
};
export type AgentWords = typeof agents;
