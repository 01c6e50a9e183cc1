/** The words of the Activity page. */
import { type ErrorCode, errorCodes } from '../../../shared/model/errors.ts';
import { texts } from '../../i18n/texts.ts';
import english from './texts.en.json';

export const t = texts('activity', english);

/** What an error's code stands for: its own words are kept in memory only, as they may hold data. */
export const sentenceOf = (code: string | null): string =>
  code !== null && Object.hasOwn(errorCodes, code) ? t(`code_${code as ErrorCode}`) : t('code_UPSTREAM_FAILED');
