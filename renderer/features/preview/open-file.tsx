/** A file that is open: what it is, what it becomes, where it can go, and what is in the way. */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { BoundPreview, PreviewView } from '../../../shared/contract/preview.ts';
import type { Trouble as TroubleView } from '../../../shared/contract/shapes.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import type { Worded } from '../../../shared/model/messages/people.ts';
import { known } from '../../../shared/model/messages/received.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Callout, StateDot, Trouble, useToast } from '../../ui/feedback.tsx';
import { fileName, folderOf } from '../../ui/format.ts';
import { FileX, RefreshCw } from '../../ui/icons/icons.tsx';
import { EmptyState, Page, Tabs, type TabView } from '../../ui/page.tsx';
import type { SendTarget } from '../../ui/path-links.ts';
import { DocumentPages, DocumentTables } from './document-view.tsx';
import { FileFacts } from './file-facts.tsx';
import { t } from './preview-texts.ts';
import { ReadingOptions, tidy, withoutTable } from './reading-options.tsx';
import { SendView } from './send/send-view.tsx';
import { useSending } from './send/use-sending.ts';
import { RecordTable, type Typing } from './table/record-table.tsx';
import { rememberFile, usePreview } from './use-preview.ts';
import { JsonView, SingleView, TextView } from './value-view.tsx';

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
  const tables = readable?.report?.outline?.tables ?? [];
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

function Records({ view, typing, marks }: { view: PreviewView; typing: Typing; marks: ReadonlyMap<string, string> }) {
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

/** Codes for which this page has a button, and so its own words. */
const ownHints: Readonly<Record<string, 'hint_binary' | 'hint_gone' | 'hint_changed' | 'hint_large'>> = {
  FORMAT_UNKNOWN: 'hint_binary',
  FILE_NOT_FOUND: 'hint_gone',
  FILE_CHANGED: 'hint_changed',
  FILE_TOO_LARGE: 'hint_large',
};

/** Why a file could not be read, and what can be done about it here. */
function FileTrouble({
  error,
  options,
  lastGood,
  onChange,
  onChoose,
  onAgain,
}: {
  error: Pick<TroubleView, 'code'> & Worded;
  options: ConversionOptions;
  /** The options that worked last; undefined when none did. */
  lastGood: ConversionOptions | undefined;
  onChange: (options: ConversionOptions) => void;
  onChoose: () => void;
  onAgain: () => void;
}) {
  const { code } = error;
  const { message, hint } = words(error);
  const actions: ReactNode[] = [];
  const offer = (label: string, run: () => void) =>
    actions.push(
      <Button key={label} size="small" onClick={run}>
        {label}
      </Button>,
    );
  if (lastGood !== undefined && JSON.stringify(lastGood) !== JSON.stringify(options))
    offer(t('undoChange'), () => onChange(lastGood));
  else if (Object.keys(options).length > 0) offer(t('reset'), () => onChange({}));
  const ragged = known(error.said?.hint)?.code === 'csv.ragged.hint';
  if (ragged) {
    offer(t('keepExtra'), () => onChange({ ...options, ragged: 'keep' }));
    offer(t('cutExtra'), () => onChange({ ...options, ragged: 'cut' }));
  }
  if (known(error.said?.hint)?.code === 'csv.noHeader.hint') {
    offer(t('noHeader'), () => onChange({ ...options, header: false }));
    offer(t('withHeader'), () => onChange({ ...options, header: true }));
  }
  if (code === 'PARSE_FAILED' && options.as === undefined) offer(t('asText'), () => onChange({ as: 'text' }));
  if (code === 'FORMAT_UNKNOWN') offer(t('asBytes'), () => onChange({ as: 'base64' }));
  if (code === 'FILE_NOT_FOUND' || code === 'FILE_NOT_REGULAR') offer(t('another'), onChoose);
  if (code === 'FILE_TOO_LARGE') {
    actions.push(
      <Link key="settings" href="/settings" className="button button-plain button-small">
        {t('toSettings')}
      </Link>,
    );
  } else offer(t('again'), onAgain);
  const own = ragged ? 'hint_ragged' : ownHints[code];
  return (
    <Callout kind="error" title={message}>
      {own ? <p>{t(own)}</p> : hint ? <p>{hint}</p> : null}
      <div className="callout-actions trouble-actions">{actions}</div>
    </Callout>
  );
}

const verdictEvents = ['folders.changed'] as const;

/** Whether agents may read the file, and the way to let them. */
function Verdict({ path }: { path: string }) {
  const verdict = useAnswer('paths.explain', { path }, verdictEvents);
  const add = useCommand('folders.add');
  const remove = useCommand('folders.remove');
  const toast = useToast();
  const folder = folderOf(path);

  const allow = async () => {
    if (!(await add.run({ path: folder, access: 'read' }))) return;
    void verdict.refresh();
    const undo = async () => {
      await remove.run({ path: folder });
      void verdict.refresh();
    };
    toast(t('allowed', { name: fileName(folder) }), { label: t('undo'), run: () => void undo() });
  };

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
    <>
      <Callout
        kind="warning"
        title={t('mayNotRead')}
        actions={
          value.folder === null && folder !== '' ? (
            <Button size="small" busy={add.busy} onClick={() => void allow()}>
              {t('allowFolder', { name: fileName(folder) })}
            </Button>
          ) : undefined
        }
      >
        <p>
          {Object.values(words(value))
            .flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
            .join(' ')}
        </p>
      </Callout>
      <Trouble error={add.error ?? remove.error} />
    </>
  );
}
