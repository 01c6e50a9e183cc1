/** A file that is open: what it is, what it becomes, and where it can go. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { BoundPreview, PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { words } from '../../i18n/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FileX, RefreshCw } from '../../ui/icons/icons.tsx';
import { fileName } from '../../ui/numbers.ts';
import { EmptyState, Page, Tabs, type TabView } from '../../ui/page.tsx';
import type { SendTarget } from '../../ui/path-links.ts';
import { FileFacts } from './file-facts.tsx';
import { JsonView } from './json-view.tsx';
import { t } from './preview-texts.ts';
import { ReadingOptions } from './reading-options.tsx';
import { rememberFile } from './recent-files.ts';
import { SendView } from './send/send-view.tsx';
import { useSending } from './send/use-sending.ts';
import type { Typing } from './table/column-head.tsx';
import { RecordTable } from './table/record-table.tsx';
import { FileTrouble } from './trouble.tsx';
import { usePreview } from './use-preview.ts';
import { SingleView, TextView } from './value-view.tsx';
import { Verdict } from './verdict.tsx';

const automatic: ConversionOptions = {};
/** Files that agents may not read. */
const absent: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_NOT_REGULAR']);

/** `target`: where it is to be sent, for the page that opens at that. */
export function OpenFile({
  path,
  target,
  notice,
  onChoose,
}: {
  path: string;
  target?: SendTarget | undefined;
  notice: ReactNode;
  onChoose: () => void;
}) {
  const [options, setOptions] = useState(automatic);
  const [chosenTab, setTab] = useState(target ? 'send' : 'records');
  const { view, lastGood, error, opening, reopen } = usePreview(path, options);
  const failure = error ?? (view?.state === 'failed' && !opening ? view.error : undefined);
  // A file that fails far in can still be shown from its beginning.
  const readable = view?.report ? view : undefined;
  const sending = useSending({ path, options, target, active: chosenTab === 'send' && readable !== undefined });
  const marks = useMemo(() => columnMarks(sending.bound), [sending.bound]);
  useEffect(() => rememberFile(path), [path]);

  const typing: Typing | undefined = {
    busy: opening,
    choose: (column, type) => {
      const others = Object.entries(typeof options.types === 'object' ? options.types : {}).filter(([name]) => name !== column);
      const types = Object.fromEntries(type === null ? others : [...others, [column, type]]);
      const { types: _, ...rest } = options;
      setOptions(Object.keys(types).length === 0 ? rest : { ...rest, types });
    },
  };

  const isText = readable?.report?.kind === 'string';
  const views: TabView[] = readable
    ? [
        {
          id: 'records',
          label: isText ? t('text') : t('table'),
          content: <Records view={readable} typing={typing} marks={marks} />,
        },
        { id: 'json', label: t('json'), content: <JsonView key={`${readable.id} ${readable.state}`} view={readable} /> },
        { id: 'send', label: t('send'), content: <SendView view={readable} sending={sending} /> },
      ]
    : [];

  return (
    <Page
      wide
      className="open-file"
      title={fileName(path)}
      lead={<span className="path">{path}</span>}
      actions={
        <>
          <IconButton label={t('again')} busy={opening} onClick={reopen}>
            <RefreshCw aria-hidden="true" />
          </IconButton>
          <Button onClick={onChoose}>{t('another')}</Button>
        </>
      }
    >
      {notice}
      {error && absent.has(error.code) ? null : <Verdict path={path} />}
      {failure && view?.totalBytes === 0 && !readable ? (
        <EmptyState icon={<FileX />} title={t('emptyFile')}>
          {t('emptyFileNote')}
        </EmptyState>
      ) : failure ? (
        <FileTrouble
          error={failure}
          options={options}
          lastGood={lastGood}
          onChange={setOptions}
          onChoose={onChoose}
          onAgain={reopen}
        />
      ) : null}
      {failure && view === undefined ? null : (
        <FileFacts view={view}>
          <ReadingOptions path={path} options={options} report={view?.report ?? null} onChange={setOptions} />
        </FileFacts>
      )}
      {readable ? <Tabs views={views} chosen={chosenTab} onChoose={setTab} /> : null}
    </Page>
  );
}

function Records({ view, typing, marks }: { view: PreviewView; typing: Typing; marks: ReadonlyMap<string, string> }) {
  const kind = view.report?.kind;
  // While a file is read, its beginning is asked for again at the end only.
  const key = `${view.id} ${view.state}`;
  if (kind === 'string') return <TextView key={key} view={view} />;
  if (kind !== 'array') return <SingleView key={key} view={view} />;
  if (view.rows === 0 && view.state === 'done') {
    return (
      <EmptyState icon={<FileX />} title={view.totalBytes === 0 ? t('emptyFile') : t('noRecords')}>
        {t('noRecordsNote')}
      </EmptyState>
    );
  }
  return <RecordTable preview={view} typing={typing} marks={marks} />;
}

/** Which columns do not fit the chosen tool, and why, for the table's heads. */
function columnMarks(bound: BoundPreview | undefined): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const column of bound?.unknownColumns ?? []) marks.set(column, t('columnUnknown'));
  for (const mismatch of bound?.mismatches ?? [])
    if (mismatch.column !== null && !marks.has(mismatch.column)) marks.set(mismatch.column, words(mismatch).message);
  return marks;
}
