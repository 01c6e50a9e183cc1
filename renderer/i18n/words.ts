/** What the program says, in the reader's language. */
import { personsWords, type Worded } from '../../shared/model/messages/persons.ts';
import { currentLanguage } from './texts.ts';

/** Message and hint of an error, a problem or a warning. Words of others, such as those of a server, stay as they are. Call it while rendering. */
export const words = (said: Worded): { message: string; hint: string | null } => personsWords(said, currentLanguage());
