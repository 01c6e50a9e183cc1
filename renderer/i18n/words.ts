/** Translates messages of the program into the reader's language. */
import { personsWords, type Worded } from '../../shared/model/messages/people.ts';
import { currentLanguage } from './texts.ts';

/** Message and hint of an error, a problem or a warning. Words of others, such as those of a server, stay as they are. Call it while rendering. */
export const words = (said: Worded): { message: string; hint: string | null } => personsWords(said, currentLanguage());

/** The problem of an agent's app and what to do after connecting, as the person reads them. */
export function agentWords({ problem, note, said }: { problem: string | null; note: string | null; said?: Worded['said'] }) {
  const { message, hint } = words({ message: problem ?? '', hint: note, said });
  return { problem: problem === null ? null : message, note: hint };
}
