/** Converts saved tokens to money. */
import type { Totals } from '../../shared/model/call.ts';
import type { Price } from '../../shared/model/config.ts';

/** US dollars: typed arguments at the price of output, answers not read at the price of input. */
export const moneySaved = ({ tokensTyped, tokensRead }: Pick<Totals, 'tokensTyped' | 'tokensRead'>, price: Price): number =>
  (tokensTyped * price.output + tokensRead * price.input) / 1_000_000;
