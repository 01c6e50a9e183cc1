/** What is asked of a thread that converts. */
import type { ConversionOptions, ConversionReport, PayloadKind } from '../../../shared/model/conversion.ts';
import type { ConvertRequest, EngineBounds, SchemaPlace } from '../core/convert-types.ts';
import type { ElementChunk } from '../core/payload.ts';
import { callName, streamName } from './handlers.ts';
import type { TransferableSource } from './transferable-source.ts';

export interface ConversionInput {
  /** Names the conversion from now on; chosen by who asks, so that it can be closed before it is there. */
  id: number;
  source: TransferableSource;
  options: ConversionOptions & Pick<ConvertRequest, 'bytesOnly' | 'sealed'>;
  bounds: EngineBounds;
  place?: SchemaPlace | undefined;
  /** Only so many bytes of it, as `convertHead` reads them. */
  head?: number | undefined;
}

/** What stays the same as long as a conversion is open. */
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

/** Null where `convertHead` gives null; nothing is open then. */
export const openConversion = callName<ConversionInput, ConversionFacts | null, ConversionProgress>('conversion.open');
export const closeConversion = callName<{ id: number }, void>('conversion.close');
export const locateValue = callName<
  { id: number; pointer: readonly (string | number)[] },
  { line: number; column?: number; columnName?: string } | undefined
>('conversion.locate');
export const conversionJson = streamName<{ id: number }, Uint8Array>('conversion.json');
export const conversionElements = streamName<{ id: number; start: number }, ElementChunk>('conversion.elements');
