/** The requests that a worker thread answers: conversions, and counting tokens. */
import type { ConversionOptions, ConversionReport, PayloadKind, TokenCount } from '../../../shared/model/conversion.ts';
import type { ConvertRequest, EngineBounds, SchemaPlace } from '../core/convert-types.ts';
import type { ElementChunk } from '../core/payload.ts';
import { TokenSampler } from '../tokens/tokens.ts';
import type { Job } from './channel.ts';
import { callName, onCall, streamName } from './handlers.ts';
import type { TransferableSource } from './transferable-source.ts';

export interface ConversionInput {
  /** Identifies the conversion; chosen by the caller, so that it can be closed before it is open. */
  id: number;
  source: TransferableSource;
  options: ConversionOptions & Pick<ConvertRequest, 'bytesOnly' | 'sealed'>;
  bounds: EngineBounds;
  place?: SchemaPlace | undefined;
  /** Reads only this many bytes, as `convertHead` does. */
  head?: number | undefined;
}

/** The properties of a conversion that do not change while it is open. */
export interface ConversionFacts {
  kind: PayloadKind;
  records: number;
  bytes: number;
  seeks: boolean;
  heldBytes: number;
  report: ConversionReport;
}

export interface ConversionProgress {
  bytesRead: number;
  totalBytes: number;
}

/** Null if `convertHead` returns null; nothing is open then. */
export const openConversion = callName<ConversionInput, ConversionFacts | null, ConversionProgress>('conversion.open');
export const closeConversion = callName<{ id: number }, void>('conversion.close');
export const locateValue = callName<
  { id: number; pointer: readonly (string | number)[] },
  { line: number; column?: number; columnName?: string } | undefined
>('conversion.locate');
export const conversionJson = streamName<{ id: number }, Uint8Array>('conversion.json');
export const conversionElements = streamName<{ id: number; start: number }, ElementChunk>('conversion.elements');

export const countTokensOf = callName<{ text: string }, TokenCount>('tokens.count');

/** Tokens of a text: exact up to a few hundred kilobytes, estimated from samples beyond that. */
export function tokensOf(text: string): Promise<TokenCount> {
  const sampler = new TokenSampler();
  sampler.push(Buffer.from(text));
  return sampler.count();
}

/** Counts in a thread: loading the vocabulary takes a tenth of a second and more memory than most calls. */
export const tokenJob: Job = () => [onCall(countTokensOf, ({ text }) => tokensOf(text))];
