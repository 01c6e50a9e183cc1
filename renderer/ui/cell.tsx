/** One value of a record: text as it is, what is not text told apart from it. */
import './cell.css';
import { visibleJson, visibleText } from '../../shared/lib/visible-text.ts';
import { asItIs } from '../visible/jsx-runtime.ts';
import { cellContent } from './record-cells.ts';
import { t } from './ui-texts.ts';

/** Longer text is cut. */
export const CELL_CHARS = 400;

/** The text that a cell shows for its JSON, before it is cut. */
export function cellText(cell: string, visible: boolean): string {
  const { kind, text } = cellContent(cell);
  if (!visible) return text;
  return kind === 'nested' ? visibleJson(text) : visibleText(text);
}

/** `cell` is JSON text; undefined for what a record does not have. `visible` names characters that cannot be seen. */
export function Cell({ cell, visible = false }: { cell: string | undefined; visible?: boolean }) {
  if (cell === undefined) return null;
  const { kind } = cellContent(cell);
  const text = cellText(cell, visible);
  if (kind === 'text' && text === '') {
    return (
      <span className="cell" data-kind="empty" title={t('emptyText')}>
        &quot;&quot;
      </span>
    );
  }
  const shown = text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
  return (
    <span className="cell" data-kind={kind} title={text.length > 12 ? text.slice(0, 2000) : undefined}>
      {asItIs(shown)}
    </span>
  );
}
