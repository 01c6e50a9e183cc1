/** The words of the Preview page. */
import { texts } from '../../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('preview', english);
