/** Calls as a file: a table in the person's words, or JSON as they are kept. */
import { type LedgerEntry, savedBy } from '../../../shared/model/call.ts';
import { currentLanguage } from '../../i18n/texts.ts';
import { callDoes, callerName } from '../../ui/calls.tsx';
import { localIso } from '../../ui/format.ts';
import { t as ui } from '../../ui/ui-texts.ts';
import { sentenceOf, t } from './activity-texts.ts';

type Column = readonly [heading: string, of: (entry: LedgerEntry) => string | number | null | undefined];

/** What only Filebridge and programs use comes last. */
const columns = (): readonly Column[] => [
  [t('when'), ({ time }) => localIso(time)],
  [t('agent'), ({ client }) => (client === null ? t('nobody') : callerName(client))],
  [ui('tool'), callDoes],
  [t('toolName'), ({ tool }) => tool],
  [t('server'), ({ server }) => server],
  [t('files'), ({ paths }) => paths.join('\n')],
  [t('outcome'), ({ outcome }) => t(`by_${outcome}`)],
  [t('reason'), ({ outcome, errorCode }) => (outcome === 'ok' ? '' : sentenceOf(errorCode))],
  [t('bytesRead'), ({ inputBytes }) => inputBytes || null],
  [t('bytesSent'), ({ sentBytes }) => sentBytes || null],
  [t('records'), ({ records }) => records],
  [t('accepted'), ({ receipt }) => receipt?.recordsAccepted],
  [t('rejected'), ({ receipt }) => receipt?.recordsFailed],
  [t('callsMade'), ({ calls }) => calls],
  [t('tookMs'), ({ durationMs }) => durationMs],
  [t('tokensTyped'), (entry) => savedBy(entry).arguments.count],
  [t('tokensRead'), (entry) => savedBy(entry).answer.count],
  [t('stored'), ({ storedPath }) => storedPath],
  [t('attempt'), ({ attempt }) => attempt],
  [t('binding'), ({ dataKeys }) => dataKeys?.join('\n')],
  [t('code'), ({ errorCode }) => errorCode],
  [t('hash'), ({ receipt }) => receipt?.sha256],
  [t('id'), ({ id }) => id],
];

export async function csvOf(entries: readonly LedgerEntry[]): Promise<string> {
  const { default: Papa } = await import('papaparse');
  const table = columns();
  const rows = entries.map((entry) => table.map(([, of]) => of(entry) ?? ''));
  const text = Papa.unparse([table.map(([heading]) => heading), ...rows], {
    // Spreadsheets expect what their language writes.
    delimiter: currentLanguage() === 'de' ? ';' : ',',
    // Names of clients come from outside, and spreadsheets run what looks like a formula.
    escapeFormulae: true,
  });
  // Without the mark, spreadsheets take the letters for those of an older encoding.
  return `\uFEFF${text}\r\n`;
}

export const jsonOf = (entries: readonly LedgerEntry[]): string => `${JSON.stringify(entries, null, 2)}\n`;

export const exportName = (format: 'csv' | 'json', now: string): string => `filebridge-${localIso(now).slice(0, 10)}.${format}`;
