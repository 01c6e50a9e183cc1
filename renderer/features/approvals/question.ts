/** What is asked, in one line each: what becomes of which file, or who sends how much of what where. */
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { agentName } from '../../../shared/model/client-name.ts';
import { fileName, folderOf, formatBytes, formatCount } from '../../ui/format.ts';
import { t } from './approvals-texts.ts';

const nameOf = (path: string) => visibleName(fileName(path));

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

/** Whether content is lost that neither the trash nor the question keeps. */
export const isFinal = ({ change }: Pick<ApprovalLoss, 'change'>): boolean => change === 'delete' || change === 'overwrite';

type Sending = Pick<Approval, 'client' | 'tool' | 'server' | 'bytes' | 'calls' | 'payloads'>;

/** `Claude wants to send 2,500 records of people.csv to insert_rows on database.` */
export function sendingSentence({ client, tool, server, bytes, calls, payloads }: Sending): string {
  const often = calls.count === 1 ? '' : t(calls.exact ? 'inCalls' : 'inAboutCalls', { count: formatCount(calls.count) });
  return t('sending', {
    client: client === null ? t('anAgent') : visibleName(agentName(client)),
    what: amount(payloads, bytes),
    tool: visibleName(tool),
    server: visibleName(server),
    often,
  });
}

function amount(payloads: Sending['payloads'], bytes: number): string {
  if (payloads.length === 0) return formatBytes(bytes);
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
