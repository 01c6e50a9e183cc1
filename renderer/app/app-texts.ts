/** The words around the pages. */
import { texts } from '../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('app', english);
