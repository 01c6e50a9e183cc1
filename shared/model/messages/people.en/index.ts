/** The wordings for people, in English: the agents', except where those name options and tools, or speak of the person. */
import { agents } from '../agents.en/index.ts';
import type { Wordings } from '../message.ts';
import { argumentWords } from './arguments.ts';
import { calls } from './calls.ts';
import { containers } from './containers.ts';
import { converting } from './converting.ts';
import { files } from './files.ts';
import { program } from './program.ts';
import { servers } from './servers.ts';
import { setup } from './setup.ts';
import { textFormats } from './text-formats.ts';

export const english: Wordings = {
  ...agents,
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
