/** Sending an open file to a tool: where to, whether it fits, and what came of it. */
import './send.css';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RecordOutcomes } from '../../../../shared/contract/activity.ts';
import type { BoundPreview, PreviewView, Sent } from '../../../../shared/contract/preview.ts';
import type { Sending } from '../../../../shared/contract/shapes.ts';
import { visibleText } from '../../../../shared/lib/visible-text.ts';
import type { Receipt } from '../../../../shared/model/call.ts';
import { APP_CLIENT } from '../../../../shared/model/client-name.ts';
import type { Worded } from '../../../../shared/model/messages/people.ts';
import { useAnswer, useCommand } from '../../../api/use-client.ts';
import { words } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { RunningCalls, SentBeforeNotice, StoppedCalls } from '../../../ui/calls.tsx';
import { CodeBlock, CopyButton } from '../../../ui/code-block.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Callout, Loaded, Placeholder, StateDot, Trouble, useToast } from '../../../ui/feedback.tsx';
import { fileName, formatBytes, formatCount, formatList } from '../../../ui/format.ts';
import { Send, Server } from '../../../ui/icons/icons.tsx';
import { EmptyState, Facts, intoView, Section } from '../../../ui/page.tsx';
import { t } from '../preview-texts.ts';
import { ownMember } from './mapping.ts';
import { isKeyName } from './same-meaning.ts';
import { leadTo, TargetForm } from './target-form.tsx';
import { argumentKind, openColumns, type Parameter, type SendingState, suggestions } from './use-sending.ts';

const nothing = {};
const serverEvents = ['upstreams.changed'] as const;

/** The form is long: it begins at the top, with its tabs. */
const fromTop = (form: HTMLElement | null): void => form?.closest('.tabs')?.scrollIntoView({ block: 'start' });

export function SendView({ view, sending }: { view: PreviewView; sending: SendingState }) {
  const servers = useAnswer('upstreams.list', nothing, serverEvents);
  return (
    <Loaded answer={servers} lines={6}>
      {(list) =>
        list.every(({ enabled }) => !enabled) ? (
          <EmptyState
            icon={<Server />}
            title={list.length === 0 ? t('noServer') : t('allServersOff')}
            action={
              <Link href="/servers" className="button button-primary">
                {t('toServers')}
              </Link>
            }
          >
            {t('noServerNote')}
          </EmptyState>
        ) : (
          <div className="send-view" ref={fromTop}>
            <TargetForm servers={list} sending={sending} />
            <Outgoing view={view} sending={sending} />
          </div>
        )
      }
    </Loaded>
  );
}

function Outgoing({ view, sending }: { view: PreviewView; sending: SendingState }) {
  const { target, tool, request, bound, error, checking, recheck } = sending;
  const send = useCommand('preview.send');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [sent, setSent] = useState<{ key: string; result: Sent }>();
  if (!target || !tool) return <p className="quiet send-hint">{t('chooseTool')}</p>;

  const key = JSON.stringify(request);
  const records = view.report?.kind === 'array' ? view.report.records : undefined;
  const what =
    records === undefined
      ? t('whatFile', { file: fileName(view.path) })
      : t('whatRecords', { count: records, shown: formatCount(records), file: fileName(view.path) });
  const action = t(bound !== undefined && bound.sentBefore.length > 0 ? 'sendAgain' : 'sendNow');
  const receipt = sent?.result.receipt?.id;
  const go = async () => {
    setAsking(false);
    if (!request) return;
    setSent(undefined);
    const result = await send.run(request);
    if (!result) return;
    setSent({ key, result });
    if (result.ok && result.receipt) {
      const count = result.receipt.recordsAccepted;
      toast(t('sentNow', { count, shown: formatCount(count), tool: tool.name }));
    }
    // What was sent now was sent before the next time.
    recheck();
  };

  const { fields, parameters, typed } = sending;
  const same = fields?.wanted.filter(({ name }) => fields.fixed.members.has(name)) ?? [];
  const numbered = fields?.wanted.filter(({ name }) => fields.mapping.numbered.includes(name)) ?? [];
  const beside = parameters.filter(({ name }) => ownMember(typed, name)?.trim());
  const sameKey = records !== undefined && records > 1 && same.some(({ name }) => isKeyName(name));
  return (
    <>
      <div className="outgoing">
        <Fitting sending={sending} shownAbove={view.report?.warnings ?? []} />
        <Trouble
          error={error}
          actions={
            <Button size="small" onClick={recheck}>
              {t('retry')}
            </Button>
          }
        />
        {bound ? (
          <details>
            <summary>{t('forAgent')}</summary>
            <div className="send-copies">
              <CopyButton
                size="normal"
                disabled={checking || !request}
                text={sentenceOf(request, bound)}
                label={t('copySentence')}
                name={tool.name}
              />
              <CopyButton
                size="normal"
                disabled={checking || !request}
                text={bound.call}
                label={t('copyCall')}
                name={tool.name}
              />
              <p className="quiet small">{t('copyCallNote')}</p>
            </div>
          </details>
        ) : null}
        {send.error ? (
          <div ref={intoView}>
            <Trouble error={send.error} />
          </div>
        ) : null}
        <div role="status" className="send-status">
          {send.busy ? <p className="quiet small">{t('sendingNote')}</p> : null}
          {sent ? <ReceiptView sent={sent.result} outdated={sent.key !== key} /> : null}
        </div>
        <RunningCalls
          only={(call) =>
            call.client === APP_CLIENT &&
            call.server === target.server &&
            call.tool === tool.name &&
            call.paths.includes(view.path)
          }
        />
        {receipt === undefined ? null : <StoppedCalls only={(call) => call.receipt === receipt} />}
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={() => void go()}
          title={t('confirmTitle', { tool: tool.name, server: target.server })}
          action={action}
          harmless={!tool.destructive}
        >
          <p>{what}</p>
          {same.length === 0 ? null : <p>{t('confirmSame', { values: valuesOf(same, fields?.mapping.fixed ?? {}) })}</p>}
          {numbered.length === 0 ? null : (
            <p>{t('confirmNumbered', { names: formatList(numbered.map(({ name }) => visibleText(name))) })}</p>
          )}
          {beside.length === 0 ? null : <p>{t('confirmBeside', { values: valuesOf(beside, typed) })}</p>}
          {sameKey ? <Callout kind="warning" title={t('sameKey', { count: records, shown: formatCount(records) })} /> : null}
          <p className="quiet">
            {tool.readOnly ? t('confirmReads') : tool.destructive ? t('confirmDestroys') : t('confirmWrites')}
          </p>
          {tool.readOnly ? null : <SentBeforeNotice files={bound?.sentBefore ?? []} text={t('confirmAgain')} />}
        </Confirm>
      </div>
      <div className="send-bar">
        <FitState sending={sending} reading={view.state === 'reading'} />
        <Button
          // What was sent is not sent twice by the way.
          look={bound !== undefined && bound.sentBefore.length > 0 ? 'plain' : 'primary'}
          icon={<Send aria-hidden="true" />}
          busy={send.busy}
          disabled={!request || checking || !bound?.ok || view.state === 'reading'}
          onClick={() => setAsking(true)}
        >
          {send.busy ? t('sending') : action}
        </Button>
      </div>
    </>
  );
}

/** `table = people, dry run = Yes`: what was typed or chosen, as its field shows it. */
const valuesOf = (parameters: readonly Parameter[], typed: Readonly<Record<string, string>>): string =>
  parameters
    .map((parameter) => {
      const text = ownMember(typed, parameter.name)?.trim() ?? '';
      const isTruth = argumentKind(parameter) === 'truth' && (text === 'true' || text === 'false');
      return `${visibleText(parameter.name)} = ${isTruth ? t(text === 'true' ? 'yes' : 'no') : visibleText(text)}`;
    })
    .join(', ');

/** What an agent is asked to do, complete: with the other arguments, the options and the batches that the call has. */
function sentenceOf(request: Sending | undefined, bound: BoundPreview): string {
  if (request === undefined) return '';
  const { path, tool, server, toolArgs, options } = request;
  const values = { path, tool, server, place: bound.dataKey ?? '' };
  return [
    t(bound.dataKey === null ? 'sentenceMerged' : 'sentence', values),
    ...(toolArgs === undefined ? [] : [t('sentenceArguments', { arguments: toolArgs })]),
    ...(Object.keys(options).length === 0 ? [] : [t('sentenceOptions', { options: JSON.stringify(options) })]),
    ...(bound.needsBatches ? [t('sentenceBatches')] : []),
    t('sentenceNoTyping'),
  ].join(' ');
}

const SHOWN_PROBLEMS = 12;

/** What a person typed, and is no value of its kind: the names of its fields. */
const faulty = ({ written, fields }: SendingState): string[] => [
  ...written.faults.keys(),
  ...(fields?.fixed.faults.keys() ?? []),
];

/** What has to be filled in beside, as it is by now: names of columns and arguments that have fields. */
function openFields({ bound, fields, parameters, typed }: SendingState): string[] {
  const needed = bound?.missingArguments.filter(
    (name) => parameters.some((parameter) => parameter.name === name) && !ownMember(typed, name)?.trim(),
  );
  return [...(fields ? openColumns(fields) : []), ...(needed ?? [])];
}

/** In one line, beside the button: whether the file can be sent. */
function FitState({ sending, reading }: { sending: SendingState; reading: boolean }) {
  const { bound, checking } = sending;
  const state = (): [tone: 'good' | 'wait' | 'bad' | 'off', text: string] => {
    if (faulty(sending).length > 0) return ['bad', t('argumentsFirst')];
    if (!bound) return ['off', checking ? t('checking') : ''];
    const open = openFields(sending);
    if (open.length > 0) return ['wait', t('stillNeeded', { count: open.length })];
    if (checking) return ['off', t('checking')];
    if (!bound.ok) return ['bad', t('fitsNot')];
    if (reading) return ['wait', t('waitForReading')];
    return bound.mismatches.length + bound.unknownColumns.length > 0 ? ['wait', t('fitsMostly')] : ['good', t('fits')];
  };
  const [tone, text] = state();
  return (
    <div className="send-state" role="status">
      {text === '' ? null : <StateDot tone={tone}>{text}</StateDot>}
    </div>
  );
}

/** Where the file goes, what the arguments look like, what is in the way. `shownAbove`: warnings that the page has with their buttons. */
function Fitting({ sending, shownAbove }: { sending: SendingState; shownAbove: readonly Worded[] }) {
  const { bound, checking, error, fields } = sending;
  const wrong = faulty(sending);
  const open = openFields(sending);
  if (wrong.length > 0) return <ToFields title={t('argumentsFirst')} names={wrong} />;
  if (!bound) return error ? null : <Placeholder lines={5} />;
  const { mismatches, unknownColumns } = bound;
  // A column that has a field is told there.
  const missingColumns = fields ? [] : bound.missingColumns;
  const problems = [
    ...missingColumns.map((column) => t('columnMissing', { column })),
    ...mismatches.map(problemText),
    ...unknownColumns.map((column) => t('columnExtra', { column })),
  ];
  const found = missingColumns.length + bound.found.count + unknownColumns.length;
  // What is wrong beside the file is known whole.
  const atLeast = bound.found.mayBeMore && mismatches.some(({ record, column }) => record !== null || column !== null);
  // Columns that may go into the tool's come first.
  const canLeaveOut =
    fields !== undefined &&
    unknownColumns.length > 0 &&
    !fields.mapping.onlyMapped &&
    suggestions(fields).every(([, column]) => !unknownColumns.includes(column));
  const shown = Math.min(problems.length, SHOWN_PROBLEMS);
  const counts = { count: found, shown: formatCount(shown), total: formatCount(found) };
  // The error repeats what does not fit, in one breath.
  // While another is looked for, an error is that of before.
  const told = bound.error?.code === 'SCHEMA_MISMATCH' && (checking || problems.length + open.length > 0);
  const known = new Set(shownAbove.map((warning) => words(warning).message));
  const notes = [
    ...bound.warnings.map((warning) => words(warning).message).filter((note) => !known.has(note)),
    ...(bound.needsBatches ? [t('batches')] : []),
  ];
  return (
    <section className="fitting" aria-label={t('fitting')} aria-busy={checking}>
      {open.length > 0 ? <ToFields title={t('stillNeeded', { count: open.length })} names={open} /> : null}
      {bound.error && !told ? (
        <Callout kind="error" title={words(bound.error).message}>
          {bound.candidates.length > 0 ? (
            <p>{t('choosePlace', { places: bound.candidates.join(', ') })}</p>
          ) : bound.error.hint ? (
            <p>{words(bound.error).hint}</p>
          ) : null}
        </Callout>
      ) : null}
      {problems.length > 0 ? (
        <Callout
          kind={mismatches.length + missingColumns.length > 0 ? 'error' : 'warning'}
          title={t(atLeast ? 'problemsAtLeast' : 'problems', counts)}
          actions={
            canLeaveOut ? (
              <Button size="small" onClick={() => sending.map({ ...fields.mapping, onlyMapped: true })}>
                {t('leaveOut', { count: unknownColumns.length })}
              </Button>
            ) : undefined
          }
        >
          <ul>
            {problems.slice(0, SHOWN_PROBLEMS).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          {shown < found ? <p>{t(atLeast ? 'problemsShownAtLeast' : 'problemsShown', counts)}</p> : null}
        </Callout>
      ) : null}
      {notes.length > 0 ? (
        <Callout kind="info">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Callout>
      ) : null}
      {bound.bytes === 0 ? null : (
        <Facts
          facts={[
            [t('goesTo'), bound.dataKey ?? (bound.ok ? t('merged') : '–')],
            [t('messageSize'), formatBytes(bound.bytes)],
            [t('tokens'), formatCount(bound.tokens)],
          ]}
        />
      )}
      {bound.arguments === '' ? null : <CodeBlock code name={t('argumentsSample')} text={bound.arguments} copy={false} />}
      {bound.recordsShown && bound.recordsShown.shown < bound.recordsShown.of ? (
        <p className="quiet small">
          {t('recordsShown', { shown: formatCount(bound.recordsShown.shown), total: formatCount(bound.recordsShown.of) })}
        </p>
      ) : null}
    </section>
  );
}

/** Names of fields, each a way to it. */
function ToFields({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <Callout kind="warning" title={title}>
      <div className="to-fields">
        {names.map((name) => (
          <Button key={name} size="small" onClick={() => leadTo(name)}>
            {visibleText(name)}
          </Button>
        ))}
      </div>
    </Callout>
  );
}

/** Where in the file, and what is wrong there. */
function problemText(mismatch: BoundPreview['mismatches'][number]): string {
  const { column, line, record } = mismatch;
  const what = words(mismatch).message;
  if (record === null) return what;
  const row = line === null ? t('problemRecord', { record: formatCount(record) }) : t('problemLine', { line: formatCount(line) });
  return column === null ? t('problemAt', { row, what }) : t('problemInColumn', { row, column, what });
}

const SHOWN_BATCHES = 8;

const receiptEvents = ['calls.changed'] as const;

/** What became of the records when the call ended. */
function outcomesAtFirst(receipt: Receipt): RecordOutcomes {
  const { recordsAccepted: accepted, recordsFailed: refused, recordsUnknown: unknown = 0, ranges } = receipt;
  const notSent = (ranges?.not_sent ?? []).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return { accepted, refused, notSent, unknown };
}

/** The receipt as it is by now: what was sent later, with *Send the others*, is in it. `outdated`: something was changed since. */
function ReceiptView({ sent, outdated }: { sent: Sent; outdated: boolean }) {
  const { receipt } = sent;
  return receipt?.id === undefined || receipt.ranges === undefined ? (
    <ReceiptSection sent={sent} outdated={outdated} now={null} />
  ) : (
    <GrowingReceipt sent={sent} outdated={outdated} id={receipt.id} />
  );
}

function GrowingReceipt({ id, ...shown }: { sent: Sent; outdated: boolean; id: string }) {
  const outcomes = useAnswer('calls.outcomes', { id }, receiptEvents);
  return <ReceiptSection {...shown} now={outcomes.value ?? null} />;
}

/** Accepted and failed records, the receipt, savings, and the tool's answer. */
function ReceiptSection({
  sent: { ok, entryId, receipt, savings, answer, error },
  outdated,
  now,
}: {
  sent: Sent;
  outdated: boolean;
  now: RecordOutcomes | null;
}) {
  const first = receipt && outcomesAtFirst(receipt);
  const outcomes = now ?? first;
  const left = outcomes ? outcomes.refused + outcomes.notSent + outcomes.unknown : 0;
  // Records that failed at first may have been accepted since.
  const since = now !== null && first !== null && now.accepted > first.accepted;
  const done = ok || (since && left === 0);
  return (
    <Section
      ref={intoView}
      title={t('receipt')}
      note={outdated ? t('receiptBefore') : undefined}
      className="receipt"
      actions={<StateDot tone={done ? 'good' : 'bad'}>{done ? t('done') : t('failed')}</StateDot>}
    >
      {error && !since ? (
        <Callout kind="error" title={words(error).message}>
          {/* What is left is sent with the button below, not with a call. */}
          {error.hint && receipt?.ranges === undefined ? <p>{words(error).hint}</p> : null}
        </Callout>
      ) : null}
      {receipt || savings ? (
        <Facts
          facts={[
            ...(receipt && outcomes
              ? ([
                  [t('accepted'), formatCount(outcomes.accepted)],
                  [t('rejected'), formatCount(outcomes.refused)],
                  ...(outcomes.unknown > 0 ? ([[t('unknown'), formatCount(outcomes.unknown)]] as const) : []),
                  ...(outcomes.notSent > 0 ? ([[t('notSent'), formatCount(outcomes.notSent)]] as const) : []),
                  ...(since
                    ? []
                    : ([
                        [t('calls'), formatCount(receipt.batches.reduce((sum, { batches = 1 }) => sum + batches, 0) || 1)],
                      ] as const)),
                ] as const)
              : []),
            ...(savings ? ([[t('wouldHaveTyped'), formatCount(savings.arguments.count)]] as const) : []),
          ]}
        />
      ) : null}
      <SentBeforeNotice files={receipt?.sentBefore ?? []} text={t('sentBefore')} />
      {receipt && !since ? <FailedBatches receipt={receipt} /> : null}
      {answer === '' ? null : (
        <>
          <h3>{t('answer')}</h3>
          <CodeBlock name={t('answer')} text={answer} />
        </>
      )}
      {receipt ? (
        <details>
          <summary>{t('details')}</summary>
          <Proof receipt={receipt} />
        </details>
      ) : null}
      {entryId === null ? null : <Link href={`/activity/${encodeURIComponent(entryId)}`}>{t('toActivity')}</Link>}
    </Section>
  );
}

function Proof({ receipt: { sha256 } }: { receipt: Receipt }) {
  return (
    <p className="receipt-proof">
      <span className="quiet small">SHA-256</span>
      <span className="path">{sha256}</span>
      <CopyButton text={sha256} name="SHA-256" look="quiet" />
    </p>
  );
}

function FailedBatches({ receipt: { batches } }: { receipt: Receipt }) {
  const failed = batches.filter(({ ok }) => !ok);
  if (failed.length === 0) return null;
  return (
    <Callout kind="error" title={t('batchesFailed', { count: failed.length })}>
      <ul>
        {failed.slice(0, SHOWN_BATCHES).map(({ index, start, records, message }) => (
          <li key={index}>
            {t('batchFailed', { from: formatCount(start + 1), to: formatCount(start + records), message: message ?? '' })}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
