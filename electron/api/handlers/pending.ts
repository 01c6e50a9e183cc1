/** Stands for handlers that are being written. */
import type { Handlers } from '../../../shared/contract/router.ts';
import { AppError } from '../../../shared/model/errors.ts';

export function pending<N extends keyof Handlers>(...names: readonly N[]): Pick<Handlers, N> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        throw new AppError('INTERNAL', `'${name}' is not there yet`);
      },
    ]),
  ) as unknown as Pick<Handlers, N>;
}
