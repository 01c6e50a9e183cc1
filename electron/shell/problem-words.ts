/** A problem in the words of the person's language, as far as there are any; the rest comes in the program's own. */
import type { Problem } from '../../shared/contract/status.ts';
import type { Text } from './texts.ts';

export function problemTitle({ id, subject, message }: Problem, t: Text): string {
  if (subject !== null && id.startsWith('folder:')) return t('folderGone', { path: subject });
  if (subject !== null && id === 'answers') return t('answersRefused', { path: subject });
  if (subject !== null && id.startsWith('upstream:')) return t('serverFails', { name: subject });
  return message;
}
