/** A call as text, for clients that ask a person in their own way: everything that would be sent, or nothing at all. */
import type { ApprovalLoss, ApprovalPayload } from '../../shared/contract/approvals.ts';
import { formatBytes } from '../../shared/lib/bytes.ts';
import { visibleJson, visibleText } from '../../shared/lib/visible-text.ts';
import { inAgentsWords, say } from '../../shared/model/messages/message.ts';
import type { ApprovalRequest } from './deps.ts';
import { sentBeforeText } from './sent-before.ts';

/** Clients cut longer texts, or show them where nobody reads to the end. Characters. */
const LONGEST_TEXT = 20_000;
/** Length of the shown beginning and end of a record. Characters. */
const RECORD_CHARS = 1_000;

/** Undefined for a call whose text is too long to be shown whole. */
export function approvalText(request: ApprovalRequest): string | undefined {
  const { server, tool, target, folder, description, calls, payloads, sentBefore } = request;
  const lines = [
    `Call ${visibleText(server)}:${visibleText(tool)}?`,
    `Server: ${visibleText(target)}${folder === null ? '' : ` in ${visibleText(folder)}`}`,
    ...(description === null ? [] : ['What the server says about the tool:', ...marked(description)]),
    ...(request.loss === undefined ? [] : lossLines(request.loss)),
    `Arguments: ${argumentText(request)}`,
    ...(request.meta === undefined ? [] : [`Beside them, as _meta: ${visibleJson(request.meta)}`]),
    ...payloads.flatMap((payload, index) => contentLines(payload, index + 1)),
    ...sentBefore.map((before) => visibleText(sentBeforeText(before))),
    ...(request.keyArgument === undefined
      ? []
      : [visibleText(inAgentsWords(say('idempotency.eachCall', { argument: request.keyArgument })))]),
    ...(payloads.length === 0 ? [] : [`Calls: ${calls.exact ? '' : 'about '}${calls.count}`]),
  ];
  const text = lines.join('\n');
  return text.length > LONGEST_TEXT ? undefined : text;
}

/** Each line with a mark, so that none of them passes for one of ours. */
const marked = (text: string): string[] =>
  visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true })
    .split('\n')
    .map((line) => `> ${line}`);

function argumentText({ arguments: parts, payloads }: ApprovalRequest): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return visibleJson(part);
      return payloads[part]?.place === null ? `⟨members of content ${part + 1}⟩` : `⟨content ${part + 1}⟩`;
    })
    .join('');
}

function contentLines({ place, list, records, bytes, files, first, last }: ApprovalPayload, number: number): string[] {
  const where = place === null ? 'among the arguments' : `in ${visibleText(place)}`;
  const counted = list ? `${records} ${records === 1 ? 'record' : 'records'}, ` : '';
  return [
    `Content ${number} ${where}: ${counted}${formatBytes(bytes)}, from`,
    ...files.map((file) => `- ${visibleText(file.path)} (${formatBytes(file.bytes)}${list ? `, ${file.records} records` : ''})`),
    ...(first.length === 0 ? [] : [last.length > 0 ? 'First:' : 'All of it:']),
    ...first.map((json) => (last.length === 0 ? visibleJson(json) : shownEnds(json))),
    ...(last.length === 0 ? [] : ['Last:']),
    ...last.map(shownEnds),
  ];
}

function shownEnds(json: string): string {
  const text = visibleJson(json);
  const left = text.length - RECORD_CHARS;
  if (left <= 0) return text;
  return `${text.slice(0, RECORD_CHARS / 2)}… (${left} more characters) …${text.slice(-RECORD_CHARS / 2)}`;
}

const changeWords = {
  delete: 'Would delete for good, without the trash',
  trash: 'Would move to the trash',
  overwrite: 'Would replace the content of',
  edit: 'Would change the content of',
  move: 'Would move',
} as const;

function lossLines({ change, path, destination, kind, bytes, newBytes, beginning, whole, diff }: ApprovalLoss): string[] {
  const size = kind === 'file' ? formatBytes(bytes) : kind;
  const after = newBytes === null ? '' : `, then ${formatBytes(newBytes)}`;
  return [
    `${changeWords[change]}: ${visibleText(path)} (${size}${after})`,
    ...(destination === null ? [] : [`To: ${visibleText(destination)}`]),
    ...(diff === null ? [] : ['The change:', ...marked(diff)]),
    ...(diff !== null || beginning === null ? [] : [whole ? 'It holds:' : 'It begins:', ...marked(beginning)]),
  ];
}
