/** Calls: requests, batches, receipts, jobs, approvals, and answers. */
import { formatBytes } from '../../../lib/bytes.ts';
import { contents, counted, type InCompanion, inOptions } from '../phrases.ts';

export interface Id {
  id: string;
}

/** "90 seconds", "2 minutes". */
function spell(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export interface PartlySent {
  path: string;
  accepted: number;
  total: number;
  unknown: number;
  /** `changed` since; `among` others, in a call with more files. */
  file: 'same' | 'changed' | 'among';
}

/** `ranges`: what is left of it, where nothing of this file has been sent. */
export interface UnfinishedOther extends Id {
  path: string;
  accepted: number;
  total: number;
  ranges: readonly (readonly [number, number])[] | null;
}

const changes: Readonly<Record<string, string>> = { delete: 'deleted', overwrite: 'overwritten', move: 'moved' };

export const calls = {
  'request.twoPaths': 'path and file_path are two names of one parameter, but were given different values',
  'request.twoPaths.hint': 'Give path only',
  'request.noFile': 'No file was named',
  'request.pathAndFiles': 'path and files were both given',
  'request.pathOrFiles': 'Give path for one file or a list of files, or files for several places, but not both',
  'request.keyInFiles': 'data_key belongs into each entry of files',
  'request.keyInFiles.hint': 'Move data_key into files[…], or use path',
  'request.notJoined': ({ path, kind }: { path: string; kind: string }) => `Only lists can be joined, but '${path}' is a ${kind}`,
  'request.notJoined.hint': 'Set combine: "list" to pass the files as a list of values, or use files with a data_key each',
  'request.recordsUnused': 'records says what of an answer is stored, and this one is not stored',
  'request.recordsUnused.hint': 'Give filename, storage_path or response_format, or call call_tool_and_store',
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

  'batch.noList': ({ kind }: { kind: keyof typeof contents }) =>
    `batch needs a list of records, but the file gives ${contents[kind]}`,
  'batch.noList.hint': ({ options }: InCompanion) =>
    `Leave batch out; or leave as out, or make an expression give a list ([…])${inOptions(options)}`,
  'batch.eachAndSize': 'batch.each makes a call per record, so batch.size and batch.max_bytes do not apply',
  'batch.eachAndSize.hint': ({ options }: InCompanion) => `Leave out one or the other${inOptions(options)}`,
  'batch.inRecord': ({ error, record }: { error: string; record: number }) => `Record ${record}: ${error}`,
  'batch.size': ({ size, most }: { size: number; most: number }) =>
    `batch.size ${size} is more than the ${most} records the tool takes in one call`,
  'batch.size.hint': ({ most, options }: InCompanion & { most: number }) =>
    `Use batch: "auto" or a size up to ${most}${inOptions(options)}`,
  'batch.onePlace': 'batch works on one list at one place in the arguments',
  'batch.onePlace.hint': ({ options }: InCompanion) =>
    options === undefined
      ? 'Use path with data_key instead of files, or leave batch out'
      : `Give one list as a file and nothing else, or leave batch out${inOptions(options)}`,
  'batch.sameCall': ({ options }: InCompanion) => `Make the same call as before, with batch.resume${inOptions(options)}`,
  'batch.sameArguments': ({ options }: InCompanion) =>
    `Make the same call as before (tool_args, data_key, transform and so on), with batch.resume${inOptions(options)}`,
  'batch.sameFile': ({ options }: InCompanion) =>
    `Resume with the file as it was, or send the changed one as a new call, with batch.ranges where some records are there already${inOptions(options)}`,
  'batch.startPastEnd': ({ start, records }: { start: number; records: number }) =>
    `batch.start ${start} is past the end: the payload has ${records} records`,
  'batch.rangesAndStart': 'batch.ranges and batch.start exclude each other',
  'batch.rangesOrder': ({ first, last }: { first: number; last: number }) =>
    `batch.ranges are not in ascending order at [${first}, ${last}]`,
  'batch.rangesPastEnd': ({ last, records }: { last: number; records: number }) =>
    `batch.ranges end at record ${last}, but the payload has ${records} records`,
  'batch.ranges.hint': 'Each range is [first, last], both included, counted from 0, in ascending order, as a receipt lists them',

  'receipt.running': ({ id }: { id: string }) => `The call of receipt '${id}' is still under way`,
  'receipt.running.hint': ({ id }: { id: string }) =>
    `Wait until it has ended, or end it with cancel_job; follow it with job_status {"job_id": "${id}"}`,
  'receipt.resendAlone': 'batch.resend_unknown goes with batch.resume, and without it would send all records',
  'receipt.resumeAlone': 'batch.resume excludes batch.start, batch.ranges and batch.again',
  'receipt.partlySent': ({ path, accepted, total, unknown, file }: PartlySent) =>
    `Nothing was sent: of '${path}'${{ same: '', changed: ', as it was before it changed', among: ' and the files that it was sent with' }[file]}, ${accepted} of ${total} records were accepted by this tool before${unknown === 0 ? '' : `, and ${unknown} are unknown`}`,
  'receipt.partlySent.hint': ({ id, unknown }: Id & { unknown: number }) =>
    `batch: {"resume": "${id}"} sends the rest${unknown === 0 ? '' : ' without the unknown ones'}; batch: {"again": true} sends all`,
  'receipt.partlySent.otherwise': ({ id }: Id) =>
    `It was converted or placed otherwise then: that call again with batch: {"resume": "${id}"} sends the rest; batch: {"again": true} sends all as it is now`,
  'receipt.partlySent.changed': ({
    ranges,
    unknown,
  }: {
    ranges: readonly (readonly [number, number])[] | null;
    unknown: number;
  }) =>
    ranges === null
      ? 'It had another number of records then: look on the server for those that arrived, and send the others with batch: {"ranges": […]}; batch: {"again": true} sends all'
      : `batch: {"ranges": ${JSON.stringify(ranges)}} sends the records that are left${unknown === 0 ? '' : ', without the unknown ones,'} as they are in the file now; batch: {"again": true} sends all`,
  'receipt.unfinishedOther': ({ path, accepted, total, id, ranges }: UnfinishedOther) =>
    `A call with the same arguments stopped before: ${accepted} of ${total} records of '${path}' were accepted (receipt ${id}); if this file holds them too, ${ranges === null ? 'they are there twice now' : `batch: {"ranges": ${JSON.stringify(ranges)}} sends those that are left`}`,
  'receipt.madeBefore': ({ path, time, id }: Id & { path: string; time: string }) =>
    `Nothing was sent: the same call with '${path}' was made before (${time}, receipt ${id}) and still runs, or nobody heard what became of it`,
  'receipt.madeBefore.hint': 'Check on the server whether it was carried out; batch: {"again": true} makes it once more',
  'receipt.stillSending': ({ path }: { path: string }) => `Nothing was sent: another call is sending '${path}' to this tool`,
  'receipt.stillSending.hint': ({ id }: Id) =>
    `Follow it with job_status {"job_id": "${id}"}; batch: {"again": true} sends all once more`,
  'receipt.resumeAlone.hint': 'The receipt says which records are left',
  'receipt.unknown': ({ id }: Id) => `This client has no receipt with the id '${id}'`,
  'receipt.unknown.hint': 'Give the id as the receipt of the batched call has it',
  'receipt.otherTool': ({ id, its, given }: Id & { its: string; given: string }) =>
    `Receipt '${id}' is for ${its}, not for ${given}`,
  'receipt.otherContent': ({ id, given, its }: Id & { given: string; its: string }) =>
    `The file has not the content of receipt '${id}': its sha256 is ${given}, that of the receipt ${its}`,
  'receipt.otherCall': ({ id, inArguments }: Id & { inArguments: boolean }) =>
    `The call differs from that of receipt '${id}' ${inArguments ? 'in tool_args' : 'in how the file is converted, or where it goes'}`,
  'receipt.movedOn': ({ id }: Id) => `Receipt '${id}' was resumed by another call meanwhile`,
  'receipt.movedOn.hint': 'Make the call again: the receipt says what is left',

  'job.notRunning': ({ id }: { id: string }) => `No job '${id}' is running: its call has ended`,
  'job.notRunning.hint': 'job_status shows what it came to',
  'job.unknown': ({ id }: Id) => `No background job has the id '${id}'`,
  'job.unknown.none': 'This client has started no job, and has no receipt of that id',
  'job.unknown.known': ({ known }: { known: readonly string[] }) => `Known jobs: ${known.join(', ')}`,
  'job.running': ({ id }: Id) => `The job '${id}' is still under way`,
  'job.running.hint': 'Wait until it has ended, or end it with cancel_job',
  'job.many': ({ most }: { most: number }) => `This client has ${most} background jobs under way, which is the limit`,
  'job.many.hint': 'Wait until one is done, or end one with cancel_job',
  'job.follow': ({ id }: Id) => `Follow it with job_status {"job_id": "${id}"}`,

  'call.mayHaveRun': ({ repeat, hint }: { repeat: string | null; hint: string | null }) =>
    ['The call may have been carried out: check before calling again', repeat, hint].filter((part) => part !== null).join('. '),
  'call.cancelled': 'The call was cancelled',
  'call.cancelledByPerson': 'The user cancelled this call in Filebridge',
  'call.cancelledByPerson.hint': 'Do not repeat it unless they ask for it',
  'call.nothingLeft': 'Nothing is left to send of this call',
  'call.cancelledOf': ({ tool }: { tool: string }) => `The call of '${tool}' was cancelled`,

  'calls.many': ({ most }: { most: number }) => `This client has ${most} calls under way, which is the limit`,
  'calls.many.hint': 'Nothing was sent. Wait for answers, then call again',
  'calls.waiting': ({ ofClient, inAll }: { ofClient: number; inAll: number }) =>
    `Waiting for other file calls to end: ${ofClient} of this client and ${inAll} in all are under way`,

  'approval.longOnes': 'The call needs an approval, and others with long arguments wait for one already',
  'approval.longOnes.hint': 'Wait for the answers to those, then call again, or put long arguments into a file',
  'approval.many': ({ open, of }: { open: number; of: 'all' | 'client' }) =>
    `The call needs an approval, and ${open} calls of ${of === 'all' ? 'all clients' : 'this client'} wait for one already`,
  'approval.many.hint':
    'Wait for the answers to those, then call again. Send many records with one batched call, which is asked about once. The bound is limits.maxOpenApprovals',
  'approval.notThroughWindow': ({ name }: { name: string }) =>
    `The call of ${name} needs a confirmation, which only the person at the open Filebridge window may give, and this connection does not go through it`,
  'approval.notThroughWindow.hint':
    'Ask the user to connect this client again while the window is open, by its address or with the same settings as the window’s',
  'approval.toolChanged': ({ server, tool }: { server: string; tool: string }) =>
    `Server '${server}' or its tool '${tool}' changed while the call waited for its approval. Nothing was sent`,
  'approval.toolChanged.hint': 'Make the call again, so that the user is asked about it as it is now',
  'approval.waiting': 'Waiting for the user to allow the call',
  'approval.noCompletions': 'Completions need an approval here, and nobody is asked for each of them',
  'approval.closed': 'This question is no longer open',
  'approval.answering': 'It is being answered already',
  'approval.over': 'The call was cancelled, or nobody answered in time',
  'approval.onceOnly': 'A change to files is allowed for this once',
  'approval.onceOnly.hint': 'The Folders page says what needs an approval in each folder',
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
  'approval.silence.server': ({ server }: { server: string }) =>
    `have the user choose “Never” at “Ask me before a call” for server '${server}' on the Servers page of Filebridge`,
  'approval.silence.folder': ({ folder, change }: { folder: string; change: string }) =>
    `have the user switch off the question before files are ${changes[change] ?? change} in the folder '${folder}', on the Folders page of Filebridge`,
  'approval.refused': ({ name }: { name: string }) => `The call of ${name} was refused by the user`,
  'approval.refused.hint': 'Ask the user what they want instead of trying again',
  'approval.fileChanged': ({ path }: { path: string | null }) =>
    `${path === null ? 'A file of the call' : `File '${path}'`} changed while the call waited for its approval. Nothing was sent`,
  'approval.fileChanged.hint': 'Make the call again, so that the user is asked about the file as it is now',

  'message.tooLarge.hint': ({ instead, server }: { instead: string; server: string }) =>
    `${instead}; if the server takes more, the user can raise maxMessageBytes of '${server}' in Filebridge`,
  'message.callTooLarge': ({ bytes, server, allowed }: { bytes: number; server: string; allowed: number }) =>
    `The call would be ${formatBytes(bytes)}, but server '${server}' takes messages of at most ${formatBytes(allowed)}`,
  'message.sentTooLarge': ({ bytes, server, allowed }: { bytes: number; server: string; allowed: number }) =>
    `The call's message of ${formatBytes(bytes)} exceeds the ${formatBytes(allowed)} that server '${server}' accepts`,
  'message.recordTooLarge': ({
    record,
    bytes,
    server,
    line,
  }: {
    record: number;
    bytes: number;
    server: string;
    line?: number | undefined;
  }) =>
    `Record ${record} is ${formatBytes(bytes)}, more than one message to server '${server}' may hold${line === undefined ? '' : `, at line ${line}`}`,
  'message.sendLess': ({ options }: InCompanion) =>
    `Send less in one call: a list can go in several, by call_tool_with_file_content with batch: "auto"${inOptions(options)}`,
  'message.fewerFiles': ({ options }: InCompanion) =>
    `Send the files in several calls, or less of each with transform (where, select, limit)${inOptions(options)}`,
  'message.batch': ({ options }: InCompanion) =>
    `Set batch: "auto" to send it in several calls, or send less of it with transform (where, select, limit)${inOptions(options)}`,
  'message.expression': ({ options }: InCompanion) =>
    `Send only what is needed of it, with an expression in transform${inOptions(options)}`,
  'message.wholeText': 'A text goes into one call whole: split the file, and make a call for each part',
  'message.smallerRecord': ({ options }: InCompanion) =>
    `Leave parts of the records out with transform (select or expression), or the record itself with where, offset or limit${inOptions(options)}`,

  'idempotency.repeat': ({ argument, key }: { argument: string; key: string }) =>
    `To call again so that the server can recognize the repetition, set ${argument} in tool_args to ${key}`,
  'idempotency.added': ({ argument }: { argument: string }) =>
    `Each call gets a key in ${argument}, so that the server can recognize a repetition`,
  'idempotency.eachCall': ({ argument }: { argument: string }) =>
    `Each call has another key in ${argument}, so that the server can recognize a repetition`,

  'sending.lineBreak': 'The arguments contain a raw line break and cannot be sent',
  'sending.fileChanged': 'The file changed while it was being sent',
  'sending.fileChanged.hint': 'Nothing was accepted by the server. Make the call again',

  'answer.notStored': ({ reason }: { reason: string }) => `The answer could not be stored as asked: ${reason}`,
  'answer.overLimit': ({ tokens, limit }: { tokens: number; limit: number }) =>
    `The answer of ${tokens.toLocaleString('en')} tokens is over the limit of ${limit.toLocaleString('en')} (responses.spillOverTokens), so it was stored:`,
  'answer.notATable': ({
    format,
    wished,
    file,
    lists,
    records,
  }: {
    format: string;
    wished: string;
    file: string;
    /** Empty: the answer itself. */
    lists: readonly string[];
    /** The place that was asked for. */
    records: string | undefined;
  }) => {
    const none = lists.length === 0 ? 'The answer has no list of records' : 'The answer has several lists';
    const why =
      records === undefined ? none : `The answer has no list at "${records}"${lists.length === 0 ? ', nor elsewhere' : ''}`;
    const stored =
      format === wished ? `so all of it was stored: ${file}` : `so it was stored as ${format}, not ${wished}: ${file}`;
    const known = lists.includes('')
      ? '; it is a list itself, so leave out records'
      : `; choose one with ${lists.map((list) => `records: "${list}"`).join(' or ')}`;
    return `${why}, ${stored}${lists.length === 0 ? '' : known}`;
  },
  'answer.leftOut': ({ lists, file }: { lists: readonly string[]; file: string }) =>
    `${file} does not have the shorter ${lists.length === 1 ? 'list' : 'lists'} at ${lists.join(', ')}; records: "${lists[0]}" stores that one`,
  'answer.serverSaid': ({ reason }: { reason: string }) => `The server said: ${reason}`,
  'answer.doubtful': ({ batches, words }: { batches: number; words: string }) =>
    `The server answered ${batches === 1 ? '' : `${batches} times `}without an error, but tells of failures: ${words}`,
  'answer.moreRecords': ({ records, more }: { records: number; more: readonly string[] }) =>
    `The answer is a page of a longer list: ${counted(records, 'record is', 'records are')} in the file; the server says ${more.join(', ')}`,
  'preview.rowsLeftOut': ({ left, limit }: { left: number; limit: number }) =>
    `${counted(left, 'row that was asked for has', 'rows that were asked for have')} no room in ${limit} tokens; transform: {"offset": …} shows others`,
  'answer.readRecords': ({ list }: { list: string | undefined }) =>
    list === undefined
      ? 'Read its records with preview_file, some of them with transform'
      : `Read its records with preview_file and transform: {"expression": ${JSON.stringify(list)}}`,
  'answer.readText': 'Read on with read_text_file',
  'answer.notWritten': ({ extension, format, known }: { extension: string; format: string; known: readonly string[] }) =>
    `Answers are not written as ${extension}, so this one was stored as ${format}; there are ${known.join(', ')}`,
  'answer.blocksLeftOut': ({ format, blocks }: { format: string; blocks: readonly string[] }) =>
    `output_format ${format} is text alone and leaves out ${blocks.join(', ')}: output_format "raw" gives all, call_tool_and_store stores files`,
  'answer.shownBeside': ({ index }: { index: number }) => `see picture or sound ${index} beside this JSON`,
  'answer.notNamed': ({ filename, files }: { filename: string; files: readonly string[] }) =>
    `No file of this answer has the name ${filename}, because none is of that kind or the name is taken: see ${files.join(', ')}`,
  'answer.templateHoles': ({ holes }: { holes: readonly string[] }) => `The answer has nothing at ${holes.join(', ')}`,
  'answer.noReason': 'the server gave no reason',
  'answer.failed': ({ tool, reason }: { tool: string; reason: string }) => `Upstream tool '${tool}' failed: ${reason}`,
  'answer.notObject': ({ tool }: { tool: string }) => `Upstream tool '${tool}' failed: its answer is not an object`,
  'answer.nested': ({ tool, levels }: { tool: string; levels: number }) =>
    `Upstream tool '${tool}' failed: its answer is nested over ${levels} levels deep`,
  'answer.nested.hint': 'No client could read such an answer. Ask the tool for less',
  'answer.notJsonRpc': ({ bytes, reason }: { bytes: number; reason: string }) =>
    `The server's answer of ${formatBytes(bytes)} is no valid JSON-RPC: ${reason}`,
  'answer.notJsonRpc.hint': 'No part of the answer can be read',
  'answer.overSize': ({ most }: { most: number }) =>
    `The server sent more than the ${formatBytes(most)} that are taken of one answer (limits.maxAnswerBytes)`,
  'answer.overSize.hint': 'Ask the tool for less at once, or ask the user to raise limits.maxAnswerBytes',
  'answer.overMemory': ({ bytes }: { bytes: number }) =>
    `The server's answer of ${formatBytes(bytes)} has too many values for the memory of Filebridge`,
  'answer.overMemory.hint': 'Ask the tool for less at once',

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

  'list.starting': ({ server, seconds }: { server: string; seconds: number }) =>
    `Server '${server}' is still starting after ${seconds} s`,
  'list.starting.hint': 'Ask again in a moment; the other servers can be used meanwhile',
  'list.noServers':
    'No servers are set up. Ask the user to add one on the Servers page of Filebridge, or to start it with --upstreams FILE',
  'list.nothingFound': ({ query, offered }: { query: string; offered: number }) =>
    `No tool has all words of ${JSON.stringify(query)}. Without query ${offered === 1 ? 'the one tool' : `all ${offered} tools`} are listed`,
  'list.noFolders': 'No folders are allowed yet. The user adds them in Filebridge or on its command line',

  paused: 'Filebridge is paused by the user',
  'paused.hint': 'Ask the user to resume it in the Filebridge app, then call again',

  'preview.closed': 'This preview is no longer open',
  'preview.closed.hint': 'Open the file again',
};
