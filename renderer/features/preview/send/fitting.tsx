/** Whether the file fits the tool: where it goes, what the arguments look like, what is in the way. */

import { words } from '../../../i18n/words.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Callout, Placeholder, StateDot } from '../../../ui/feedback.tsx';
import { formatBytes, formatCount } from '../../../ui/numbers.ts';
import { Facts } from '../../../ui/page.tsx';
import { t } from '../preview-texts.ts';
import type { SendingState } from './use-sending.ts';

const SHOWN_PROBLEMS = 12;

export function Fitting({ sending: { bound, checking, error, written } }: { sending: SendingState }) {
  if (written.faults.size > 0) return <Callout kind="info" title={t('argumentsFirst')} />;
  if (!bound) return error ? null : <Placeholder lines={5} />;
  const problems = [
    ...bound.missingColumns.map((column) => t('columnMissing', { column })),
    ...bound.mismatches.map((mismatch) => words(mismatch).message),
    ...bound.unknownColumns.map((column) => t('columnExtra', { column })),
  ];
  // The error repeats what does not fit, in one breath.
  const told = bound.error?.code === 'SCHEMA_MISMATCH' && bound.mismatches.length > 0;
  const notes = [...bound.warnings.map((warning) => words(warning).message), ...(bound.needsBatches ? [t('batches')] : [])];
  return (
    <section className="fitting" aria-label={t('fitting')} aria-busy={checking}>
      <div className="fitting-head">
        {bound.ok ? (
          <StateDot tone={problems.length > 0 ? 'wait' : 'good'}>{problems.length > 0 ? t('fitsMostly') : t('fits')}</StateDot>
        ) : (
          <StateDot tone="bad">{t('fitsNot')}</StateDot>
        )}
        <span className="quiet small" aria-live="polite">
          {checking ? t('checking') : ''}
        </span>
      </div>
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
        <Callout kind={told ? 'error' : 'warning'} title={t('problems', { count: problems.length })}>
          <ul>
            {problems.slice(0, SHOWN_PROBLEMS).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          {problems.length > SHOWN_PROBLEMS ? <p>{t('moreProblems', { count: problems.length - SHOWN_PROBLEMS })}</p> : null}
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
      {bound.arguments === '' ? null : <CodeBlock name={t('argumentsSample')} text={bound.arguments} copy={false} />}
    </section>
  );
}
