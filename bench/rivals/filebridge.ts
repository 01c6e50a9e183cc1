/** This program's engine: the file through the one door for files, all checks, both passes. */
import { openSync } from 'node:fs';
import path from 'node:path';
import {
  type Conversion,
  type Converter,
  type ConvertRequest,
  inProcess,
  secondThread,
  threadedConverter,
} from '../../electron/engine/index.ts';
import { createFileAccess } from '../../electron/files/file-access.ts';
import { limitsSchema } from '../../shared/model/config.ts';
import { type Contender, writeAll } from './contender.ts';

/** Set as the user could set them, so that no format is refused for its size. */
const bounds = limitsSchema.parse({ maxFileBytes: 2 ** 32, maxStreamedFileBytes: 2 ** 33 });

/** The product's own, beside the command line. */
const threadScript = path.resolve('dist', 'engine-thread.cjs');

export const threaded = (): Converter => threadedConverter({ script: threadScript });

/** Opens and converts; `take` gets the conversion while it can be read. */
export async function converting(
  converter: Converter,
  file: string,
  options: Partial<ConvertRequest>,
  take: (conversion: Conversion) => Promise<void>,
): Promise<void> {
  const opened = await createFileAccess({ folders: () => [{ path: path.dirname(file), access: 'read' }] }).open(file);
  const conversion = await converter.convert(opened.source, { ...options, bounds });
  await take(conversion);
  conversion.close();
  await opened.close();
}

const filebridge =
  (open: () => Converter, options: Partial<ConvertRequest> = {}): Contender =>
  async () => {
    const converter = open();
    // A server's threads run already, as code is loaded before anything is timed.
    if (converter !== inProcess) await converter.countTokens('');
    return (file, out) =>
      converting(converter, file, options, async (conversion) => {
        const fd = openSync(out, 'w');
        for await (const chunk of conversion.json(undefined, { reuse: true })) writeAll(fd, chunk);
      });
  };

export const ours: Readonly<Record<string, Contender>> = {
  /** What the rivals do, and no more: they neither hash a file nor count its tokens. */
  Filebridge: filebridge(() => inProcess, { bytesOnly: true, second: secondThread(threadScript) }),
  /** What an agent's call does. */
  'Filebridge as served': filebridge(threaded),
};
