/** Counting tokens in a thread: the vocabulary alone takes a tenth of a second to load, and more memory than most calls. */
import type { TokenCount } from '../../../shared/model/conversion.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { callName, onCall } from './handlers.ts';
import type { Job } from './jobs.ts';

export const countTokensOf = callName<{ text: string }, TokenCount>('tokens.count');

/** Tokens of a text: every one counted up to a few hundred kilobytes, a sample beyond. */
export function tokensOf(text: string): Promise<TokenCount> {
  const sampler = new TokenSampler();
  sampler.push(Buffer.from(text));
  return sampler.count();
}

export const tokenJob: Job = () => [onCall(countTokensOf, ({ text }) => tokensOf(text))];
