/** The wordings that persons read in English: those of agents, except where a person does something else or elsewhere. */
import { agents } from './agents/index.ts';
import type { Wordings } from './message.ts';

export const english: Wordings = {
  ...agents,
  'agent.taken.hint': 'Nothing was changed. Look at the change, and replace it there',
  'folder.missing.hint': 'It may be on a drive that is not connected. Agents get nothing from it.',
  'answers.refused.hint': 'Until another folder is chosen, answers go to the usual place.',
};
