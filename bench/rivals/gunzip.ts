/** Decompression only, as a lower bound for converting a compressed file. */
import { spawnSync } from 'node:child_process';
import { createReadStream, openSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Contender, writeAll } from './contender.ts';

export const gunzipRivals: Readonly<Record<string, Contender>> = {
  /** The system's command. */
  async 'gunzip -c'() {
    return async (file, out) => {
      const { status, error } = spawnSync('gunzip', ['-c', file], { stdio: ['ignore', openSync(out, 'w'), 'inherit'] });
      if (status !== 0) throw error ?? new Error(`gunzip ended with ${status}`);
    };
  },

  /** With chunks large enough that their number does not matter. */
  async gunzip() {
    return async (file, out) => {
      const fd = openSync(out, 'w');
      const gunzip = createGunzip({ chunkSize: 1024 * 1024 });
      await pipeline(createReadStream(file, { highWaterMark: 512 * 1024 }), gunzip, async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) writeAll(fd, chunk);
      });
    };
  },
};
