/** Counts tokens in a thread: loading the vocabulary takes a tenth of a second and more memory than most calls. */
import type { TokenCount } from '../../../shared/model/conversion.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import { callName, onCall } from './handlers.ts';
import type { Job } from './jobs.ts';

export const countTokensOf = callName<{ text: string }, TokenCount>('tokens.count');

/** Tokens of a text: exact up to a few hundred kilobytes, estimated from samples beyond that. */
export function tokensOf(text: string): Promise<TokenCount> {
  const sampler = new TokenSampler();
  sampler.push(Buffer.from(text));
  return sampler.count();
}

export const tokenJob: Job = () => [onCall(countTokensOf, ({ text }) => tokensOf(text))];
