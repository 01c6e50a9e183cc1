/** Compresses rotated ledger files in the background, one process at a time. The original stays until the compressed file is complete. */

import { readdir, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errnoOf, writeFileAtomic } from './atomic-file.ts';
import { withFileLock } from './file-lock.ts';
import {
  DAMAGED,
  identify,
  linesFrom,
  openPlain,
  parseEntry,
  removeInvalid,
  rotatedNames,
  SEALED,
  SEALING,
  sizeOf,
} from './ledger-files.ts';
import { GrowingIndex } from './ledger-index.ts';
import { openSegment, SegmentDamaged, writeSegment } from './ledger-segment.ts';

class Stopped extends Error {}

interface Sealing {
  directory: string;
  /** The lock under which the ledger's files are changed. */
  lock: string;
  stopped?: () => boolean;
  /** Also finds damaged files among those compressed before. */
  verify?: boolean;
  log?: ((message: string) => void) | undefined;
}

/** Compresses every rotated file, the newest first. Does nothing while another process does it. Returns how many were compressed. */
export async function sealRotated(options: Sealing): Promise<number> {
  const { directory, stopped = () => false, verify = false } = options;
  const busy = () => new AppError('FILE_WRITE_FAILED', say('ledger.busy'));
  const names = await rotatedNames(directory);
  if (verify) for (const { file, sealed } of names) if (sealed && !stopped()) await hasSealed(file, options);
  if (names.every(({ sealed }) => sealed) && !(await hasOriginals(directory, names))) return 0;
  let sealed = 0;
  try {
    await withFileLock(
      path.join(directory, 'ledger-sealing.lock'),
      async () => {
        await removeInvalid(directory, [SEALING]);
        for (const each of (await rotatedNames(directory)).reverse()) if (await sealOne(each.file, options)) sealed += 1;
      },
      { waitMs: 0, busy },
    );
  } catch (error) {
    if (!(error instanceof Stopped) && !stopped()) throw error;
  }
  return sealed;
}

/** Whether an original is beside its compressed file, as after a crash. */
async function hasOriginals(directory: string, names: readonly { file: string }[]): Promise<boolean> {
  const there = new Set(await readdir(directory));
  return names.some(({ file }) => there.has(path.basename(file)));
}

async function sealOne(file: string, options: Sealing): Promise<boolean> {
  const { lock, stopped = () => false } = options;
  const checkStopped = () => {
    if (stopped()) throw new Stopped();
  };
  checkStopped();
  const size = await sizeOf(file);
  if (size === undefined) return false;
  if (await hasSealed(file, options)) {
    await unlink(file);
    return false;
  }
  const source = await openPlain(file);
  try {
    const { id } = await identify(source);
    const index = new GrowingIndex();
    let at = 0;
    for await (const { line, end } of linesFrom(source, 0)) {
      checkStopped();
      const entry = parseEntry(line);
      if (entry) index.add(entry, at);
      at = end;
    }
    await writeFileAtomic(file + SEALING, async (to) => {
      const written = await writeSegment(to, source, id, index, stopped);
      checkStopped();
      if (written !== size) throw new AppError('INTERNAL', say('ledger.changed', { file }));
    });
  } finally {
    await source.close();
  }
  return withFileLock(lock, async () => {
    // Meanwhile it may have been removed, as too old or because the ledger was cleared.
    if ((await sizeOf(file)) !== size) {
      await unlink(file + SEALING);
      return false;
    }
    await rename(file + SEALING, file + SEALED);
    await unlink(file);
    return true;
  });
}

/** A damaged one is kept under another name, and the original is compressed again. */
async function hasSealed(file: string, { log }: Sealing): Promise<boolean> {
  try {
    await (await openSegment(file + SEALED)).close();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    if (!(error instanceof SegmentDamaged)) throw error;
    const renamed = await rename(file + SEALED, file + SEALED + DAMAGED).then(
      () => true,
      () => false,
    );
    if (renamed) log?.(`${error.message}; it was renamed to '${file + SEALED + DAMAGED}'`);
    return false;
  }
}

/** Runs `sealRotated` after `pauseMs` and again after each further pause, until `end`. */
export function sealInBackground(
  directory: string,
  lock: string,
  pauseMs: number,
  log?: (message: string) => void,
): { end(): Promise<void> } {
  let ended = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  function wait(verify: boolean) {
    timer = setTimeout(() => {
      running = sealRotated({ directory, lock, stopped: () => ended, verify, log })
        // A full disk, or another process at work: the next look tries again.
        .catch(() => undefined)
        .then(() => {
          if (!ended) wait(false);
        });
    }, pauseMs);
    timer.unref();
  }
  wait(true);
  return {
    async end() {
      ended = true;
      clearTimeout(timer);
      await running;
    },
  };
}
