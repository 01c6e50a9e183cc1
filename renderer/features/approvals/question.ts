/** What is asked, in one line each: what becomes of which file, or who sends how much of what where. */
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { agentName } from '../../../shared/model/client-name.ts';
import { fileName, folderOf, formatBytes, formatCount } from '../../ui/format.ts';
import { t } from './approvals-texts.ts';
import { argumentRows } from './argument-rows.ts';

const nameOf = (path: string) => visibleName(fileName(path));

export const byAgent = (client: string | null) => (client === null ? t('anAgent') : visibleName(agentName(client)));

const acts = { delete: 'actDelete', trash: 'actTrash', overwrite: 'actReplace', edit: 'actEdit' } as const;

/** `Delete notes.txt for good?` */
export function changeTitle({ change, path, destination }: Pick<ApprovalLoss, 'change' | 'path' | 'destination'>): string {
  const name = nameOf(path);
  if (change !== 'move') return t(acts[change], { name });
  const to = destination ?? path;
  const names = { name, folder: nameOf(folderOf(to)), newName: nameOf(to) };
  if (folderOf(to) === folderOf(path)) return t('actRename', names);
  return t(fileName(to) === fileName(path) ? 'actMove' : 'actMoveAs', names);
}

const wants = {
  delete: 'wantsDelete',
  trash: 'wantsTrash',
  overwrite: 'wantsReplace',
  edit: 'wantsEdit',
  move: 'wantsMove',
} as const;
const things = { file: 'thisFile', directory: 'thisFolder', link: 'thisLink' } as const;

/** `Claude wants to replace this file in “Documents”. You can undo that for 30 days, on the Folders page.` */
export function changeSentence(client: string | null, { change, path, kind, undoable }: ApprovalLoss): string {
  const wish = t(wants[change], { client: byAgent(client), what: t(things[kind]), folder: nameOf(folderOf(path)) });
  return undoable ? `${wish} ${t(change === 'trash' ? 'fromTrash' : 'canUndo')}` : wish;
}

/** The word on the button that allows it. */
export function changeAction({ change, path, destination }: ApprovalLoss): string {
  if (change === 'move' && folderOf(destination ?? path) === folderOf(path)) return t('doRename');
  return t({ delete: 'doDelete', trash: 'doTrash', overwrite: 'doReplace', edit: 'doEdit', move: 'doMove' }[change] as 'doMove');
}

/** What the window says when a change that was allowed is over. */
export function changeFinished(loss: ApprovalLoss, ok: boolean): string {
  const name = nameOf(loss.path);
  return ok ? t(finished[loss.change], { name }) : t('notFinishedChange', { act: changeAction(loss), name });
}

const finished = {
  delete: 'finishedDelete',
  trash: 'finishedTrash',
  overwrite: 'finishedReplace',
  edit: 'finishedEdit',
  move: 'finishedMove',
} as const;

type Sending = Pick<Approval, 'client' | 'tool' | 'server' | 'bytes' | 'calls' | 'payloads' | 'arguments'>;

/** `Claude wants to send 2,500 records of people.csv to insert_rows on database.` */
export function sendingSentence({ client, tool, server, bytes, calls, payloads, arguments: args }: Sending): string {
  const often = calls.count === 1 ? '' : t(calls.exact ? 'inCalls' : 'inAboutCalls', { count: formatCount(calls.count) });
  const names = { client: byAgent(client), tool: visibleName(tool), server: visibleName(server), often };
  return payloads.length === 0
    ? t('using', { ...names, values: valuesOf(args, bytes) })
    : t('sending', { ...names, what: amount(payloads) });
}

/** More would be no sentence. */
const TOLD_VALUES = 2;
const TOLD_CHARS = 40;

/** `, with table = users`: the first values where they are short, else how much it is. */
function valuesOf(args: Sending['arguments'], bytes: number): string {
  const rows = argumentRows(args)?.filter(({ depth }) => depth === 0);
  if (rows?.length === 0) return '';
  const told = rows?.flatMap(({ name, value }) =>
    name !== null && typeof value === 'object' && 'text' in value && value.text.length <= TOLD_CHARS
      ? [t('valueOf', { name: visibleName(name), value: visibleName(value.text) })]
      : [],
  );
  if (rows === undefined || told === undefined || told.length < rows.length || told.length > TOLD_VALUES)
    return t('usingMuch', { size: formatBytes(bytes) });
  return t('usingValues', { values: told.join(', ') });
}

function amount(payloads: Sending['payloads']): string {
  const records = payloads.reduce((sum, payload) => sum + payload.records, 0);
  const size = payloads.reduce((sum, payload) => sum + payload.bytes, 0);
  const much = payloads.every(({ list }) => list)
    ? t('recordCount', { count: records, shown: formatCount(records) })
    : formatBytes(size);
  const paths = new Set(payloads.flatMap(({ files }) => files.map(({ path }) => path)));
  const [first] = paths;
  if (first === undefined) return much;
  return paths.size === 1
    ? t('ofFile', { much, file: nameOf(first) })
    : t('ofFiles', { much, count: paths.size, shown: formatCount(paths.size) });
}
