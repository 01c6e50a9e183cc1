/** Error texts of the newest failed calls, kept in memory only because they may contain data. */
import type { Trouble } from '../../shared/contract/shapes.ts';
import type { AppError } from '../../shared/model/errors.ts';

const KEPT = 500;
const LONGEST = 2_000;

export interface FailureWords {
  message: string;
  /** The same with what to do, where the words are ours. */
  trouble: Trouble | null;
}

export interface LastWords {
  /** `error`: absent where the words are the tool's. */
  keep(entryId: string, message: string, error?: AppError): void;
  of(entryId: string): FailureWords | undefined;
}

export function createLastWords(): LastWords {
  const words = new Map<string, FailureWords>();
  return {
    keep(entryId, message, error) {
      words.set(entryId, { message: shortened(message), trouble: error ? troubleOf(error) : null });
      const [oldest] = words.keys();
      if (words.size > KEPT && oldest !== undefined) words.delete(oldest);
    },
    of: (entryId) => words.get(entryId),
  };
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Without the cause, which may be large. */
function troubleOf({ code, message, hint, said }: AppError): Trouble {
  const short = JSON.stringify(said).length <= 2 * LONGEST;
  return { code, message: shortened(message), hint: hint === undefined ? null : shortened(hint), ...(short ? { said } : {}) };
}
