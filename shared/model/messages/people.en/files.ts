/** Where persons read other words than those of agents.en/files.ts. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { files as agents } from '../agents.en/files.ts';
import type { Table } from '../message.ts';
import { type FileKind, type ListedFolders, listedFolders } from '../phrases.ts';
import { limitName } from './phrases.ts';

const listed = (folders: ListedFolders) =>
  listedFolders(folders, {
    read: 'read',
    'read-write': 'read and write',
    absent: 'not there',
    silent: 'does not answer',
    more: 'more',
    and: 'and',
  });

const kinds: Record<FileKind, string> = {
  'a directory': 'a folder',
  'a named pipe': 'a named pipe',
  'a socket': 'a socket',
  'a link': 'a link',
  'a device': 'a device',
};

const raise = `raise “${limitName('maxFileBytes')}” in Settings`;

const allowing = 'allow this one file in Preview, or on the Folders page, where its path is checked';

export const files = {
  'path.closed': 'The folder it is in stays closed to agents: it belongs to the system or to Filebridge, or holds too much.',
  'path.sensitive.allow': () => `If agents need it all the same, ${allowing}.`,
  'path.notRegular': ({ kind }) => `It is ${Object.hasOwn(kinds, kind) ? kinds[kind as FileKind] : kind}, not a file.`,

  'folder.missing.hint': 'It may be on a drive that is not connected. Agents get nothing from it.',

  'file.exists.name': 'Choose another name, or allow replacing it',
  'file.exists.asks': 'You are asked before a file in this folder is overwritten: choose another name',
  'file.exists.filename': 'Choose another name, or allow replacing it',
  'file.changedSinceApproval': ({ name, from, to }) =>
    `File '${name}' changed after you allowed the call: bytes ${from} to ${to} are others`,
  'file.changedSinceApproval.hint': 'The call was broken off. Repeat it, so that you see the file as it is now',
  'file.outside': ({ path }) => `File '${path}' is in none of the folders that agents may use`,
  'file.outside.hint': ({ folders }) => `Allowed are: ${listed(folders)}. The Folders page adds others`,
  'file.outside.none': 'No folder is allowed yet. Add one on the Folders page',
  'file.unreadable.hint': ({ reason, folders }) => (folders === null ? reason : `${reason}. Allowed are: ${listed(folders)}`),
  'file.notRegular': ({ path, kind }) => `'${path}' is ${kinds[kind]}, not a file`,
  'file.directory.hint': 'Choose a file inside it',
  'file.copyDirectory.hint': 'Copy the files in it one by one',
  'file.credential': ({ path, name }) => `'${path}' is refused because '${name}' looks like a password or key`,
  'file.credential.allow': `If agents should read it all the same, ${allowing}`,
  'file.credential.configure': () =>
    `Reading it can be allowed only in a folder of the Folders page. If agents should read it all the same, ${allowing}`,
  'file.programs.hint': 'Choose another folder, or allow the folder of this file by itself',
  'file.private.hint': () => 'Allow the folder of this file by itself',
  'file.runs.hint': 'Change the file yourself',
  'file.own.hint': 'You change the settings in Filebridge',
  'file.otherClient': ({ path }) => `'${path}' is refused because it was stored for another agent`,
  'file.otherClient.hint': 'That agent can store the answer in a folder that both may use. Or repeat the call',
  'file.readOnly.hint': ({ folders }) => `Agents may write in: ${listed(folders)}`,
  'file.readOnly.none': 'Agents may write in no folder. You can change that on the Folders page',

  'name.refused.hint': 'Give a plain file name such as report.json. The folder is chosen separately',

  'system.denied': 'Filebridge has no permission for it',

  'tokens.unreadable': ({ path }) => `The file '${path}' with the access tokens of agents cannot be read`,
  'tokens.invalid': ({ path }) => `The file '${path}' with the access tokens of agents is damaged`,
  'tokens.invalid.hint': 'Delete it, and new tokens are made. Then connect your agents again',

  'tool.outside': ({ path, folders, link }) =>
    link
      ? `'${path}' leads out of the allowed folders (allowed: ${folders})`
      : `'${path}' is outside the allowed folders (allowed: ${folders})`,
  'tool.windowsPath': ({ path }) => `'${path}' is a Windows path, which does not exist on this system`,
  'tool.destinationExists': ({ path }) => `There is something at '${path}' already`,
  'tool.noParent': ({ path }) => `The folder above does not exist: ${path}`,
  'tool.noParent.hint': 'Create the folder first',
  'tool.twoNames': ({ name }) => `The name '${name}' fits several files`,
  'tool.mediaTooLarge.hint': 'The file itself can be sent to a tool',
  'tool.editTooLarge.hint': `Larger files are not edited piece by piece: write a new one, or ${raise}`,
  'tool.utf16TooLarge.hint': 'Look at it in Preview, or send the file itself to a tool',
  'tool.readOn': ({ tokens }) => `Cut at ${tokens} tokens. The agent can read on from there`,
  'tool.listCut': ({ left, all }) =>
    `${left} of ${all} entries are left out: too many for one answer. Name a folder inside it, or search for less`,
  'tool.treeCut': ({ closed, left, all }) => {
    const entries = left === 0 ? [] : [`${left} of ${all} entries`];
    const inside = closed === 0 ? [] : [`what is in ${closed === 1 ? '1 folder' : `${closed} folders`}`];
    return `Left out: ${[...entries, ...inside].join(', and ')}: too much for one answer. Name a folder inside it`;
  },
  'tool.tooDeep': ({ levels, path, others }) =>
    `Folders more than ${levels} levels down were not looked into: not into '${path}'${others === 0 ? '' : `, nor into ${others} more`}`,
  'tool.diffCut': ({ left, dryRun }) =>
    `${left === null ? 'The comparison' : `The rest of the comparison, ${left} lines,`} is left out: too long for one answer. ${dryRun ? 'All changes fit' : 'All changes were made'}`,
  'tool.controlsEscaped': 'Control characters are written \\xNN in this comparison',
  'tool.pathWritten': ({ path }) => `The path '${path}' itself was written, not what is in that file`,
  'tool.offsetAlone': 'The agent said in two ways which part of the file to read',
  'tool.offsetPastEnd': ({ path, offset, bytes }) => `Byte ${offset} is past the end: '${path}' has ${bytes} bytes`,
  'tool.binary.hint': 'Look at a table or document in Preview, or send the file itself to a tool',
  'tool.readAlone': 'Read this file by itself, or only a part of it',
  'tool.longPattern': 'The search pattern is too long',
  'tool.headAndTail': 'The first and the last lines cannot be read at once',
  'tool.linesAndHead': 'A range of lines does not go together with the first or the last lines',
  'tool.linesOrder': ({ first, last }) => `Line ${first}, the first to read, is after line ${last}, the last`,
  'tool.linesPastEnd': ({ path, first, lines }) =>
    `Line ${first} is past the end: '${path}' has ${lines} ${lines === 1 ? 'line' : 'lines'}`,
  'tool.editGrows': ({ bytes, most }) => `The file would grow to ${formatBytes(bytes)}, and ${formatBytes(most)} are allowed`,
  'tool.editGrows.hint': `Replace less, or ${raise}`,
  'tool.editNotFound': ({ text }) => `The text to replace is not in the file:${text}`,
  'tool.editIndent.hint': ({ text }) => `Give the text with the indentation that it has in the file: ${text}`,
  'tool.editAmbiguous.hint': 'Give more of the text around it, or replace every one',
  'tool.editEmpty': 'The text to replace is empty',
  'tool.editEmpty.hint': 'Give the text to be replaced',
  'tool.editEncoding.hint': 'Save the file as UTF-8 first',
  'tool.otherDisk': ({ what }) => `It cannot be moved from one disk to another (${what})`,
  'tool.otherDisk.hint': 'Copy the file, then delete the old one',
  'tool.moveAllowed': ({ path }) => `'${path}' holds a folder that you allowed by itself, and stays where it is`,
  'tool.noTrash.hint': 'The file is unchanged. Delete it yourself',
  'tool.permanent.hint': ({ hint, asks }) =>
    `${hint === null ? '' : `${hint}. `}The file can go to the trash instead${asks ? ', about which you are asked, too' : ''}`,
  'tool.changedSinceAsked': ({ path }) => `File '${path}' changed after you were asked about it, and was left alone`,
  'tool.changedSinceAsked.hint': 'Repeat the call, so that you see the file as it is now',
  'tool.unfinished.hint': 'Compare the two, put the right content into the file, then delete the copy',
} satisfies Partial<Table<typeof agents>>;
