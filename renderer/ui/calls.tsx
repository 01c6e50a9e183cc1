/** Calls, as several pages show them: the finished ones as a table, those that run, those that stopped half-way, and what was sent before. */
import './calls.css';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { visibleName, visibleText } from '../../shared/lib/visible-text.ts';
import {
  type CallOutcome,
  isFileTool,
  type LedgerEntry,
  type RunningCall,
  type Savings,
  type SentBefore,
  type StoppedCall,
  savedBy,
} from '../../shared/model/call.ts';
import { APP_CLIENT, agentName, PRACTICE_SERVER } from '../../shared/model/client-name.ts';
import { type ErrorCode, errorCodes } from '../../shared/model/errors.ts';
import { useAnswer, useCommand } from '../api/use-client.ts';
import { Button, IconButton } from './button.tsx';
import { Callout, StateDot, type Tone, Trouble, useToast } from './feedback.tsx';
import {
  fileName,
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatElapsed,
  formatEstimate,
  formatMoment,
} from './format.ts';
import { RotateCw, X } from './icons/icons.tsx';
import { Row, Rows, Section } from './page.tsx';
import { t } from './ui-texts.ts';

const outcomeTones: Record<CallOutcome, Tone> = {
  ok: 'good',
  tool_error: 'bad',
  failed: 'bad',
  cancelled: 'off',
  refused: 'wait',
  blocked: 'wait',
  unknown: 'bad',
};

/** How a call ended; with `why`, the reason in a few words below it. */
export function Outcome({ outcome, why = null }: { outcome: CallOutcome; why?: string | null }) {
  return (
    <span className="call-outcome" title={[t(`${outcome}Note`), ...(why === null ? [] : [why])].join(': ')}>
      <StateDot tone={outcomeTones[outcome]}>{t(outcome)}</StateDot>
      {why === null ? null : <small className="quiet">{why}</small>}
    </span>
  );
}

/** Why a call did not work, in a few words; null for one that did. */
export function whyNot({ outcome, errorCode }: Pick<LedgerEntry, 'outcome' | 'errorCode'>): string | null {
  if (outcome === 'ok') return null;
  if (errorCode !== null && Object.hasOwn(errorCodes, errorCode)) return t(`why_${errorCode as ErrorCode}`);
  return outcome === 'tool_error' ? t('why_UPSTREAM_FAILED') : null;
}

/** "≈" before a sum of which a part was estimated; a dash where nothing could be saved. */
export function savedTokens({ arguments: typed, answer }: Savings): string {
  const estimated = [typed, answer].some(({ count, method }) => count > 0 && method === 'estimated');
  const total = typed.count + answer.count;
  if (total === 0) return '–';
  return estimated ? `≈ ${formatEstimate(total)}` : formatCount(total);
}

/** The file tools that say more than their kind. */
const fileTools = ['write_file', 'edit_file', 'move_file', 'copy_file', 'delete_file', 'undo'] as const;

type Called = Pick<LedgerEntry, 'tool' | 'kind'>;

/** What was to be done, as a person says it. */
export const callDoes = ({ kind, tool }: Called): string =>
  t(`does_${(kind === 'file_write' ? fileTools.find((name) => name === tool) : undefined) ?? kind}`);

/** The tool that was called; null where nothing was, as when a person undoes a change. */
const toolOf = ({ kind, tool }: Called): string | null =>
  tool === null || (kind === 'file_write' && tool === 'undo') ? null : visibleName(tool);

/** The same with the tool's name. */
export const callName = (call: Called): string => {
  const tool = toolOf(call);
  return tool === null ? callDoes(call) : t('callNamed', { does: callDoes(call), tool });
};

/** A server as a person knows it. */
export const serverName = (server: string): string => (server === PRACTICE_SERVER ? t('practiceServer') : server);

/** The tool, where and for whom: the line below what was done. */
export const callDetail = (call: Called & CallPlace): string =>
  [toolOf(call) ?? '', callPlace(call)].filter((text) => text !== '').join(' · ');

/** Which try of the same call it was, if not the first; before what else is said of the call. */
export function Attempt({ entry }: { entry: Pick<LedgerEntry, 'attempt'> }) {
  return entry.attempt === undefined ? null : (
    <>
      <b className="attempt">{t('attempt', { number: entry.attempt })}</b>
      {' · '}
    </>
  );
}

/** Who made a call: an agent by its name, or the person in this window. */
export const callerName = (client: string): string => (client === APP_CLIENT ? t('you') : agentName(client));

type CallPlace = Pick<LedgerEntry, 'server' | 'client'> & Partial<Pick<LedgerEntry, 'kind'>>;

/** Where and for whom. */
export function callPlace({ kind = 'call', server: named, client: said }: CallPlace): string {
  // File tools are Filebridge's own.
  const server = named === null || isFileTool(kind) ? null : serverName(named);
  const client = said === null ? null : callerName(said);
  return [server, client].filter((part) => part !== null).join(' · ');
}

/** When, what, which file, what it saved, how it ended. */
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
            <th scope="col" className="number">
              {t('tokensSaved')}
            </th>
            <th scope="col" className="number" data-column="took">
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
                <Link href={`/activity/${encodeURIComponent(entry.id)}`} className="call-name" aria-label={callName(entry)}>
                  {callDoes(entry)}
                </Link>
                <span className="quiet small">
                  <Attempt entry={entry} />
                  {callDetail(entry)}
                </span>
              </td>
              <td title={entry.paths.join('\n')}>
                <span className="call-file">{entry.paths[0] === undefined ? '–' : fileName(entry.paths[0])}</span>
                <span className="quiet small">{fileFacts(entry)}</span>
              </td>
              <td className="number">{savedTokens(savedBy(entry))}</td>
              <td className="number quiet" data-column="took">
                {formatDuration(entry.durationMs)}
              </td>
              <td>
                <Outcome outcome={entry.outcome} why={whyNot(entry)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How many more files, and how much was read or written, if anything was. */
export function fileFacts({ paths, records, inputBytes }: LedgerEntry): string {
  if (paths.length === 0) return '';
  const size = [
    ...(records > 0 ? [t('records', { count: records, shown: formatCount(records) })] : []),
    ...(inputBytes > 0 ? [formatBytes(inputBytes)] : []),
  ].join(', ');
  return [...(paths.length > 1 ? [t('more', { count: paths.length - 1 })] : []), size].filter((text) => text !== '').join(' · ');
}

// Running calls

const nothing = {};
const events = ['calls.changed'] as const;
const TICK_MS = 1_000;
/** Rows on a page that shows other things as well; the rest is counted. */
const RUNNING_SHOWN = 5;

/** The calls that are running now, how long and how far, each with a way to cancel it. Nothing while there are none. */
export function RunningCalls({ only = () => true }: { only?: (call: RunningCall) => boolean }) {
  const running = useAnswer('calls.running', nothing, events);
  const calls = (running.value ?? []).filter(only);
  const now = useClock(calls.length > 0);
  if (calls.length === 0) return null;
  return (
    <Section title={t('runningCalls', { count: calls.length })} className="running-calls">
      <Rows label={t('runningCalls', { count: calls.length })}>
        {calls.slice(0, RUNNING_SHOWN).map((call) => (
          <CallRow key={call.id} call={call} now={now} />
        ))}
      </Rows>
      {calls.length > RUNNING_SHOWN ? (
        <p className="quiet small">{t('moreRunning', { count: calls.length - RUNNING_SHOWN })}</p>
      ) : null}
    </Section>
  );
}

function CallRow({ call, now }: { call: RunningCall; now: number }) {
  const cancel = useCommand('calls.cancel');
  const toast = useToast();
  const onCancel = async () => {
    if (await cancel.run({ id: call.id })) toast(t(call.needsApproval ? 'nothingSent' : 'mayHaveArrived', { tool }));
  };
  const tool = visibleName(call.tool);
  const [first, ...more] = call.paths;
  const part = partOf(call);
  const details = [
    callPlace(call),
    ...(first === undefined
      ? []
      : [more.length === 0 ? fileName(first) : `${fileName(first)} ${t('more', { count: more.length })}`]),
    ...(call.background ? [t('inBackground')] : []),
    ...progressTexts(call),
  ];
  return (
    <Row
      title={
        <>
          {tool}
          <span className="running-time">
            <StateDot tone={call.needsApproval ? 'wait' : 'good'}>
              {call.needsApproval ? t('needsApproval') : t('since', { time: formatElapsed(now - Date.parse(call.startedAt)) })}
            </StateDot>
          </span>
        </>
      }
      detail={<span title={call.paths.join('\n')}>{details.filter((text) => text !== '').join(' · ')}</span>}
      actions={
        <Button
          size="small"
          busy={cancel.busy || call.cancelling}
          aria-label={t('cancelCall', { tool })}
          onClick={() => void onCancel()}
        >
          {t('cancel')}
        </Button>
      }
      below={
        part === undefined && !cancel.error ? undefined : (
          <>
            {part === undefined ? null : (
              <progress className="running-part" value={part} aria-label={t('progressOf', { tool })} />
            )}
            <Trouble error={cancel.error} />
          </>
        )
      }
    />
  );
}

/** How far it is: records of a batched call, else the server's own report. */
function progressTexts({ progress, steps }: RunningCall): string[] {
  if (progress !== null) {
    const { accepted, records, total } = progress;
    const failed = records - accepted;
    return [
      total === null
        ? t('recordsAccepted', { count: accepted, shown: formatCount(accepted) })
        : t('acceptedOf', { shown: formatCount(accepted), total: formatCount(total) }),
      ...(failed > 0 ? [t('recordsFailed', { count: failed, shown: formatCount(failed) })] : []),
    ];
  }
  if (steps === null) return [];
  if (steps.message !== null) return [steps.message];
  return steps.total === null ? [] : [t('stepOf', { step: formatCount(steps.done), steps: formatCount(steps.total) })];
}

/** From 0 to 1; undefined where the end is not known. */
function partOf({ progress, steps }: RunningCall): number | undefined {
  const [done, total] = progress ? [progress.records, progress.total] : [steps?.done, steps?.total];
  return done === undefined || !total ? undefined : Math.min(1, done / total);
}

/** Milliseconds since 1970, anew every second while `on`. */
function useClock(on: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!on) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [on]);
  return now;
}

// Stopped calls

/** Rows on a page that shows other things as well. */
const STOPPED_SHOWN = 3;

/** Batched calls that ended before all was accepted, each with a way to send the rest. Nothing while there are none. */
export function StoppedCalls({ only = () => true }: { only?: (call: StoppedCall) => boolean }) {
  const calls = (useAnswer('calls.stopped', nothing, events).value ?? []).filter(only);
  if (calls.length === 0) return null;
  return (
    <Section title={t('stoppedCalls')} note={t('stoppedNote')}>
      <Rows label={t('stoppedCalls')}>
        {calls.slice(0, STOPPED_SHOWN).map((call) => (
          <StoppedRow key={call.receipt} call={call} />
        ))}
      </Rows>
    </Section>
  );
}

function StoppedRow({ call }: { call: StoppedCall }) {
  const resume = useCommand('calls.resume');
  const dismiss = useCommand('calls.dismiss');
  const tool = visibleName(call.tool);
  const [first] = call.paths;
  const details = [callPlace(call), ...(first === undefined ? [] : [fileName(first)]), formatClock(call.endedAt, new Date())];
  return (
    <Row
      title={
        <Link href={`/activity/${encodeURIComponent(call.entry)}`} className="call-name">
          {tool}
        </Link>
      }
      detail={
        <>
          <span title={call.paths.join('\n')}>{details.filter((text) => text !== '').join(' · ')}</span>
          <br />
          {t('acceptedOf', { shown: formatCount(call.accepted), total: formatCount(call.total) })}
          {call.unknown === 0 ? '' : ` · ${t('unknownRecords', { count: call.unknown, shown: formatCount(call.unknown) })}`}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            icon={<RotateCw aria-hidden="true" />}
            busy={resume.busy}
            aria-label={t('resumeCall', { tool, count: call.left, shown: formatCount(call.left) })}
            onClick={() => void resume.run({ id: call.receipt })}
          >
            {t('resumeRest', { count: call.left, shown: formatCount(call.left) })}
          </Button>
          <IconButton label={t('dismissCall', { tool })} onClick={() => void dismiss.run({ id: call.receipt })}>
            <X aria-hidden="true" />
          </IconButton>
        </>
      }
      below={resume.error ? <Trouble error={resume.error} /> : undefined}
    />
  );
}

/** Notice about content that was sent before; renders nothing for new content. `text` explains the consequences. */
export function SentBeforeNotice({ files, text }: { files: readonly SentBefore[]; text: string }) {
  if (files.length === 0) return null;
  return (
    <Callout kind="warning" title={t('sentBeforeTitle')}>
      <p>{text}</p>
      <ul>
        {files.map((file) => (
          <li key={file.path}>{sentBeforeText(file)}</li>
        ))}
      </ul>
    </Callout>
  );
}

function sentBeforeText({ path, time, receipt, earlierPath }: SentBefore): string {
  const values = { file: visibleText(path), time: formatMoment(time) };
  if (receipt === null) return t('sentBeforeByOther', values);
  return earlierPath === null || earlierPath === path
    ? t('sentBefore', { ...values, receipt })
    : t('sentBeforeAs', { ...values, receipt, earlier: visibleText(earlierPath) });
}
