/** Preview of a conversion: format, encoding, columns, counts, first records, warnings. */

import type { Limits } from '../../shared/model/config.ts';
import type { ConversionReport } from '../../shared/model/conversion.ts';
import type { Conversion } from '../engine/core/convert-types.ts';
import { conversionOf } from './open.ts';
import type { CallDeps, PreviewRequest } from './types.ts';

export interface Preview extends ConversionReport {
  path: string;
  /** First records of a list as JSON text; a single one, shortened, for anything else. */
  rows: string[];
}

const DEFAULT_ROWS = 5;
const ROW_CHARS = 2_000;
/** More than the characters of a row take. */
const SHOWN_BYTES = 4 * ROW_CHARS + 4;

/** Converts the file as a call would, and keeps its beginning. */
export async function preview(
  { files, converter }: Pick<CallDeps, 'files' | 'converter'>,
  limits: Limits,
  request: PreviewRequest,
  signal: AbortSignal,
): Promise<Preview> {
  const file = await files.open(request.path);
  let conversion: Conversion | undefined;
  try {
    conversion = await converter.convert(file.source, { ...conversionOf(request), bounds: limits, signal });
    await file.assertUnchanged();
    return { path: file.path, ...conversion.report, rows: await firstRows(conversion, request.rows ?? DEFAULT_ROWS, signal) };
  } finally {
    conversion?.close();
    await file.close();
  }
}

async function firstRows(conversion: Conversion, count: number, signal: AbortSignal): Promise<string[]> {
  const rows: string[] = [];
  if (count === 0) return rows;
  const shorten = (text: string) => (text.length > ROW_CHARS ? `${text.slice(0, ROW_CHARS)}…` : text);
  if (conversion.kind !== 'array') {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of conversion.json(signal)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > ROW_CHARS) break;
    }
    return [shorten(text)];
  }
  for await (const { data, ends } of conversion.elements({ signal })) {
    let from = 0;
    for (const end of ends) {
      // Only what is shown is decoded: a record may be as long as the file.
      const bytes = Math.min(end - from, SHOWN_BYTES);
      rows.push(shorten(Buffer.from(data.buffer, data.byteOffset + from, bytes).toString('utf8')));
      if (rows.length === count) return rows;
      from = end + 1;
    }
  }
  return rows;
}

/** The preview as the agent reads it: facts as JSON, one line per record. */
export function previewText({ rows, ...facts }: Preview): string {
  const { columns, tokens, warnings, ...rest } = facts;
  const shown = {
    ...rest,
    columns:
      columns?.map((column) => `${column.name}: ${column.type}${column.empty > 0 ? ` (${column.empty} empty)` : ''}`) ?? null,
    tokens: tokens.count,
    tokens_method: tokens.method,
    warnings: warnings.map((warning) => warning.message),
  };
  const head = JSON.stringify(shown, null, 2).slice(0, -2);
  return rows.length === 0
    ? `${head},\n  "rows": []\n}`
    : `${head},\n  "rows": [\n${rows.map((row) => `    ${row}`).join(',\n')}\n  ]\n}`;
}
