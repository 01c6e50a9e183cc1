/** Filebridge's engine: opens the file with all checks and makes both passes. */
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

/** Set as users could set it, so that no format is refused for its size. */
const bounds = limitsSchema.parse({ maxFileBytes: 2 ** 32, maxStreamedFileBytes: 2 ** 33 });

/** The product's own program, next to the command line. */
const threadScript = path.resolve('dist', 'engine-thread.cjs');

export const threaded = (): Converter => threadedConverter({ script: threadScript });

/** Opens and converts; `take` receives the conversion while it can be read. */
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

/** Threads are started before the timing, as for rivals and in a server. */
async function started(converter: Converter, { second }: Partial<ConvertRequest>): Promise<void> {
  if (converter !== inProcess) await converter.countTokens('');
  // Counting no chunks ends at once.
  const nothing = { kind: 'csv-scan', from: 0, to: 0, facts: undefined, control: new Int32Array(new SharedArrayBuffer(4)) };
  await second
    ?.begin(
      nothing,
      () => undefined,
      () => undefined,
    )
    ?.stop();
}

const filebridge =
  (open: () => Converter, options: Partial<ConvertRequest> = {}): Contender =>
  async () => {
    const converter = open();
    await started(converter, options);
    return (file, out) =>
      converting(converter, file, options, async (conversion) => {
        const fd = openSync(out, 'w');
        for await (const chunk of conversion.json(undefined, { reuse: true })) writeAll(fd, chunk);
      });
  };

export const ours: Readonly<Record<string, Contender>> = {
  /** Does only what rivals do: no hash, no token count. */
  Filebridge: filebridge(() => inProcess, { bytesOnly: true, second: secondThread(threadScript) }),
  /** Does what an agent's call does. */
  'Filebridge as served': filebridge(threaded),
};
