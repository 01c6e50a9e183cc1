/** Where persons read other words than those of agents.en/calls.ts. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { calls as agents } from '../agents.en/calls.ts';
import type { Table } from '../message.ts';
import { contents, counted } from '../phrases.ts';

function spell(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const changes: Readonly<Record<string, string>> = {
  delete: 'deletes a file',
  overwrite: 'overwrites or edits a file',
  move: 'moves or renames a file',
};

export const calls = {
  'request.twoPaths': 'The file is named twice, with different paths',
  'request.twoPaths.hint': 'Name it once',
  'request.pathAndFiles': 'The files are named in two ways',
  'request.pathOrFiles': 'Name either one file or list, or a file for each place, but not both',
  'request.keyInFiles': 'Each file of several needs its own place in the arguments',
  'request.keyInFiles.hint': 'Give the place with each file, or send a single file',
  'request.notJoined.hint': 'Send the files as a list, or each of them to a place of its own',
  'request.recordsUnused': 'The call says what of the answer is stored, and the answer is not stored',
  'request.recordsUnused.hint': 'Say as well where, or as what, it is stored',
  'request.noTemplate': 'An answer in a form of one’s own needs a template',
  'request.noTemplate.hint': 'Give the template, or choose another form of the answer',
  'request.templateUnused': ({ format }) => `A template does not go with the form '${format}' of the answer`,
  'request.templateUnused.hint': 'Leave the template out',
  'request.noServer': 'The call names none of your servers',
  'request.noServer.hint': 'The Servers page shows their names',
  'request.otherArguments.hint': 'Write them in { }, each with its name and value, or leave them out',

  'batch.noList': ({ kind }) => `Only a list of records can go in several calls, and the file gives ${contents[kind]}`,
  'batch.noList.hint': () => 'Send the file in one call, or turn it into a list first',
  'batch.eachAndSize': 'With one call for each record, no number or size of records in a call applies',
  'batch.eachAndSize.hint': () => 'Leave out one or the other',
  'batch.size': ({ size, most }) => `${size} records are more than the ${most} that the tool takes in one call`,
  'batch.size.hint': ({ most }) => `Send at most ${most} records in a call`,
  'batch.onePlace': 'Only one list, at one place in the arguments, can go in several calls',
  'batch.onePlace.hint': () => 'Send one list as a file and nothing else, or send all of it in one call',
  'batch.sameCall': () => 'Go on with the same call as before',
  'batch.sameArguments': () => 'Go on with the same call as before, with the same arguments',
  'batch.sameFile': () =>
    'Go on with the file as it was, or send the changed one as a new call, without the records that are there already',
  'batch.startPastEnd': ({ start, records }) =>
    `The call begins at record ${start}, past the end: there are ${counted(records, 'record', 'records')}`,
  'batch.rangesAndStart': 'The call says in two ways which records are sent',
  'batch.rangesOrder': ({ first, last }) => `The ranges of records are not in ascending order at ${first} to ${last}`,
  'batch.rangesPastEnd': ({ last, records }) =>
    `The ranges end at record ${last}, but there are ${counted(records, 'record', 'records')}`,
  'batch.ranges.hint': 'Each range has a first and a last record, both included, counted from 0, as a receipt lists them',

  'receipt.running.hint': () => 'Wait until it has ended, or cancel it',
  'receipt.resendAlone': 'Records whose outcome is unknown can be sent again only to complete an earlier call',
  'receipt.resumeAlone': 'A call that completes an earlier one cannot choose its records as well',
  'receipt.partlySent.hint': ({ id, unknown }) =>
    `Send the rest of receipt '${id}'${unknown === 0 ? '' : ', without the unknown ones'}, or send everything again`,
  'receipt.partlySent.otherwise': ({ id }) =>
    `The file was read otherwise then, or went to another place: complete that call, with receipt '${id}', or send everything again`,
  'receipt.partlySent.changed': ({ ranges }) =>
    ranges === null
      ? 'It had another number of records then. Look on the server for those that arrived; then send the others, or send everything again'
      : 'Send only the records that are left, or send everything again',
  'receipt.unfinishedOther': ({ path, accepted, total, id }) =>
    `A call with the same arguments stopped before: ${accepted} of ${total} records of '${path}' were accepted (receipt ${id}). If this file holds them too, they may be there twice now`,
  'receipt.madeBefore.hint': 'Check on the server whether it was carried out, or send everything again',
  'receipt.stillSending.hint': () => 'Wait until it has ended, or send everything again',
  'receipt.unknown': ({ id }) => `There is no receipt '${id}' here`,
  'receipt.unknown.hint': 'Give the id that stands on the receipt',
  'receipt.otherContent': ({ id, given, its }) =>
    `The file is not the one of receipt '${id}': its fingerprint (SHA-256) is ${given}, that of the receipt is ${its}`,
  'receipt.otherCall': ({ id, inArguments }) =>
    `The call differs from that of receipt '${id}' ${inArguments ? 'in its arguments' : 'in how the file is read, or where it goes'}`,

  'job.notRunning.hint': 'Activity shows what became of it',
  'job.unknown.none': 'This agent has started no job, and has no receipt with this id',
  'job.running.hint': 'Wait until it has ended, or cancel it',
  'job.many': ({ most }) => `This agent has ${most} background jobs under way: more are not allowed`,
  'job.many.hint': 'Wait until one has ended, or cancel one',
  'job.follow': ({ id }) => `Its id is ${id}. Activity shows what becomes of it`,

  'call.mayHaveRun': ({ repeat, hint }) =>
    ['The call may have been carried out: check before you repeat it', repeat, hint].filter((part) => part !== null).join('. '),
  'call.cancelledByPerson': 'You cancelled this call',
  'call.cancelledByPerson.hint': 'The agent should not repeat it on its own',

  'calls.many': ({ most }) => `This agent has ${most} calls under way: more are not allowed at once`,
  'calls.many.hint': 'Nothing was sent. Wait for answers, then repeat the call',
  'calls.waiting': ({ ofClient, inAll }) =>
    `Waiting for other calls with files to end: ${ofClient} of this agent and ${inAll} in all are under way`,

  'approval.longOnes': 'The call needs your approval, and others with long arguments wait for it already',
  'approval.longOnes.hint': 'Answer those first',
  'approval.many': ({ open, of }) =>
    `The call needs your approval, and ${open} calls of ${of === 'all' ? 'all agents' : 'this agent'} wait for it already`,
  'approval.many.hint': 'Answer those first',
  'approval.notThroughWindow': ({ name }) =>
    `The call of ${name} needs your approval in the open Filebridge window, and this connection does not go through it`,
  'approval.notThroughWindow.hint':
    'Connect this agent again while the window is open, by its address or with the same settings as the window’s',
  'approval.toolChanged.hint': 'When the call is repeated, you are asked about it as it is now',
  'approval.waiting': 'Waiting for you to allow the call',
  'approval.noCompletions': 'Completions need your approval here, and you are not asked about each of them',
  'approval.nobodyAnswered': ({ name, seconds }) =>
    `The call of ${name} needs your approval, and no answer came within ${spell(seconds)}`,
  'approval.nobodyAnswered.hint': 'Have the agent repeat the call, and answer in the Filebridge window',
  'approval.personOnly': ({ name }) => `The call of ${name} needs your approval, which you can only give in Filebridge`,
  'approval.personOnly.hint': ({ silence }) =>
    `Start Filebridge, and have the agent repeat the call${silence === null ? '' : `. Or ${silence}`}`,
  'approval.nobody': ({ name }) => `The call of ${name} needs your approval, and there was no way to ask you`,
  'approval.nobody.hint': ({ silence }) =>
    `Connect the agent to Filebridge by its address, or use an agent that can ask you. Or ${silence}`,
  'approval.tooLong': ({ name }) =>
    `The call of ${name} needs your approval, and what it would send is too long for the agent to show you all of it`,
  'approval.tooLong.hint':
    'Open the Filebridge window, have the agent repeat the call, and allow it there. Long arguments can also go as a file',
  'approval.unreadable': ({ name, bytes }) =>
    `The call of ${name} needs your approval, and its arguments have more than ${formatBytes(bytes)}: too much to read`,
  'approval.unreadable.newFile': 'Have a new file written beside it instead',
  'approval.unreadable.asFile': 'Have the agent put the long content into a file, and send that',
  'approval.silence.server': ({ server }) => `choose “Never” at “Ask me before a call” for '${server}' on the Servers page`,
  'approval.silence.folder': ({ folder, change }) =>
    `switch off the question on the Folders page, for '${folder}': “Ask me before an agent … ${changes[change] ?? change}”`,
  'approval.refused': ({ name }) => `You refused the call of ${name}`,
  'approval.refused.hint': 'Tell the agent what you want instead',
  'approval.fileChanged': ({ path }) =>
    `${path === null ? 'A file of the call' : `File '${path}'`} changed while the call waited for your approval. Nothing was sent`,
  'approval.fileChanged.hint': 'Repeat the call, so that you see the file as it is now',

  'message.tooLarge.hint': ({ instead, server }) =>
    `${instead}. If the server takes more, raise “Largest message” in the settings of '${server}' on the Servers page`,
  'message.sendLess': () => 'Send less in one call: a list can go in several',
  'message.fewerFiles': () => 'Send the files in several calls, or less of each',
  'message.batch': () => 'Send the records in several calls, or fewer of them',
  'message.expression': () => 'Send only what is needed of it',
  'message.smallerRecord': () => 'Leave out parts of the records, or the record itself',

  'idempotency.repeat': ({ argument, key }) =>
    `To repeat the call so that the server recognizes it, give ${key} as the argument '${argument}'`,

  'answer.overLimit': ({ tokens, limit }) =>
    `The answer has ${tokens.toLocaleString('en')} tokens, more than the ${limit.toLocaleString('en')} set at “Store answers longer than” in Settings, so it was stored:`,
  'answer.notATable': ({ format, wished, file, lists, records }) => {
    const named = lists.filter((list) => list !== '').join(', ');
    const none = lists.length === 0 ? 'no list of records' : `several lists (${named})`;
    const why = records === undefined ? none : `no list at '${records}'${named === '' ? '' : `, only at ${named}`}`;
    return `The answer has ${why}, so ${format === wished ? 'all of it was stored' : `it was stored as ${format}, not ${wished}`}: ${file}`;
  },
  'answer.leftOut': ({ lists, file }) =>
    `${file} does not have the shorter ${lists.length === 1 ? 'list' : 'lists'} of the answer: ${lists.join(', ')}`,
  'preview.rowsLeftOut': ({ left, limit }) => `${counted(left, 'row has', 'rows have')} no room in ${limit} tokens`,
  'answer.readRecords': () => 'The agent can read its records one part at a time',
  'answer.readText': 'The agent can read on in the file',
  'answer.blocksLeftOut': ({ format, blocks }) =>
    `As ${format}, the answer is text alone, without ${blocks.join(', ')}. A stored answer keeps its files`,
  'answer.overSize': ({ most }) => `The server sent more than the ${formatBytes(most)} that Filebridge takes of one answer`,
  'answer.overSize.hint': 'Ask for less at once',
  'answer.overMemory.hint': 'Ask for less at once',
  'answer.nested.hint': 'No program could read such an answer. Ask for less',
  'answer.failed': ({ tool, reason }) => `The tool '${tool}' failed: ${reason}`,
  'answer.notObject': ({ tool }) => `The tool '${tool}' failed: its answer is not an object`,
  'answer.nested': ({ tool, levels }) => `The tool '${tool}' failed: its answer is nested over ${levels} levels deep`,

  'resource.unknown.hint': 'Agents can read the answers that they have stored, and files in your folders',

  'sent.before': ({ path, earlierPath, time, receipt }) =>
    `The content of '${path}' was sent to this tool before${earlierPath === null ? '' : ` as '${earlierPath}'`}: ${time}, ${receipt === null ? 'by another agent' : `receipt ${receipt}`}.`,

  'list.noServers': 'No server is set up yet. Add one on the Servers page',
  'list.nothingFound': ({ query, offered }) =>
    `No tool has all words of ${JSON.stringify(query)}. Without a search ${offered === 1 ? 'the one tool is' : `all ${offered} tools are`} listed`,
  'list.noFolders': 'No folder is allowed yet. Add one on the Folders page',

  paused: 'Filebridge is paused',
  'paused.hint': 'Choose “Resume”, then have the agent repeat the call',
} satisfies Partial<Table<typeof agents>>;
