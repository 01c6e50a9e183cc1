/** Tokens saved, today and altogether; what was measured is told apart from what was estimated. */
import { formatBytes } from '../../../shared/model/bytes.ts';
import type { Totals } from '../../../shared/model/call.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { counted, formatCount } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';

const nothing = {};
const events = ['ledger.appended'] as const;

function Saved({ when, totals }: { when: string; totals: Totals }) {
  const { tokensMeasured, tokensEstimated, calls, failed, inputBytes } = totals;
  const saved = tokensMeasured + tokensEstimated;
  return (
    <div className="saved">
      <h3>{when}</h3>
      <p className="figure">
        {formatCount(saved)} <span>tokens</span>
      </p>
      <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="share-ground" width="100" height="6" />
        {saved > 0 ? <rect className="share-estimated" width="100" height="6" /> : null}
        {saved > 0 ? <rect className="share-measured" width={(100 * tokensMeasured) / saved} height="6" /> : null}
      </svg>
      <dl className="split">
        <div className="measured">
          <dt>Measured</dt>
          <dd>{formatCount(tokensMeasured)}</dd>
        </div>
        <div className="estimated">
          <dt>Estimated</dt>
          <dd>{formatCount(tokensEstimated)}</dd>
        </div>
      </dl>
      <p className="quiet">
        {counted(calls, 'call')}
        {failed > 0 ? `, ${formatCount(failed)} failed` : ''} · {formatBytes(inputBytes)} read
      </p>
    </div>
  );
}

export function Savings() {
  const totals = useAnswer('ledger.totals', nothing, events);
  return (
    <Section
      title="Tokens saved"
      note="What agents did not have to type or read. Measured: every byte was counted. Estimated: a sample was."
    >
      <Loaded answer={totals}>
        {({ today, all }) => (
          <div className="savings">
            <Saved when="Today" totals={today} />
            <Saved when="Since the start" totals={all} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}
