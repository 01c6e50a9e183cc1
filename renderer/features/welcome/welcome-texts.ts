/** The words of the Welcome page. */
import { texts } from '../../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('welcome', english);
