/** The engine's face: bytes in, JSON out. */
export { convert } from './convert.ts';
export type { ColumnAdvice, Conversion, ConvertRequest, EngineBounds } from './convert-types.ts';
export { type ElementChunk, type JsonStream, jsonStreamOf, type Payload } from './payload.ts';
export { type ByteSource, memorySource } from './source.ts';
export { countTokens, TokenSampler } from './tokens.ts';
