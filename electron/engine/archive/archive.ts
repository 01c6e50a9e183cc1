/** Opens ZIP and tar archives: the list of their files, and each file as a source of its own. */
import { AppError } from '../../../shared/model/errors.ts';
import type { ArchiveFormat } from '../../../shared/model/formats.ts';
import { nearNames, say } from '../../../shared/model/messages/message.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { decompress } from '../input/decompress.ts';
import type { Compression } from '../input/detect.ts';
import { bytesAfter } from '../input/input.ts';
import { openZip, type ZipArchive } from '../input/zip.ts';
import type { ArchiveFile } from './archive-file.ts';
import { archiveFault } from './failures.ts';
import { type TarFile, tarFiles } from './tar.ts';

export interface Archive {
  /** In the archive's order, without directories. */
  readonly files: readonly ArchiveFile[];
  /** The file's content. Throws INVALID_REQUEST for a name that is not there. */
  open(name: string): ByteSource;
}

/** Memory of one listed file besides its name. Bytes. */
const LISTED_BYTES = 64;
export const NAMES_SHOWN = 10;

/** Throws PARSE_FAILED for a broken archive, FILE_TOO_LARGE for one with too many files. */
export async function openArchive(
  source: ByteSource,
  { format, compression }: { format: ArchiveFormat; compression: Compression | null },
  bounds: Pick<EngineBounds, 'maxFileBytes' | 'maxStreamedFileBytes'>,
  signal?: AbortSignal,
): Promise<Archive> {
  if (source.size === 0) throw archiveFault(format, say('archive.empty'));
  if (format === 'tar') return openTar(source, compression, bounds, signal);
  const tooLarge = () => fileTooLarge(null, bounds.maxStreamedFileBytes, 'maxStreamedFileBytes');
  const zip = await openZip(
    source,
    {
      directoryBytes: bounds.maxFileBytes,
      entryBytes: bounds.maxStreamedFileBytes,
      tooLarge,
      broken: (reason) => archiveFault('zip', reason),
    },
    signal,
  );
  const files = [...zip.entries.values()]
    .filter(({ name }) => !name.endsWith('/'))
    .map(({ name, size, modified }) => ({ name, bytes: size, modified }));
  return { files, open: (name) => zipped(zip, find(files, name).name) };
}

function zipped(zip: ZipArchive, name: string): ByteSource {
  const entry = zip.entries.get(name);
  if (entry === undefined) throw new TypeError(`the archive's list has no '${name}'`);
  return { name: baseName(name), size: entry.size, read: (signal) => zip.read(entry, signal) };
}

async function openTar(
  source: ByteSource,
  compression: Compression | null,
  { maxFileBytes }: Pick<EngineBounds, 'maxFileBytes'>,
  signal: AbortSignal | undefined,
): Promise<Archive> {
  const unpacked = (again?: AbortSignal) =>
    compression === null ? source.read(again) : decompress(source.read(again), compression, again);
  const files: TarFile[] = [];
  let held = 0;
  for await (const file of tarFiles(unpacked(signal))) {
    signal?.throwIfAborted();
    held += 2 * file.name.length + LISTED_BYTES;
    if (held > maxFileBytes) throw fileTooLarge(null, maxFileBytes, 'maxFileBytes');
    files.push(file);
  }
  const { readFrom } = source;
  const from = (offset: number, again?: AbortSignal) =>
    compression === null && readFrom ? readFrom(offset, again) : bytesAfter(unpacked(again), offset);
  return {
    files: files.map(({ name, bytes, modified }) => ({ name, bytes, modified })),
    open(name) {
      const { bytes, offset, name: found } = find(files, name);
      return { name: baseName(found), size: bytes, read: (again) => firstOf(from(offset, again), bytes) };
    },
  };
}

/** By its path, or by its last part where only one file has it. */
function find<T extends ArchiveFile>(files: readonly T[], asked: string): T {
  const plain = (name: string) => name.replaceAll('\\', '/').replace(/^\.?\/+/, '');
  const wanted = plain(asked);
  // Macs write letters and accents apart, keyboards do not.
  const exact =
    files.find(({ name }) => name === asked) ??
    files.find(({ name }) => plain(name) === wanted) ??
    files.find(({ name }) => plain(name).normalize() === wanted.normalize());
  if (exact) return exact;
  const sameEnd = wanted.includes('/') ? [] : files.filter(({ name }) => baseName(name).normalize() === wanted.normalize());
  const [only, another] = sameEnd;
  if (only && !another) return only;
  const names = (sameEnd.length > 0 ? sameEnd : files).slice(0, NAMES_SHOWN).map(({ name }) => name);
  throw new AppError('INVALID_REQUEST', say(another ? 'entry.several' : 'entry.absent', { entry: asked }), {
    hint:
      nearNames(
        wanted,
        files.map(({ name }) => name),
      ) ?? say('entry.names', { names, more: (sameEnd.length || files.length) - names.length }),
  });
}

const baseName = (name: string): string => name.split('/').at(-1) || name;

/** Throws PARSE_FAILED if fewer bytes are there. */
async function* firstOf(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes;
  if (left === 0) return;
  for await (const chunk of chunks) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
  throw archiveFault('tar', say('archive.cutOff'));
}
