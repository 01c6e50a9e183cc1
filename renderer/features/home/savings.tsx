/** Tokens and money saved: in all, today, and day by day. */
import { Link } from 'wouter';
import type { Totals } from '../../../shared/model/call.ts';
import type { Price } from '../../../shared/model/config.ts';
import { useSettings } from '../../api/settings-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../ui/feedback.tsx';
import { formatCount, formatMoney } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { t } from './home-texts.ts';
import { SavingsChart } from './savings-chart.tsx';

const nothing = {};
const DAYS = 30;
const days = { days: DAYS };
const events = ['ledger.appended'] as const;

const saved = ({ tokensMeasured, tokensEstimated }: Totals) => tokensMeasured + tokensEstimated;

function Sum({ label, totals, price }: { label: string; totals: Totals; price: Price | undefined }) {
  const { tokensEstimated } = totals;
  return (
    <div className="sum">
      <p className="sum-tokens">
        {tokensEstimated > 0 ? <span title={t('estimatedNote')}>≈ </span> : null}
        {formatCount(saved(totals))}
      </p>
      <p className="quiet small">{label}</p>
      <p className="sum-money">{price === undefined ? '' : formatMoney(moneySaved(totals, price))}</p>
    </div>
  );
}

export function Savings() {
  const totals = useAnswer('ledger.totals', nothing, events);
  const byDay = useAnswer('ledger.days', days, events);
  const price = useSettings()?.app.price;
  return (
    <Section title={t('saved')} note={t('savedNote')} className="savings">
      <Loaded answer={totals} lines={6}>
        {({ all, today }) => (
          <div className="savings-body">
            <div className="sums">
              <Sum label={t('tokensAll')} totals={all} price={price} />
              <Sum label={t('tokensToday')} totals={today} price={price} />
              {price === undefined ? null : (
                <p className="quiet small price">
                  {t('moneyAt', { model: price.model })}{' '}
                  <Link href="/settings" className="price-link">
                    {t('changePrice')}
                  </Link>
                </p>
              )}
            </div>
            <Loaded answer={byDay} lines={4}>
              {(list) => <SavingsChart days={list} total={saved(all)} />}
            </Loaded>
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** US dollars: typed arguments at the price of output, answers not read at the price of input. */
const moneySaved = ({ tokensTyped, tokensRead }: Pick<Totals, 'tokensTyped' | 'tokensRead'>, price: Price): number =>
  (tokensTyped * price.output + tokensRead * price.input) / 1_000_000;
