/** Reads an archive as the list of its files. */
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ElementBuilder } from '../core/byte-builder.ts';
import type { ElementChunk } from '../core/payload.ts';
import type { FormatScan } from '../core/reader.ts';
import type { ArchiveFile } from './archive-file.ts';

/** Names in a report: more are not chosen from a list. */
export const ENTRIES_LISTED = 1000;

const encoder = new TextEncoder();

/** Records with `name`, `bytes` and `modified`. */
export function archiveList(files: readonly ArchiveFile[]): FormatScan & { entries: string[] } {
  async function* elements(): AsyncIterable<ElementChunk> {
    const builder = new ElementBuilder();
    for (const [index, { name, bytes, modified }] of files.entries()) {
      builder.startElement(index + 1);
      builder.out.bytes(encoder.encode(JSON.stringify({ name, bytes, modified })));
      builder.endElement();
      if (builder.ready) yield builder.take() as ElementChunk;
    }
    const rest = builder.take();
    if (rest) yield rest;
  }
  const [first] = files;
  return {
    entries: files.slice(0, ENTRIES_LISTED).map(({ name }) => name),
    kind: 'array',
    columns: null,
    delimiter: null,
    warnings: [
      first === undefined
        ? warning('ARCHIVE_EMPTY', say('archive.noFiles'))
        : warning('ARCHIVE_LIST', say('archive.list', { files: files.length, first: first.name })),
    ],
    async *json() {
      yield* [];
    },
    elements,
    locate: async () => undefined,
  };
}
