/** What a file has inside: the sheets of a workbook, the tables of a document, the lists of an object. Each can be read by itself. */
import type { PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionReport, Outline } from '../../../shared/model/conversion.ts';
import { useAnswer } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Row, Rows, Section } from '../../ui/page.tsx';
import { pageName } from './document-view.tsx';
import { t } from './preview-texts.ts';

/** Tabs for the sheets of a workbook or the tables of a database. `chosen`: a name, `*` for all, or undefined for the first that is visible. */
export function SheetTabs({
  label,
  sheets,
  chosen,
  onChoose,
}: {
  label: string;
  sheets: NonNullable<ConversionReport['sheets']>;
  chosen: string | undefined;
  onChoose: (name: string) => void;
}) {
  const first = sheets.find(({ hidden }) => !hidden) ?? sheets[0];
  const shown = chosen ?? first?.name;
  const tabs = [
    ...sheets.map(({ name, hidden }) => ({ name, label: hidden ? t('hiddenSheet', { name }) : name })),
    { name: '*', label: t('allSheets') },
  ];
  return (
    <fieldset className="sheet-tabs">
      <legend className="visually-hidden">{label}</legend>
      {tabs.map(({ name, label: tab }) => (
        <button key={name} type="button" className="sheet-tab" aria-pressed={name === shown} onClick={() => onChoose(name)}>
          {tab}
        </button>
      ))}
    </fieldset>
  );
}

interface Part {
  /** Chooses it. */
  id: string;
  /** For assistive technology, in the button's name. */
  name: string;
  title: string;
  detail: string;
}

/** Parts that can be read as records, and the way back to the whole. */
function Parts({
  title,
  back,
  parts,
  chosen,
  onChoose,
}: {
  title: string;
  back: string;
  parts: readonly Part[];
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}) {
  return (
    <Section
      title={title}
      note={t('partsNote', { count: parts.length })}
      className="parts-inside"
      actions={
        chosen === undefined ? undefined : (
          <Button size="small" onClick={() => onChoose(undefined)}>
            {back}
          </Button>
        )
      }
    >
      <Rows label={title}>
        {parts.map((part) => {
          const action = t(chosen === part.id ? 'tableShown' : 'tableShow');
          return (
            <Row
              key={part.id}
              title={part.title}
              detail={part.detail}
              actions={
                <Button
                  size="small"
                  disabled={chosen === part.id}
                  aria-label={`${action}, ${part.name}`}
                  onClick={() => onChoose(part.id)}
                >
                  {action}
                </Button>
              }
            />
          );
        })}
      </Rows>
    </Section>
  );
}

/** `table`: the number of the one that is shown as records. */
export function DocumentTables({
  tables,
  table,
  onChoose,
}: {
  tables: Outline['tables'];
  table: string | undefined;
  onChoose: (table: string | undefined) => void;
}) {
  const parts = tables.map(({ rows, columns, head, page }, index) => {
    const number = String(index + 1);
    const size = t('tableSize', { rows, columns });
    return {
      id: number,
      name: t('tableNumber', { number }),
      title: `${number}. ${head.filter((words) => words !== '').join(' · ') || t('tableNoHead')}`,
      detail: page === null ? size : `${pageName(page)} · ${size}`,
    };
  });
  return (
    <Parts
      title={t('documentTables', { count: tables.length })}
      back={t('documentText')}
      parts={parts}
      chosen={table}
      onChoose={onChoose}
    />
  );
}

const never = [] as const;

/** The lists of an object, each by its path. */
export function ListsInside({ view, onChoose }: { view: PreviewView; onChoose: (path: string) => void }) {
  const { value: lists } = useAnswer('preview.lists', { id: view.id }, never);
  const long = (lists ?? []).filter(({ items }) => items > 0);
  if (long.length === 0) return null;
  const parts = long.map(({ path, items, goesOn }) => ({
    id: path,
    name: path,
    title: path,
    detail: t(goesOn ? 'listRowsAtLeast' : 'listRows', { count: items, shown: formatCount(items) }),
  }));
  return (
    <Parts
      title={t('listsInside', { count: parts.length })}
      back=""
      parts={parts}
      chosen={undefined}
      onChoose={(path) => path !== undefined && onChoose(path)}
    />
  );
}

/** The list that is shown instead of the object around it. */
export function ChosenList({ path, onBack }: { path: string; onBack: () => void }) {
  return (
    <p className="chosen-list">
      {t('listShown', { path })}
      <Button size="small" onClick={onBack}>
        {t('listBack')}
      </Button>
    </p>
  );
}
