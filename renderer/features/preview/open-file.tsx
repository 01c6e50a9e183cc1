/** A file that is open: what it is, what it becomes, where it can go. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { BoundPreview, PreviewView } from '../../../shared/contract/preview.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { optionsTaken } from '../../../shared/model/formats.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { AllowPath } from '../../ui/allow-folder.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout, StateDot, Trouble } from '../../ui/feedback.tsx';
import { fileName } from '../../ui/format.ts';
import { FileX, RefreshCw } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Tabs, type TabView } from '../../ui/page.tsx';
import type { SendTarget } from '../../ui/path-links.ts';
import { PathText } from '../../ui/path-text.tsx';
import { DocumentPages } from './document-view.tsx';
import { FileFacts } from './file-facts.tsx';
import { FileTrouble } from './file-trouble.tsx';
import { type Fix, withFix } from './fixes.ts';
import { JsonView } from './json-view.tsx';
import { ChosenList, DocumentTables, ListsInside, SheetTabs } from './parts-inside.tsx';
import { t } from './preview-texts.ts';
import { ReadingOptions, tidy, withoutTable } from './reading-options.tsx';
import { SendView } from './send/send-view.tsx';
import { useSending } from './send/use-sending.ts';
import { RecordTable, type Typing } from './table/record-table.tsx';
import { forgetFile, rememberFile, usePreview } from './use-preview.ts';
import { SingleView, TextView } from './value-view.tsx';

const automatic: ConversionOptions = {};
const isAutomatic = (options: ConversionOptions): boolean => Object.keys(options).length === 0;
const never = [] as const;
/** How a person had files read, by path, until the window is closed. */
const chosenBefore = new Map<string, ConversionOptions>();
/** Files that agents may not read. */
const absent: ReadonlySet<string> = new Set(['FILE_NOT_FOUND', 'FILE_NOT_REGULAR']);

interface OpenFileProps {
  path: string;
  /** Where it is to be sent, for the page that opens at that. */
  target?: SendTarget | undefined;
  notice: ReactNode;
  onChoose: () => void;
}

export function OpenFile(props: OpenFileProps) {
  const { value, error } = useAnswer('preview.reading', { path: props.path }, never);
  if (value === undefined && error === undefined) return null;
  return <ReadFile {...props} kept={value?.options ?? automatic} />;
}

/** `kept`: how agents read it. */
function ReadFile({ path, target, notice, onChoose, kept }: OpenFileProps & { kept: ConversionOptions }) {
  const keep = useCommand('preview.keepReading');
  const [forAgents, setForAgents] = useState(!isAutomatic(kept));
  const [options, setChosen] = useState(chosenBefore.get(path) ?? kept);
  const setOptions = (next: ConversionOptions) => {
    if (isAutomatic(next)) chosenBefore.delete(path);
    else chosenBefore.set(path, next);
    setChosen(next);
    if (forAgents) keepForAgents(!isAutomatic(next), next);
  };
  const keepForAgents = (isKept: boolean, chosen = options) => {
    setForAgents(isKept);
    if (!isAutomatic(chosen)) chosenBefore.set(path, chosen);
    // What could not be kept is not shown as kept.
    void keep.run({ path, options: isKept ? chosen : automatic }).then((done) => {
      if (done === undefined) setForAgents(!isKept);
    });
  };
  const [chosenTab, setTab] = useState(target ? 'send' : 'records');
  const { view, lastGood, error, opening, reopen } = usePreview(path, options);
  const failure = error ?? (view?.state === 'failed' && !opening ? view.error : undefined);
  // A file that fails far in can still be shown from its beginning.
  const readable = view?.report ? view : undefined;
  const sending = useSending({
    path,
    options,
    target,
    read: readable?.id,
    active: chosenTab === 'send' && readable !== undefined,
  });
  const marks = useMemo(() => columnMarks(sending.bound), [sending.bound]);
  const isAbsent = error !== undefined && absent.has(error.code);
  useEffect(() => (isAbsent ? forgetFile(path) : rememberFile(path)), [path, isAbsent]);

  // Counts how often a person was led to the choice of an encoding.
  const [encodingWanted, setEncodingWanted] = useState(0);
  const onFix = ({ options: fix }: Fix) => {
    if (fix === undefined) setEncodingWanted((before) => before + 1);
    else setOptions(tidy(withFix(options, fix)));
  };

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
  const report = readable?.report;
  const tables = report?.outline?.tables ?? [];
  const taken = report ? optionsTaken(report.format, options.as) : [];
  const sheetsBy = taken.includes('table') ? 'table' : 'sheet';
  const useAsHeader =
    taken.includes('header_row') && options.transform === undefined
      ? (line: number) =>
          onFix({ label: '', options: { header: undefined, skip: undefined, types: undefined, header_row: line } })
      : undefined;
  const views: TabView[] = readable
    ? [
        {
          id: 'records',
          label: isText ? t('text') : t('table'),
          content: <Records view={readable} typing={typing} marks={marks} onHeader={useAsHeader} />,
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
      lead={<PathText path={path} />}
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
      {isAbsent ? null : <Verdict path={path} />}
      {failure && view?.totalBytes === 0 && !readable ? (
        <EmptyState icon={<FileX />} title={t('emptyFile')}>
          {t('emptyFileNote')}
        </EmptyState>
      ) : failure ? (
        <FileTrouble
          path={path}
          error={failure}
          view={error ? undefined : view}
          options={options}
          lastGood={lastGood}
          onChange={setOptions}
          onFix={onFix}
          onChoose={onChoose}
          onAgain={reopen}
        />
      ) : null}
      {failure && view === undefined ? null : (
        <FileFacts view={view} options={options} onFix={onFix}>
          <ReadingOptions
            path={path}
            options={options}
            report={view?.report ?? null}
            encodingWanted={encodingWanted}
            forAgents={forAgents}
            onForAgents={keepForAgents}
            onChange={setOptions}
          />
          <Trouble error={keep.error} />
        </FileFacts>
      )}
      {report?.sheets && report.sheets.length > 1 && options.query === undefined ? (
        <SheetTabs
          label={t(sheetsBy === 'table' ? 'databaseTable' : 'sheet')}
          sheets={report.sheets}
          chosen={options[sheetsBy]?.toString()}
          onChoose={(name) => setOptions(tidy({ ...options, ...withoutTable, range: undefined, [sheetsBy]: name }))}
        />
      ) : null}
      {readable && report?.kind === 'object' && report.sheets === undefined && options.transform === undefined ? (
        <ListsInside
          key={`${readable.id} ${readable.state}`}
          view={readable}
          onChoose={(expression) => setOptions({ ...options, transform: { expression } })}
        />
      ) : null}
      {options.transform?.expression === undefined ? null : (
        <ChosenList path={options.transform.expression} onBack={() => setOptions(tidy({ ...options, transform: undefined }))} />
      )}
      {tables.length > 0 ? (
        <DocumentTables
          tables={tables}
          table={options.table === undefined ? undefined : String(options.table)}
          onChoose={(table) => setOptions(tidy({ ...options, ...withoutTable, table }))}
        />
      ) : null}
      {readable ? <Tabs views={views} chosen={chosenTab} onChoose={setTab} /> : null}
    </Page>
  );
}

function Records({
  view,
  typing,
  marks,
  onHeader,
}: {
  view: PreviewView;
  typing: Typing;
  marks: ReadonlyMap<string, string>;
  onHeader: ((line: number) => void) | undefined;
}) {
  const kind = view.report?.kind;
  // While a file is read, its beginning is asked for again at the end only.
  const key = `${view.id} ${view.state}`;
  const pages = view.report?.outline?.pages ?? [];
  if (kind === 'string' && pages.length > 1) return <DocumentPages key={key} view={view} pages={pages} />;
  if (kind === 'string') return <TextView key={key} view={view} />;
  if (kind !== 'array') return <SingleView key={key} view={view} />;
  if (view.rows === 0 && view.state === 'done') {
    return (
      <EmptyState icon={<FileX />} title={view.totalBytes === 0 ? t('emptyFile') : t('noRecords')}>
        {t('noRecordsNote')}
      </EmptyState>
    );
  }
  return <RecordTable preview={view} typing={typing} marks={marks} onHeader={onHeader} />;
}

/** Which columns do not fit the chosen tool, and why, for the table's heads. */
function columnMarks(bound: BoundPreview | undefined): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const column of bound?.unknownColumns ?? []) marks.set(column, t('columnUnknown'));
  for (const mismatch of bound?.mismatches ?? [])
    if (mismatch.column !== null && !marks.has(mismatch.column)) marks.set(mismatch.column, words(mismatch).message);
  return marks;
}

const verdictEvents = ['folders.changed'] as const;

/** Whether agents may read the file, and the way to let them. */
function Verdict({ path }: { path: string }) {
  const verdict = useAnswer('paths.explain', { path }, verdictEvents);
  const { value, error } = verdict;
  if (error && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <div className="verdict" />;
  if (value.allowed) {
    return (
      <div className="verdict">
        <StateDot tone="good">{t('mayRead')}</StateDot>
      </div>
    );
  }
  return (
    <Callout
      kind="warning"
      title={t('mayNotRead')}
      actions={<AllowPath verdict={value} path={path} onAllowed={() => void verdict.refresh()} />}
    >
      <p>
        {Object.values(words(value))
          .flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
          .join(' ')}
      </p>
    </Callout>
  );
}
