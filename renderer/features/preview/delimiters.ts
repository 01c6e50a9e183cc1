/** Delimiters by their names. */
import { t } from './preview-texts.ts';

export const usualDelimiters = [',', ';', '\t', '|'] as const;

const names = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const;

export const delimiterName = (delimiter: string): string =>
  delimiter in names ? t(names[delimiter as keyof typeof names]) : `“${delimiter}”`;
