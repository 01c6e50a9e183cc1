/** The words of the question before a call. */
import { texts } from '../../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('approvals', english);
