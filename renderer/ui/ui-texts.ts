/** The words of the shared parts. */
import { texts } from '../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('ui', english);
