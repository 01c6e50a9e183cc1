/** Reference reader of text: one JSON string. */
import { warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { ByteBuilder, writeEscaped } from '../core/byte-builder.ts';
import type { FormatReader, FormatScan, Utf8Source } from '../core/reader.ts';

const QUOTE = 0x22;

/** The whole text as one string; line ends are kept. */
export const readText: FormatReader = async (text, context): Promise<FormatScan> => {
  let isEmpty = true;
  for await (const chunk of text.read(context.signal)) isEmpty &&= chunk.length === 0;
  return textScan(isEmpty, { json: (signal) => quoted(text, signal) });
};

/** Results that every text reader returns. */
export function textScan(isEmpty: boolean, found: Pick<FormatScan, 'measured' | 'json'>): FormatScan {
  return {
    ...found,
    kind: 'string',
    columns: null,
    delimiter: null,
    warnings: isEmpty ? [warning('EMPTY_FILE', say('warning.emptyFile'))] : [],
    async *elements() {
      yield* [];
    },
    locate: async () => undefined,
  };
}

async function* quoted(text: Utf8Source, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  const out = new ByteBuilder();
  out.byte(QUOTE);
  for await (const chunk of text.read(signal)) {
    writeEscaped(out, chunk);
    yield out.take();
  }
  out.byte(QUOTE);
  yield out.take();
}
