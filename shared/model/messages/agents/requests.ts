/** Requests that cannot be carried out as they are: what was asked for, batches, receipts, jobs, stored answers. */
import { formatBytes } from '../../../lib/bytes.ts';

export interface Id {
  id: string;
}

export const requests = {
  'request.twoPaths': 'path and file_path are two names of one parameter, but were given different values',
  'request.twoPaths.hint': 'Give path only',
  'request.noFile': 'No file was named',
  'request.pathAndFiles': 'path and files were both given',
  'request.pathOrFiles': 'Give path for one file or a list of files, or files for several places, but not both',
  'request.keyInFiles': 'data_key belongs into each entry of files',
  'request.keyInFiles.hint': 'Move data_key into files[…], or use path',
  'request.notJoined': ({ path, kind }: { path: string; kind: string }) => `Only lists can be joined, but '${path}' is a ${kind}`,
  'request.notJoined.hint': 'Set combine: "list" to pass the files as a list of values, or use files with a data_key each',
  'request.noTemplate': "output_format 'custom' needs a template",
  'request.noTemplate.hint': 'Give template, for example "{{meta.records}} rows: {{text}}"',
  'request.templateUnused': ({ format }: { format: string }) =>
    `template is only used with output_format 'custom', not '${format}'`,
  'request.templateUnused.hint': "Leave template out or set output_format to 'custom'",
  'request.noServer': 'server must be the name of one that is configured',
  'request.noServer.hint': 'list_upstream_tools names them',
  'request.otherArguments': 'The other arguments are not a JSON object',
  'request.otherArguments.hint': 'Write them like {"table": "users"}, or leave them out',
  'request.agentCannot': ({ refusal }: { refusal: string }) => `An agent cannot make this call: ${refusal}`,
  paused: 'Filebridge is paused by the user',
  'paused.hint': 'Ask the user to resume it in the Filebridge app, then call again',
  'preview.closed': 'This preview is no longer open',
  'preview.closed.hint': 'Open the file again',

  'approval.nobodyAnswered': ({ name, seconds }: { name: string; seconds: number }) =>
    `The call of ${name} needs a confirmation, and nobody answered within ${spell(seconds)} in the Filebridge app`,
  'approval.nobodyAnswered.hint': 'Ask the user to look at the Filebridge app, then call again',
  'approval.personOnly': ({ name }: { name: string }) =>
    `The call of ${name} needs a confirmation, which only a person in the Filebridge app may give`,
  'approval.personOnly.hint': ({ confirm, silence }: { confirm: string; silence: string | null }) =>
    `Start the Filebridge app or 'filebridge console' and call again. "approvals": {"throughClient": "${confirm}"} in the configuration would let the client ask, and answer, instead${silence === null ? '' : `; or ${silence}`}`,
  'approval.nobody': ({ name }: { name: string }) => `The call of ${name} needs a confirmation, and there is nobody to ask`,
  'approval.nobody.hint': ({ silence }: { silence: string }) =>
    `Connect the client to the Filebridge app by its address, use a client that supports elicitation, or ${silence}`,
  'approval.tooLong': ({ name }: { name: string }) =>
    `The call of ${name} needs a confirmation, and what it would send is too long to be shown whole by the client`,
  'approval.tooLong.hint':
    'Ask the user to open the Filebridge window and to approve the call there, then call again; or put long arguments into a file',
  'approval.unreadable': ({ name, bytes }: { name: string; bytes: number }) =>
    `The call of ${name} needs an approval, and its arguments exceed ${formatBytes(bytes)}, more than a person can be asked to read`,
  'approval.unreadable.newFile': 'Write a new file beside it instead',
  'approval.unreadable.asFile': 'Put the long content into a file and pass its path, with call_tool_with_file_content',
  'approval.silence.server': ({ server }: { server: string }) => `set "confirm": "never" for server '${server}'`,
  'approval.silence.folder': ({ folder, change }: { folder: string; change: string }) =>
    `have the user set "approve": {"${change}": false} for the folder '${folder}' in the configuration`,
  'approval.refused': ({ name }: { name: string }) => `The call of ${name} was refused by the user`,
  'approval.refused.hint': 'Ask the user what they want instead of trying again',
  'approval.fileChanged': ({ path }: { path: string | null }) =>
    `${path === null ? 'A file of the call' : `File '${path}'`} changed while the call waited for its approval. Nothing was sent`,
  'approval.fileChanged.hint': 'Make the call again, so that the user is asked about the file as it is now',

  'batch.startPastEnd': ({ start, records }: { start: number; records: number }) =>
    `batch.start ${start} is past the end: the payload has ${records} records`,
  'batch.rangesAndStart': 'batch.ranges and batch.start exclude each other',
  'batch.rangesOrder': ({ first, last }: { first: number; last: number }) =>
    `batch.ranges are not in ascending order at [${first}, ${last}]`,
  'batch.rangesPastEnd': ({ last, records }: { last: number; records: number }) =>
    `batch.ranges end at record ${last}, but the payload has ${records} records`,
  'batch.ranges.hint': 'Each range is [first, last], both included, counted from 0, in ascending order, as a receipt lists them',
  'receipt.resumeAlone': 'batch.resume excludes batch.start and batch.ranges',
  'receipt.resumeAlone.hint': 'The receipt says which records are left',
  'receipt.unknown': ({ id }: Id) => `This client has no receipt with the id '${id}'`,
  'receipt.unknown.hint': 'Give the id as the receipt of the batched call has it',
  'receipt.otherTool': ({ id, its, given }: Id & { its: string; given: string }) =>
    `Receipt '${id}' is for ${its}, not for ${given}`,
  'receipt.otherContent': ({ id, given, its }: Id & { given: string; its: string }) =>
    `The file has not the content of receipt '${id}': its sha256 is ${given}, that of the receipt ${its}`,
  'receipt.otherCall': ({ id }: Id) =>
    `The call differs from that of receipt '${id}' in its arguments or in how the file is converted`,
  'receipt.movedOn': ({ id }: Id) => `Receipt '${id}' was resumed by another call meanwhile`,
  'receipt.movedOn.hint': 'Make the call again: the receipt says what is left',

  'job.unknown': ({ id }: Id) => `No background job has the id '${id}'`,
  'job.unknown.none': 'This client has started no job, and has no receipt of that id',
  'job.unknown.known': ({ known }: { known: readonly string[] }) => `Known jobs: ${known.join(', ')}`,
  'job.running': ({ id }: Id) => `The job '${id}' is still under way`,
  'job.running.hint': 'Wait until it has ended, or end it with cancel_job',
  'job.many': ({ most }: { most: number }) => `This client has ${most} background jobs under way, which is the limit`,
  'job.many.hint': 'Wait until one is done, or end one with cancel_job',
  'job.follow': ({ id }: Id) => `Follow it with job_status {"job_id": "${id}"}`,
  'calls.many': ({ most }: { most: number }) => `This client has ${most} calls under way, which is the limit`,
  'calls.many.hint': 'Nothing was sent. Wait for answers, then call again',
  'calls.waiting': ({ ofClient, inAll }: { ofClient: number; inAll: number }) =>
    `Waiting for other file calls to end: ${ofClient} of this client and ${inAll} in all are under way`,

  'list.starting': ({ server, seconds }: { server: string; seconds: number }) =>
    `Server '${server}' is still starting after ${seconds} s`,
  'list.starting.hint': 'Ask again in a moment; the other servers can be used meanwhile',
  'list.noServers': 'No servers are configured. Add one to "upstreams" in the configuration or start with --upstreams FILE',
  'list.nothingFound': ({ query, offered }: { query: string; offered: number }) =>
    `No tool has all words of ${JSON.stringify(query)}. Without query ${offered === 1 ? 'the one tool' : `all ${offered} tools`} are listed`,
  'list.noFolders': 'No folders are allowed yet. The user adds them in Filebridge or on its command line',

  'answer.notStored': ({ reason }: { reason: string }) => `The answer could not be stored as asked: ${reason}`,
  'answer.overLimit': ({ tokens, limit }: { tokens: number; limit: number }) =>
    `The answer of ${tokens.toLocaleString('en')} tokens is over the limit of ${limit.toLocaleString('en')} (responses.spillOverTokens), so it was stored:`,
  'answer.notATable': ({ format, wished }: { format: string; wished: string }) =>
    `The answer is not a list of records, so it was stored as ${format}, not ${wished}`,
  'answer.notWritten': ({ extension, format, known }: { extension: string; format: string; known: readonly string[] }) =>
    `Answers are not written as ${extension}, so this one was stored as ${format}; there are ${known.join(', ')}`,
  'answer.templateHoles': ({ holes }: { holes: readonly string[] }) => `The answer has nothing at ${holes.join(', ')}`,
  'answer.noReason': 'the server gave no reason',
  'answer.failed': ({ tool, reason }: { tool: string; reason: string }) => `Upstream tool '${tool}' failed: ${reason}`,
  'resource.tooLarge': ({ bytes, most }: { bytes: number; most: number }) =>
    `The resource is ${bytes} bytes; resources are read up to ${most}`,
  'resource.tooLarge.hint': 'Read it from its path in parts instead',
  'resource.unknown': ({ uri }: { uri: string }) => `Resource '${uri}' does not exist`,
  'resource.unknown.hint': 'resources/list names the answers that this client has stored; files are read by the file tools',
  'sent.before': ({
    path,
    earlierPath,
    time,
    receipt,
  }: {
    path: string;
    earlierPath: string | null;
    time: string;
    receipt: string | null;
  }) =>
    `The content of '${path}' was sent to this tool before${earlierPath === null ? '' : ` as '${earlierPath}'`}: ${time}, ${receipt === null ? 'by another client' : `receipt ${receipt}`}.`,
};

/** "90 seconds", "2 minutes". */
function spell(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
