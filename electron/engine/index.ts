/** The engine's public interface: bytes in, JSON out. */
export { convert } from './convert/convert.ts';
export type { ColumnAdvice, Conversion, ConvertRequest, EngineBounds, SchemaPlace } from './core/convert-types.ts';
export type { ElementChunk, JsonStream, Payload } from './core/payload.ts';
export type { ByteSource, SecondThread } from './core/source.ts';
export { type Converter, inProcess, threadedConverter } from './thread/converter.ts';
export { secondThread } from './thread/second-worker.ts';
export { TokenSampler } from './tokens/tokens.ts';
