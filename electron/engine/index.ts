/** The engine's face: bytes in, JSON out. */
export { convert } from './convert.ts';
export type { ColumnAdvice, Conversion, ConvertRequest, EngineBounds, SchemaPlace } from './convert-types.ts';
export type { ElementChunk, JsonStream, Payload } from './payload.ts';
export type { SecondThread } from './second-thread.ts';
export type { ByteSource } from './source.ts';
export { type Converter, inProcess, threadedConverter } from './thread/converter.ts';
export { secondThread } from './thread/second-worker.ts';
export { TokenSampler } from './tokens.ts';
