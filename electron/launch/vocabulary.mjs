/** Packs the vocabulary of o200k_base, as gpt-tokenizer brings it along, for the engine to load in a few milliseconds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';

/** Base64 of the deflated tokens by rank: their number in 4 bytes, the length of each in one, and their bytes. */
export function packVocabulary(root) {
  const file = path.join(root, 'node_modules/gpt-tokenizer/data/o200k_base.tiktoken');
  const tokens = [];
  for (const [rank, line] of readFileSync(file, 'utf8').trimEnd().split('\n').entries()) {
    const [token, number] = line.split(' ');
    if (Number(number) !== rank) throw new Error(`${file} has no token of rank ${rank}`);
    const bytes = Buffer.from(token, 'base64');
    if (bytes.length > 255) throw new Error(`${file} has a token of ${bytes.length} bytes`);
    tokens.push(bytes);
  }
  const count = Buffer.alloc(4);
  count.writeUInt32LE(tokens.length);
  const lengths = Buffer.from(tokens.map(({ length }) => length));
  return deflateRawSync(Buffer.concat([count, lengths, ...tokens]), { level: 9 }).toString('base64');
}
