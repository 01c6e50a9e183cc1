/** Tokens and money saved: in all, today, and day by day. */
import { Link } from 'wouter';
import type { SavedDay } from '../../../shared/contract/activity.ts';
import type { Totals } from '../../../shared/model/call.ts';
import type { Price } from '../../../shared/model/config.ts';
import { useAnswer, useSettings } from '../../api/use-client.ts';
import { Loaded } from '../../ui/feedback.tsx';
import { formatCompact, formatCount, formatDay, formatEstimate, formatMoney, modelName } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { t } from './home-texts.ts';

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
        {(tokensEstimated > 0 ? formatEstimate : formatCount)(saved(totals))}
      </p>
      <p className="quiet small">{label}</p>
      <p className="sum-money">{price === undefined ? '' : formatMoney(moneySaved(totals, price))}</p>
    </div>
  );
}

/** Tokens from which on savings are worth a card. */
const WORTH = 1_000;

/** Nothing while little was saved. */
export function Savings() {
  const totals = useAnswer('ledger.totals', nothing, events);
  const byDay = useAnswer('ledger.days', days, events);
  const price = useSettings()?.app.price;
  if (totals.value !== undefined && saved(totals.value.all) < WORTH) return null;
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
                  {t('moneyAt', { model: modelName(price.model) })}{' '}
                  <Link href="/settings/advanced" className="price-link">
                    {t('changePrice')}
                  </Link>
                </p>
              )}
            </div>
            <Loaded answer={byDay} lines={4}>
              {(list) => <SavingsChart days={list} />}
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

const WIDTH = 600;
const HEIGHT = 132;
const GAP = 4;

/** Saved tokens by day as bars: measured below, estimated above; the same as a table for assistive technology. */
function SavingsChart({ days }: { days: readonly SavedDay[] }) {
  const top = niceCeiling(Math.max(0, ...days.map((day) => day.tokensMeasured + day.tokensEstimated)));
  const width = WIDTH / Math.max(1, days.length);
  const height = (tokens: number) => (top === 0 ? 0 : (tokens / top) * HEIGHT);
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <figure className="chart">
      <figcaption className="chart-head">
        <span className="quiet small">{t('lastDays', { count: days.length })}</span>
        <span className="chart-key">
          <span data-kind="measured" title={t('measuredNote')}>
            {t('measured')}
          </span>
          <span data-kind="estimated" title={t('estimatedNote')}>
            {t('estimated')}
          </span>
        </span>
      </figcaption>
      <div className="chart-plot">
        <span className="chart-top quiet" aria-hidden="true">
          {formatCompact(top)}
        </span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <line className="chart-line" x1="0" x2={WIDTH} y1="0.5" y2="0.5" />
          <line className="chart-line" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
          {days.map((day, index) => {
            const measured = height(day.tokensMeasured);
            const estimated = height(day.tokensEstimated);
            const x = index * width + GAP / 2;
            return (
              <g key={day.day}>
                <title>
                  {t('chartDay', {
                    day: formatDay(day.day),
                    measured: formatCount(day.tokensMeasured),
                    estimated: formatCount(day.tokensEstimated),
                  })}
                </title>
                <rect className="chart-hit" x={index * width} y="0" width={width} height={HEIGHT} />
                <rect className="chart-measured" x={x} y={HEIGHT - measured} width={width - GAP} height={measured} />
                <rect
                  className="chart-estimated"
                  x={x}
                  y={HEIGHT - measured - estimated}
                  width={width - GAP}
                  height={estimated}
                />
              </g>
            );
          })}
        </svg>
      </div>
      <div className="chart-ends quiet small" aria-hidden="true">
        <span>{formatDay(first.day)}</span>
        <span>{formatDay(last.day)}</span>
      </div>
      <table className="visually-hidden">
        <caption>{t('chartName', { count: days.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('day')}</th>
            <th scope="col">{t('measured')}</th>
            <th scope="col">{t('estimated')}</th>
          </tr>
        </thead>
        <tbody>
          {days
            .filter((day) => day.calls > 0)
            .map((day) => (
              <tr key={day.day}>
                <th scope="row">{formatDay(day.day)}</th>
                <td>{formatCount(day.tokensMeasured)}</td>
                <td>{formatCount(day.tokensEstimated)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

/** The round number at or above a value that a chart's axis ends with: 1, 2, 2.5 or 5 times a power of ten; 0 for 0. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}
