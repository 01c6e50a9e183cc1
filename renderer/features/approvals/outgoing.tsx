/** Everything that would be sent: the arguments in full, and of each file where it goes, its size, its first and its last records. */
import { Fragment, type ReactNode, useMemo } from 'react';
import type { Approval, ApprovalPayload } from '../../../shared/contract/approvals.ts';
import { visibleJson, visibleText } from '../../../shared/lib/visible-text.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { indentJson } from '../../ui/json-text.ts';
import { t } from './approvals-texts.ts';
import { Records } from './record-table.tsx';
import { Scrolling } from './scrolling.tsx';

/** Stands for a payload while the text around it is indented; no JSON text holds it. */
const HOLE = '\u0000';

export function Outgoing({ approval }: { approval: Approval }) {
  return (
    <>
      <Part title={t('arguments')}>
        <Scrolling name={t('arguments')}>
          <Arguments parts={approval.arguments} />
        </Scrolling>
        {approval.keyArgument === undefined ? null : (
          <p className="quiet small">
            {t('keyEachCall', { count: formatCount(approval.calls.count), argument: visibleText(approval.keyArgument) })}
          </p>
        )}
      </Part>
      {approval.meta === undefined ? null : (
        <Part title={t('meta')}>
          <Scrolling name={t('meta')}>{visibleJson(indentJson(approval.meta))}</Scrolling>
        </Part>
      )}
      {approval.payloads.map((payload, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the payloads of a question do not change
        <Content key={index} payload={payload} number={index + 1} />
      ))}
    </>
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

function Arguments({ parts }: { parts: Approval['arguments'] }) {
  const pieces = useMemo(() => {
    const indented = indentJson(parts.map((part) => (typeof part === 'string' ? part : HOLE)).join(''));
    return (parts.length === 1 ? [indented] : indented.split(HOLE)).map(visibleJson);
  }, [parts]);
  const holes = parts.filter((part) => typeof part === 'number');
  return pieces.map((piece, index) => {
    const hole = holes[index];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change
      <Fragment key={index}>
        {piece}
        {hole === undefined ? null : <span className="approval-hole">{t('contentHere', { number: hole + 1 })}</span>}
      </Fragment>
    );
  });
}

function Content({ payload, number }: { payload: ApprovalPayload; number: number }) {
  const { place, list, records, bytes, files } = payload;
  const title = place === null ? t('contentMembers', { number }) : t('content', { number, place: visibleText(place) });
  const counted = list ? `${t('recordCount', { count: records, shown: formatCount(records) })} · ` : '';
  const note = `${counted}${t('asJson', { size: formatBytes(bytes) })}`;
  return (
    <Part title={title} note={note}>
      <ul className="approval-files">
        {files.map(({ path, ...file }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be named twice
          <li key={index}>
            <span className="path">{visibleText(path)}</span>{' '}
            <span className="quiet small">
              {formatBytes(file.bytes)}
              {list ? ` · ${t('recordCount', { count: file.records, shown: formatCount(file.records) })}` : ''}
            </span>
          </li>
        ))}
      </ul>
      <Ends payload={payload} title={title} />
    </Part>
  );
}

function Ends({ payload: { list, records, first, last }, title }: { payload: ApprovalPayload; title: string }) {
  if (list && records > 1) return <Records title={title} first={first} last={last} records={records} />;
  const [beginning] = first;
  if (beginning === undefined) return null;
  const shown = (json: string) => visibleJson(list ? indentJson(json) : json);
  return (
    <Scrolling name={title}>
      {shown(beginning)}
      {last.length === 0 ? null : (
        <>
          <span className="approval-gap">{t('leftOut')}</span>
          {last.map(shown)}
        </>
      )}
    </Scrolling>
  );
}
