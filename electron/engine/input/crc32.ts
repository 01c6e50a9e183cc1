/** CRC-32 (ISO 3309), as ZIP has it. */
import * as zlib from 'node:zlib';

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

function byTable(bytes: Uint8Array, before: number): number {
  let crc = before ^ 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Node has it from version 20.15 on; Electron's older ones have not. */
const native = (zlib as { crc32?: (bytes: Uint8Array, before: number) => number }).crc32;

/** The checksum of the bytes, after those whose checksum is `before`. */
export const crc32: (bytes: Uint8Array, before?: number) => number = (bytes, before = 0) => (native ?? byTable)(bytes, before);
