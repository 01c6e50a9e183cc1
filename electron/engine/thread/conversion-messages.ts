/** The requests that a conversion thread answers. */
import type { ConversionOptions, ConversionReport, PayloadKind } from '../../../shared/model/conversion.ts';
import type { ConvertRequest, EngineBounds, SchemaPlace } from '../core/convert-types.ts';
import type { ElementChunk } from '../core/payload.ts';
import { callName, streamName } from './handlers.ts';
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
