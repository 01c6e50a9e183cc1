/** Calls as a table: when, what, which file, what it saved, how it ended. */
import './call-table.css';
import { Link } from 'wouter';
import { visibleName } from '../../shared/lib/visible-text.ts';
import type { LedgerEntry, Savings } from '../../shared/model/call.ts';
import { fileName, formatBytes, formatClock, formatCount, formatDuration } from './numbers.ts';
import { StateDot, type Tone } from './state-dot.tsx';
import { t } from './ui-texts.ts';

export const outcomeTones: Record<LedgerEntry['outcome'], Tone> = {
  ok: 'good',
  tool_error: 'bad',
  failed: 'bad',
  cancelled: 'off',
  refused: 'wait',
};

export function Outcome({ outcome }: { outcome: LedgerEntry['outcome'] }) {
  return <StateDot tone={outcomeTones[outcome]}>{t(outcome)}</StateDot>;
}

/** "≈" before a sum of which a part was estimated. */
export function savedTokens({ arguments: typed, answer }: Savings): string {
  const estimated = [typed, answer].some(({ count, method }) => count > 0 && method === 'estimated');
  return `${estimated ? '≈ ' : ''}${formatCount(typed.count + answer.count)}`;
}

/** The tool, or what was done when there was none. */
export const callName = (entry: Pick<LedgerEntry, 'tool'>): string =>
  entry.tool === null ? t('previewOfFile') : visibleName(entry.tool);

/** Which try of the same call it was, if not the first; before what else is said of the call. */
export function Attempt({ entry }: { entry: Pick<LedgerEntry, 'attempt'> }) {
  return entry.attempt === undefined ? null : (
    <>
      <b className="attempt">{t('attempt', { number: entry.attempt })}</b>
      {' · '}
    </>
  );
}

/** Where and for whom. */
export function callPlace({ server, client }: Pick<LedgerEntry, 'server' | 'client'>): string {
  if (server !== null && client !== null) return t('onFor', { server, client });
  if (server !== null) return t('on', { server });
  return client === null ? '' : t('for', { client });
}

export function CallTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const now = new Date();
  return (
    <div className="call-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            <th scope="col">{t('tool')}</th>
            <th scope="col">{t('file')}</th>
            <th scope="col" className="number" data-column="tokensSaved">
              {t('tokensSaved')}
            </th>
            <th scope="col" className="number">
              {t('took')}
            </th>
            <th scope="col">{t('outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="quiet">
                <time dateTime={entry.time}>{formatClock(entry.time, now)}</time>
              </td>
              <td>
                <Link href={`/activity/${encodeURIComponent(entry.id)}`} className="call-name">
                  {callName(entry)}
                </Link>
                <span className="quiet small">
                  <Attempt entry={entry} />
                  {callPlace(entry)}
                </span>
              </td>
              <td title={entry.paths.join('\n')}>
                <span className="call-file">{entry.paths[0] === undefined ? '–' : fileName(entry.paths[0])}</span>
                <span className="quiet small">
                  {entry.paths.length > 1 ? `${t('more', { count: entry.paths.length - 1 })} · ` : ''}
                  {entry.paths.length > 0
                    ? `${entry.records > 0 ? `${t('records', { count: entry.records, shown: formatCount(entry.records) })}, ` : ''}${formatBytes(entry.inputBytes)}`
                    : ''}
                </span>
              </td>
              <td className="number" data-column="tokensSaved">
                {savedTokens(entry.savings)}
              </td>
              <td className="number quiet">{formatDuration(entry.durationMs)}</td>
              <td>
                <Outcome outcome={entry.outcome} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
