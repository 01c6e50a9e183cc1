/** Tokens a call kept out of the model's context. */
import type { LedgerEntry, Savings } from '../../shared/model/call.ts';
import type { TokenCount } from '../../shared/model/conversion.ts';
import { exactText } from '../engine/core/exact-numbers.ts';
import type { Converter } from '../engine/index.ts';
import type { ToolResult } from '../upstream/types.ts';
import { textPart } from './answer.ts';
import type { PreparedPayload } from './payloads.ts';

export const NO_TOKENS: TokenCount = { count: 0, method: 'measured' };

/** Sum of counts; one estimate makes the sum an estimate. */
export function addTokens(...counts: readonly TokenCount[]): TokenCount {
  return {
    count: counts.reduce((sum, each) => sum + each.count, 0),
    method: counts.some((each) => each.method === 'estimated') ? 'estimated' : 'measured',
  };
}

/** `whole` without what was handed over after all; never below zero. */
export function withheldTokens(whole: TokenCount, handed: TokenCount): TokenCount {
  const sum = addTokens(whole, handed);
  return { count: Math.max(0, whole.count - handed.count), method: sum.method };
}

/** Tokens of payloads the model would have typed into the arguments. */
export function payloadTokens(payloads: readonly PreparedPayload[]): TokenCount {
  return addTokens(...payloads.flatMap(({ reports }) => reports.map((report) => report.tokens)));
}

/** Longer results are counted by samples (bytes). */
const COUNTED_BYTES = 1024 * 1024;
const SAMPLES = { count: 128, characters: 1024 } as const;

/** Bytes of a result's texts; what hosts show without spelling it out counts as nothing. */
export const bytesOf = ({ content }: ToolResult): number =>
  textsOf(content).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const textsOf = (content: ToolResult['content']): string[] =>
  (content ?? []).map(textPart).filter((text): text is string => typeof text === 'string');

/** Tokens of a result as a client reads it. */
export async function resultTokens(converter: Pick<Converter, 'countTokens'>, result: ToolResult): Promise<TokenCount> {
  if (bytesOf(result) <= COUNTED_BYTES) return converter.countTokens(exactText(JSON.stringify(result.content)));
  const texts = textsOf(result.content);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const samples = texts.flatMap((text) => {
    const count = Math.max(1, Math.round((SAMPLES.count * text.length) / characters));
    return Array.from({ length: count }, (_, index) => {
      const from = Math.floor((index * text.length) / count);
      return text.slice(from, from + SAMPLES.characters);
    });
  });
  const sampled = samples.reduce((sum, sample) => sum + sample.length, 0);
  const { count } = await converter.countTokens(JSON.stringify(samples.join('')));
  return { count: Math.round((count * characters) / sampled), method: 'estimated' };
}

export function savings(args: TokenCount, answer: TokenCount): Savings {
  return { arguments: args, answer };
}

/** A ledger line of a call that has not happened yet. */
export function emptyEntry(kind: LedgerEntry['kind'], client: string | null): Omit<LedgerEntry, 'id' | 'time' | 'durationMs'> {
  return {
    client,
    kind,
    server: null,
    tool: null,
    paths: [],
    inputBytes: 0,
    sentBytes: 0,
    records: 0,
    calls: 0,
    outcome: 'ok',
    errorCode: null,
    savings: savings(NO_TOKENS, NO_TOKENS),
    storedPath: null,
  };
}
