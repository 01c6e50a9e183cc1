/** Finds lines below a table, such as totals and notes, that are no records. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Utf8Source } from '../core/reader.ts';
import { COMMENT, DATA_START, type SampledRow, TITLE_CHARACTERS } from './csv-sampled-rows.ts';

/** Rows of the table, including the header, that must stand above. */
const ROWS_ABOVE = 3;

export interface Footer {
  /** Where the table ends. */
  readonly to: number;
  readonly warning: Warning;
}

/**
 * The footer of a table, by the evidence that shows titles above one: rows narrower than the table at its end, after a blank line or a
 * comment; or rows of one cell below a column in which all values, and no footer, start as numbers do. `rows`: all of the table.
 */
export function findFooter(rows: readonly SampledRow[], delimiter: string): Footer | undefined {
  const width = rows[0]?.cells.length ?? 0;
  let at = rows.length;
  while (at > 0 && (rows[at - 1] as SampledRow).cells.length < width) at--;
  const footer = rows.slice(at);
  const [first] = footer;
  const above = rows.slice(0, at);
  if (!first || width < 2 || above.length < ROWS_ABOVE || above.some(({ cells }) => cells.length !== width)) return undefined;
  const last = above.at(-1) as SampledRow;
  const isAfterBreak = first.line > last.nextLine || footer.some(({ cells }) => COMMENT.test(cells[0] ?? ''));
  const isNoData =
    footer.every(({ cells }) => cells.length === 1 && !DATA_START.test(cells[0] ?? '')) &&
    above.slice(1).every(({ cells }) => DATA_START.test(cells[0] ?? ''));
  if (!isAfterBreak && !isNoData) return undefined;
  const text = JSON.stringify(first.cells.join(delimiter).slice(0, TITLE_CHARACTERS));
  const lines = { first: first.line, last: (footer.at(-1) as SampledRow).line, text };
  return { to: first.offset, warning: warning('FOOTER_SKIPPED', say('warning.footerSkipped', lines)) };
}

/** The text up to an offset. */
export function textBefore(text: Utf8Source, end: number): Utf8Source {
  return {
    async *read(signal, options) {
      let left = end;
      for await (const chunk of text.read(signal, options)) {
        yield chunk.length <= left ? chunk : chunk.subarray(0, left);
        left -= chunk.length;
        if (left <= 0) return;
      }
    },
  };
}
