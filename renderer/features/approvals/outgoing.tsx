/**
 * Everything that would be sent: the arguments in full, in words and folded as they are sent, and of each file where it goes, its size, its first and its last records, and on
 * demand those between; and what of that has been on the screen.
 */
import {
  createContext,
  type FormEvent,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Approval, ApprovalPayload } from '../../../shared/contract/approvals.ts';
import { visibleJson, visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Trouble } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { fileName, formatBytes, formatCount } from '../../ui/format.ts';
import { indentJson, type RecordCells, recordCells } from '../../ui/json-text.ts';
import { PathText } from '../../ui/path-text.tsx';
import { CELL_CHARS, Cell, cellOf, cellText, type RecordColumn, recordColumns } from '../../ui/records.tsx';
import { t } from './approvals-texts.ts';
import { type ArgumentRow, argumentRows, HOLE } from './argument-rows.ts';

const nothing = {};
const never = [] as const;

export function Outgoing({ approval }: { approval: Approval }) {
  const { payloads } = approval;
  const rows = useMemo(() => argumentRows(approval.arguments), [approval.arguments]);
  const [row] = rows ?? [];
  // One content and nothing beside it: its own heading says where it goes.
  const alone = payloads.length === 1 && rows?.length === 1 && typeof row?.value === 'object' && 'payload' in row.value;
  return (
    <>
      {alone ? null : (
        <Part title={t('values')}>
          <Values name={t('values')} parts={approval.arguments} rows={rows} single={payloads.length === 1} />
          {approval.keyArgument === undefined ? null : (
            <p className="quiet small">
              {t('keyEachCall', { count: formatCount(approval.calls.count), argument: visibleText(approval.keyArgument) })}
            </p>
          )}
        </Part>
      )}
      {approval.meta === undefined ? null : (
        <Part title={t('meta')}>
          <Values name={t('meta')} parts={[approval.meta]} rows={argumentRows([approval.meta])} />
        </Part>
      )}
      {payloads.map((payload, index) => (
        <Content
          // biome-ignore lint/suspicious/noArrayIndexKey: the payloads of a question do not change
          key={index}
          approval={approval.id}
          payload={payload}
          index={index}
          number={payloads.length === 1 ? undefined : index + 1}
        />
      ))}
    </>
  );
}

/** The arguments as they are sent, for who wants to see them. All that they say is shown in words elsewhere. */
export function Raw({ approval }: { approval: Approval }) {
  const texts: [string, Approval['arguments']][] = [[t('rawArguments'), approval.arguments]];
  if (approval.meta !== undefined) texts.push([t('rawMeta'), [approval.meta]]);
  const single = approval.payloads.length === 1;
  return texts.map(([title, parts]) => (
    <Part key={title} title={title}>
      <section className="code-block approval-text" aria-label={title}>
        <pre>
          <Arguments parts={parts} single={single} />
        </pre>
      </section>
    </Part>
  ));
}

/** Where there is a file manager that could show the file. */
export function Reveal({ path }: { path: string }) {
  const host = useAnswer('host.get', nothing, never);
  const reveal = useCommand('places.reveal');
  if (host.value?.kind !== 'desktop') return null;
  return (
    <Button
      look="quiet"
      size="small"
      className="approval-reveal"
      busy={reveal.busy}
      aria-label={t('revealOf', { name: visibleName(fileName(path)) })}
      onClick={() => void reveal.run({ path })}
    >
      {t('reveal')}
    </Button>
  );
}

export function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="approval-part">
      <h3>
        {title}
        {note === undefined ? null : <span className="quiet approval-note">{note}</span>}
      </h3>
      {children}
    </div>
  );
}

/** The values by their names. What has too many for that is shown as it is sent. */
function Values({
  name,
  parts,
  rows,
  single = false,
}: {
  name: string;
  parts: Approval['arguments'];
  rows: readonly ArgumentRow[] | undefined;
  single?: boolean;
}) {
  if (rows === undefined)
    return (
      <Whole name={name}>
        <Arguments parts={parts} single={single} />
      </Whole>
    );
  if (rows.length === 0) return <p className="quiet">{t('noValues')}</p>;
  return (
    <section aria-label={name}>
      <div className="approval-values">
        <dl>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text that does not change
            <div key={index} style={{ paddingInlineStart: `${row.depth * 16}px` }}>
              <dt>{row.name === null ? t('fieldsOf') : row.name === '' ? t('noName') : visibleText(row.name)}</dt>
              <dd>
                <Value value={row.value} single={single} />
              </dd>
            </div>
          ))}
        </dl>
        <EndMark />
      </div>
    </section>
  );
}

function Value({ value, single }: { value: ArgumentRow['value']; single: boolean }) {
  if (value === 'group') return null;
  if (value === 'empty') return <span className="quiet">{t('valueEmpty')}</span>;
  if ('payload' in value) return <Hole payload={value.payload} single={single} />;
  return visibleText(value.text.replaceAll('\r\n', '\n'), { keepLines: true });
}

/** Where content goes; `single`: there is only one, which needs no number. */
const Hole = ({ payload, single }: { payload: number; single: boolean }) => (
  <span className="approval-hole">{single ? t('contentBelow') : t('contentHere', { number: payload + 1 })}</span>
);

function Arguments({ parts, single }: { parts: Approval['arguments']; single: boolean }) {
  const pieces = useMemo(() => {
    const indented = indentJson(parts.map((part) => (typeof part === 'string' ? part : HOLE)).join(''));
    return (parts.length === 1 && typeof parts[0] === 'string' ? [indented] : indented.split(HOLE)).map(visibleJson);
  }, [parts]);
  const holes = parts.filter((part) => typeof part === 'number');
  return pieces.map((piece, index) => {
    const hole = holes[index];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change
      <Fragment key={index}>
        {piece}
        {hole === undefined ? null : <Hole payload={hole} single={single} />}
      </Fragment>
    );
  });
}

/** `number`: where there are several. */
function Content({
  approval,
  payload,
  index,
  number,
}: {
  approval: string;
  payload: ApprovalPayload;
  index: number;
  number: number | undefined;
}) {
  const { place, list, records, bytes, files } = payload;
  const title =
    number === undefined
      ? place === null
        ? t('contentOnlyMembers')
        : t('contentOnly', { place: visibleText(place) })
      : place === null
        ? t('contentMembers', { number })
        : t('content', { number, place: visibleText(place) });
  const counted = list ? `${t('recordCount', { count: records, shown: formatCount(records) })} · ` : '';
  const note = `${counted}${formatBytes(bytes)}`;
  return (
    <Part title={title} note={note}>
      <ul className="approval-files">
        {files.map(({ path, ...file }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be named twice
          <li key={at}>
            <PathText path={path} />{' '}
            <span className="quiet small">
              {formatBytes(file.bytes)}
              {list ? ` · ${t('recordCount', { count: file.records, shown: formatCount(file.records) })}` : ''}
            </span>{' '}
            <Reveal path={path} />
          </li>
        ))}
      </ul>
      {list && records > 1 ? (
        <Records approval={approval} payload={payload} index={index} title={title} />
      ) : (
        <Ends payload={payload} title={title} />
      )}
    </Part>
  );
}

function Ends({ payload: { list, first, last }, title }: { payload: ApprovalPayload; title: string }) {
  const [beginning] = first;
  if (beginning === undefined) return null;
  const shown = (json: string) => visibleJson(list ? indentJson(json) : json);
  return (
    <Whole name={title}>
      {shown(beginning)}
      {last.length === 0 ? null : (
        <>
          <span className="approval-gap">{t('leftOut')}</span>
          {last.map(shown)}
        </>
      )}
    </Whole>
  );
}

/** More than this are read more easily as text, which scrolls in one direction. */
const TABLE_COLUMNS = 12;

/** Records that one click shows. */
const PAGE = 50;

/** The first and the last records, and between them those that were asked for, which are neighbours. */
function Records({
  approval,
  payload: { records: total, first, last },
  index,
  title,
}: {
  approval: string;
  payload: ApprovalPayload;
  index: number;
  title: string;
}) {
  const read = useCommand('approvals.records');
  const [middle, setMiddle] = useState<{ from: number; records: readonly string[] }>({ from: first.length, records: [] });
  const end = total - last.length;
  const to = middle.from + middle.records.length;
  const show = async (wanted: number, below: number, join: (shown: readonly string[]) => readonly string[]) => {
    const from = Math.max(wanted, first.length);
    const shown = await read.run({ id: approval, payload: index, from, count: Math.min(PAGE, below - from) });
    if (shown) setMiddle({ from, records: join(shown) });
  };
  const before = () => show(middle.from - PAGE, middle.from, (shown) => [...shown, ...middle.records]);
  const next = async () => {
    const { from } = middle;
    const shown = await read.run({ id: approval, payload: index, from: to, count: Math.min(PAGE, end - to) });
    if (shown) setMiddle({ from, records: [...middle.records, ...shown] });
  };
  const gap = (count: number, more: () => Promise<void>, name: 'showBefore' | 'showNext') =>
    count === 0 ? undefined : (
      <>
        {t('between', { count, shown: formatCount(count) })}{' '}
        <Button size="small" busy={read.busy} onClick={() => void more()}>
          {count <= PAGE ? t('showAll') : t(name, { count: PAGE })}
        </Button>
      </>
    );
  // Without any shown, there is one gap.
  const shown: ShownRecords = {
    title,
    groups: [first, middle.records, last],
    gaps: [
      middle.records.length === 0 ? undefined : gap(middle.from - first.length, before, 'showBefore'),
      gap(end - to, next, 'showNext'),
    ],
  };
  return (
    <>
      {end - first.length > PAGE ? (
        <GoTo total={total} onGo={(place) => show(Math.min(place - 1, end - 1), end, (found) => found)} />
      ) : null}
      <RecordTable {...shown} />
      <Trouble error={read.error} />
    </>
  );
}

/** Shows the records from a certain one on. */
function GoTo({ total, onGo }: { total: number; onGo: (place: number) => Promise<void> }) {
  const [typed, setTyped] = useState('');
  const place = Number(typed);
  const known = Number.isInteger(place) && place >= 1 && place <= total;
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (known) void onGo(place);
  };
  return (
    <form className="approval-go" onSubmit={go}>
      <TextField
        label={t('goTo', { total: formatCount(total) })}
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" disabled={!known}>
        {t('go')}
      </Button>
    </form>
  );
}

interface ShownRecords {
  title: string;
  groups: readonly [first: readonly string[], middle: readonly string[], last: readonly string[]];
  /** What stands between the groups. */
  gaps: readonly [ReactNode, ReactNode];
}

function RecordTable({ title, groups, gaps }: ShownRecords) {
  const cells = groups.map((group) => group.map(recordCells));
  const all = cells.flat();
  const columns = recordColumns(null, all, t('value'));
  const fits = columns.length <= TABLE_COLUMNS && groups.flat().every(isWhole) && all.every(isShort);
  if (!fits) return <RecordTexts title={title} groups={groups} gaps={gaps} />;
  const ends = cells.findLastIndex((group) => group.length > 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="approval-table" tabIndex={0} role="group" aria-label={title}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, numeric }) => (
              <th key={name} scope="col" className={numeric ? 'number' : undefined}>
                {visibleText(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((rows, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: always three
            <Fragment key={at}>
              <Rows rows={rows} columns={columns} ends={at === ends} />
              {gaps[at] === undefined ? null : (
                <tr className="approval-gap">
                  <td colSpan={columns.length}>{gaps[at]}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Neither cut nor with two members of one name, of which a table has room for one only. */
function isWhole(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
    return (indentJson(json).match(MEMBER) ?? []).length === Object.keys(value).length;
  } catch {
    return false;
  }
}

/** The beginning of a member of the outermost object in indented JSON, whose strings have no line breaks. */
const MEMBER = /\n {2}"/g;

function isShort(record: RecordCells): boolean {
  const cells = record.kind === 'value' ? [record.cell] : [...record.cells.values()];
  return cells.every((cell) => cellText(cell, true).length <= CELL_CHARS);
}

function RecordTexts({ title, groups, gaps }: ShownRecords) {
  return (
    <Whole name={title}>
      {groups.map((records, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: always three
        <Fragment key={at}>
          {records.map((json) => `${visibleJson(indentJson(json))}\n`).join('')}
          {gaps[at] === undefined ? null : <span className="approval-gap">{gaps[at]}</span>}
        </Fragment>
      ))}
    </Whole>
  );
}

/** `ends`: nothing comes after these rows. */
function Rows({ rows, columns, ends }: { rows: readonly RecordCells[]; columns: readonly RecordColumn[]; ends: boolean }) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: records without identity, which do not change
    <tr key={index}>
      {columns.map((column, at) => (
        <td key={column.name} className={column.numeric ? 'number' : undefined}>
          <Cell cell={cellOf(row, column)} visible />
          {ends && index === rows.length - 1 && at === columns.length - 1 ? <EndMark /> : null}
        </td>
      ))}
    </tr>
  ));
}

// Each part ends with a mark, which counts as seen once it was visible.

/** Text that has been read when its end was visible. */
export function Whole({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="code-block approval-text" aria-label={name}>
      <pre>
        {children}
        <EndMark />
      </pre>
    </section>
  );
}

interface Watch {
  add(mark: string): void;
  drop(mark: string): void;
  see(mark: string): void;
}

const WatchContext = createContext<Watch>({ add: () => undefined, drop: () => undefined, see: () => undefined });

/** `onSeen` hears whether every mark inside has been visible. Give it a `key` for each question. */
export function Watched({ onSeen, children }: { onSeen: (all: boolean) => void; children: ReactNode }) {
  const [marks, setMarks] = useState<ReadonlyMap<string, boolean>>(new Map());
  const add = useCallback((mark: string) => setMarks((known) => (known.has(mark) ? known : new Map(known).set(mark, false))), []);
  const drop = useCallback((mark: string) => setMarks((known) => new Map([...known].filter(([each]) => each !== mark))), []);
  const see = useCallback((mark: string) => setMarks((known) => new Map(known).set(mark, true)), []);
  const watch = useMemo(() => ({ add, drop, see }), [add, drop, see]);
  const all = marks.size > 0 && [...marks.values()].every(Boolean);
  useEffect(() => onSeen(all), [all, onSeen]);
  return <WatchContext.Provider value={watch}>{children}</WatchContext.Provider>;
}

/** Stands behind the last line of what must be read, inside of what scrolls. */
export function EndMark() {
  const id = useId();
  const { add, drop, see } = useContext(WatchContext);
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    add(id);
    if (!mark.current) return;
    // Parts that scrolling ancestors cut off are not visible.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      see(id);
      observer.disconnect();
    });
    observer.observe(mark.current);
    return () => {
      observer.disconnect();
      drop(id);
    };
  }, [id, add, drop, see]);
  return <span ref={mark} className="end-mark" aria-hidden="true" />;
}
