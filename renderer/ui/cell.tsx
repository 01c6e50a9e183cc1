/** One value of a record: text as it is, what is not text told apart from it. */
import './cell.css';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { asItIs } from '../visible/jsx-runtime.ts';
import { cellContent } from './record-cells.ts';
import { t } from './ui-texts.ts';

const SHOWN_CHARS = 400;

/** `cell` is JSON text; undefined for what a record does not have. `visible` names characters that cannot be seen. */
export function Cell({ cell, visible = false }: { cell: string | undefined; visible?: boolean }) {
  if (cell === undefined) return null;
  const { kind, text: content } = cellContent(cell);
  const text = visible ? visibleText(content) : content;
  if (kind === 'text' && text === '') {
    return (
      <span className="cell" data-kind="empty" title={t('emptyText')}>
        &quot;&quot;
      </span>
    );
  }
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return (
    <span className="cell" data-kind={kind} title={text.length > 12 ? text.slice(0, 2000) : undefined}>
      {asItIs(shown)}
    </span>
  );
}
