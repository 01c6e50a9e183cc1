/** The ledger's newest lines, as they are written. */
import { formatBytes } from '../../../shared/model/bytes.ts';
import type { LedgerEntry, Savings } from '../../../shared/model/call.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { counted, fileName, formatCount, formatDuration, formatTime } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';

const newest = { limit: 30 };
const events = ['ledger.appended'] as const;

const outcomes: Record<LedgerEntry['outcome'], string> = {
  ok: 'Done',
  tool_error: 'Tool error',
  failed: 'Failed',
  cancelled: 'Cancelled',
  refused: 'Refused',
};

function saved({ arguments: typed, answer }: Savings): string {
  const estimated = [typed, answer].some(({ count, method }) => count > 0 && method === 'estimated');
  return `${estimated ? '≈ ' : ''}${formatCount(typed.count + answer.count)}`;
}

function Call({ entry, now }: { entry: LedgerEntry; now: Date }) {
  const { server, tool, paths, client, savings } = entry;
  return (
    <tr>
      <td className="quiet">
        <time dateTime={entry.time}>{formatTime(entry.time, now)}</time>
      </td>
      <th scope="row">
        <span className="name">{tool ?? 'Preview'}</span>
        <span className="quiet">
          {server === null ? null : `on ${server}`}
          {client === null ? null : ` for ${client}`}
        </span>
      </th>
      <td title={paths.join('\n')}>
        <span className="file">{paths[0] === undefined ? '–' : fileName(paths[0])}</span>
        <span className="quiet">
          {paths.length > 1 ? `and ${formatCount(paths.length - 1)} more · ` : ''}
          {paths.length > 0 ? `${counted(entry.records, 'record')}, ${formatBytes(entry.inputBytes)}` : ''}
        </span>
      </td>
      <td className="number">{saved(savings)}</td>
      <td className="number quiet">{formatDuration(entry.durationMs)}</td>
      <td>
        <span className="state" data-state={entry.outcome}>
          {outcomes[entry.outcome]}
        </span>
      </td>
    </tr>
  );
}

export function RecentCalls() {
  const calls = useAnswer('ledger.recent', newest, events);
  return (
    <Section title="Recent calls" className="calls">
      <Loaded answer={calls}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="empty">
              No calls yet. Connect an agent below, then ask it to hand a file from one of your folders to a tool. It appears here
              at once.
            </p>
          ) : (
            <div className="scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Tool</th>
                    <th scope="col">File</th>
                    <th scope="col" className="number">
                      Tokens saved
                    </th>
                    <th scope="col" className="number">
                      Took
                    </th>
                    <th scope="col">Outcome</th>
                  </tr>
                </thead>
                <tbody>
                  {entries.map((entry) => (
                    <Call key={entry.id} entry={entry} now={new Date()} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}
