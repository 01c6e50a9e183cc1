/** Why a path is refused, or a file not read or written; refusals of the file tools. */
import { formatBytes } from '../../../lib/bytes.ts';
import { type FileKind, type ListedFolders, listedFolders } from '../phrases.ts';

export interface At {
  path: string;
}

export interface ReadOn {
  next: number;
  tokens: number;
  /** Byte at which the next line begins; null where the cut is not inside a line. */
  nextLine: number | 'last' | null;
}

export interface Named extends At {
  name: string;
}

export interface Place {
  place: string;
}

const adding = {
  configuration: 'ask the user to add one on the Folders page of Filebridge',
  'command line': 'the user can add one to the command line that starts Filebridge',
  roots: "the user can add one to the client's roots",
};

const listed = (folders: ListedFolders) =>
  listedFolders(folders, {
    read: 'read',
    'read-write': 'read-write',
    absent: 'not there',
    silent: 'does not answer',
    more: 'more',
    and: 'and',
  });

const instead = {
  'command line': 'folders on the command line stand instead of those',
  roots: "the client's roots stand instead of those",
};

export const files = {
  'path.empty': 'The path is empty',
  'path.empty.hint': 'Give the path of a file',
  'path.notWhole': ({ path }: At) => `'${path}' is not a whole path`,
  'path.notWhole.hint': 'Give the path from the root on, or choose the file in a dialog',
  'path.notHere': ({ path, reason }: At & { reason: string }) => `'${path}' names no file of this machine: ${reason}`,
  'path.notHere.hint': 'Give the path itself, or a URL such as file:///folder/name.txt',
  'path.query': '? and # in a name are written %3F and %23',
  'path.space': 'white space in a name is written %20, %09, %0A or %0D',
  'path.machine': ({ machine }: { machine: string }) => `it names the machine '${machine}'`,
  'path.noUrl': 'it is not a valid file URL',
  'path.nulInUrl': 'it contains a NUL character',
  'path.answers': 'It is in the folder where Filebridge stores answers for agents.',
  'path.directory': ({ folder, writable }: { folder: string; writable: boolean }) =>
    writable
      ? `Agents may read files in it and write new ones: it belongs to '${folder}'.`
      : `Agents may read files in it: it belongs to '${folder}', which is allowed for reading only.`,
  'path.file': ({ folder, writable }: { folder: string; writable: boolean }) =>
    writable
      ? `It is in '${folder}', which agents may read and write.`
      : `It is in '${folder}', which is allowed for reading only.`,
  'path.link': ({ what, place }: Place & { what: string }) => `${what} It leads to '${place}'.`,
  'path.own': 'It belongs to Filebridge itself, which keeps its settings and secrets closed.',
  'path.sensitive': ({ name }: { name: string }) =>
    `The name '${name}' looks like that of a password or key, and those stay closed.`,
  'path.sensitive.fixed': 'Folders named on the command line cannot allow it.',
  'path.sensitive.allow': ({ name }: { name: string }) =>
    `Where agents need it all the same, allow it on the Folders page of Filebridge, or add "allowSensitive": ["${name}"] to the folder in the configuration file.`,
  'path.notRegular': ({ kind }: { kind: string }) => `It is ${kind}, not a file.`,
  'path.notRegular.hint': 'Agents can read ordinary files only.',
  'path.refused': ({ reason }: { reason: string }) => `${reason}.`,
  'path.relative': 'It is not a full path, and no allowed folder holds such a file.',
  'path.relative.hint': 'Give the path from the root of the disk on.',
  'path.kernel': 'The system makes up what is there; it is never opened.',
  'path.folderGone': ({ folder }: { folder: string }) => `Its folder '${folder}' does not exist now.`,
  'path.folderGone.hint': 'It may have been moved, or be on a drive that is not connected.',
  'path.leadsOut': ({ place }: Place) => `It leads out of the allowed folders, to '${place}'.`,
  'path.outside': 'It is in none of the allowed folders.',
  'path.noFolder': 'No folder is allowed yet.',
  'path.closed': 'Copy it into a folder of yours if agents should reach it: the one it is in cannot be allowed.',
  'path.allow': ({ folder, fixed }: { folder: string | null; fixed: boolean }) => {
    const which = folder === null ? 'the folder it is in' : `the folder '${folder}'`;
    return fixed ? `Add ${which} to the command line if agents should reach it.` : `Allow ${which} if agents should reach it.`;
  },
  'path.noPermission': 'The system does not let Filebridge read it.',
  'path.noPermission.hint': 'Change its permissions.',
  'path.absent': ({ path }: { path: string }) => `There is no file '${path}'.`,
  'path.absentEnd': ({ place }: Place) => `There is no such file: it leads to '${place}', which does not exist.`,
  'path.absent.hint': 'Check the name, and upper and lower case.',
  'path.nul': 'The path contains a NUL character',
  'path.nul.hint': 'Give the path without it',
  'path.notFull': ({ path }: { path: string }) => `'${path}' is not a full path`,
  'path.notFull.hint': 'Begin it at the root of the disk',

  'folder.file': ({ folder }: { folder: string }) => `'${folder}' is not a folder`,
  'folder.file.hint': 'Choose a folder',
  'folder.closed': ({ folder }: { folder: string }) => `The system does not let you look into '${folder}'`,
  'folder.closed.hint': 'Choose another folder, or change its permissions',
  'folder.absent': ({ folder }: { folder: string }) => `There is no folder '${folder}'`,
  'folder.absent.hint': 'It may have been moved or renamed, or be on a drive that is not connected',
  'folder.missing': ({ folder }: { folder: string }) => `The folder '${folder}' is not there`,
  'folder.silent': ({ folder }: { folder: string }) => `The disk of the folder '${folder}' does not answer`,
  'folder.silent.hint': 'Check the connection to it. The other folders work on',
  'folder.missing.hint': 'It may be on a drive that is not connected. Agents get nothing from it',
  'folder.notCreated': ({ folder }: { folder: string }) => `The folder '${folder}' could not be created`,
  'folder.notCreated.hint': 'Create it yourself, or take it off the list',

  'file.which': ({ error, path }: { error: string; path: string }) => `${error} in '${path}'`,
  'file.exists': ({ path }: { path: string }) => `File '${path}' already exists`,
  'file.exists.name': 'Choose another name, or set overwrite: true to replace it',
  'file.exists.asks': 'The user is asked before a file in this folder is overwritten: choose another name',
  'file.exists.filename': 'Choose another filename, or set overwrite: true to replace it',
  'file.checkPath': 'Check the path',
  'file.changedSinceApproval': ({ name, from, to }: { name: string; from: number; to: number }) =>
    `File '${name}' changed after it was read for the approval: bytes ${from} to ${to} are not those that were approved`,
  'file.changedSinceApproval.hint':
    'The call was broken off. Make it again, so that the user is asked about the file as it is now',
  'file.differsNow': 'The file came out longer or shorter than it was when it was read for the first time',
  'file.differsNow.hint': 'Try again; if it happens with this file each time, please report it',
  'file.outside': ({ path }: At) => `File path '${path}' is not within allowed directories`,
  'file.outside.hint': ({ folders, from }: { folders: ListedFolders; from: keyof typeof adding }) =>
    `Allowed: ${listed(folders)}. list_allowed_directories shows them; ${adding[from]}`,
  'file.outside.none': `No folder is allowed yet: ${adding.configuration}`,
  'file.unreadable': ({ path }: At) => `File '${path}' does not exist or is not readable`,
  'file.unreadable.hint': ({ reason, folders }: { reason: string; folders: ListedFolders | null }) =>
    folders === null ? reason : `${reason}. Allowed: ${listed(folders)}`,
  'file.near': ({ names, hint }: { names: readonly string[]; hint: unknown }) =>
    `Did you mean ${names.map((name) => `'${name}'`).join(' or ')}?${hint === null ? '' : ` ${hint}`}`,
  'file.checkName': 'Check the name and its case',
  'file.notNow': ({ path }: At) => `File '${path}' cannot be read now`,
  'file.privacy':
    'macOS keeps programs out of this folder; allow Filebridge in System Settings, under Privacy & Security, Files and Folders',
  'file.openElsewhere': 'Another program has it open for itself; close it there',
  'file.inCloud': 'It is kept in a cloud (such as iCloud or OneDrive) and not downloaded; open it once, then try again',
  'file.noAnswer':
    'The disk, share or cloud it is on did not answer in time; check the connection, or open it once so that it is downloaded',
  'file.stale': 'The share has replaced the file meanwhile; try again',
  'file.disconnected': 'The disk or share it is on is not connected; connect it and try again',
  'file.longName': 'Its name or path is longer than the disk takes',
  'file.noPermission': 'The system does not permit reading it; check its permissions',
  'file.tooManyOpen': 'Too many files are open; try again in a moment',
  'file.diskError': 'The disk reported an error; check the disk',
  'file.notRegular': ({ path, kind }: At & { kind: FileKind }) => `'${path}' is ${kind}, not a file`,
  'file.directory.hint': 'Name a file inside it',
  'file.notRegular.hint': 'Only ordinary files can be read and written',
  'file.copyDirectory.hint': 'Copy the files in it one by one, with create_directories: true; search_files lists them',
  'file.credential': ({ path, name }: Named) => `'${path}' is refused because '${name}' looks like a credential`,
  'file.credential.never': 'Such files are not written, moved or deleted, also where reading them is allowed',
  'file.credential.allow': 'If you need it, ask the user to allow this one file on the Folders page of Filebridge',
  'file.credential.configure': ({ from }: { from: keyof typeof instead }) =>
    `The user can allow reading it only in a folder of the Folders page of Filebridge; ${instead[from]}`,
  'file.runs': ({ path, name }: Named) => `'${path}' is not written, moved or deleted because programs run what is in '${name}'`,
  'file.programs': ({ path, name }: Named) =>
    `'${path}' is not written, moved or deleted because '${name}' is where programs keep their own files`,
  'file.programs.hint': 'Write to another folder, or ask the user to allow the folder of this file by itself',
  'file.private': ({ path, name }: Named) =>
    `'${path}' is refused because '${name}' is where programs keep their own files, logins and histories among them`,
  'file.private.hint': ({ name }: { name: string }) =>
    `Ask the user to allow the folder of this file by itself, or the name '${name}' in the folder's settings`,
  'file.runs.hint': 'Show the user what should stand there, so that they can change it themselves',
  'file.own': ({ path }: At) => `'${path}' is refused because it belongs to Filebridge itself`,
  'file.own.hint': 'Settings are changed by the user, in Filebridge',
  'file.otherClient': ({ path }: At) => `'${path}' is refused because it was stored for another client`,
  'file.otherClient.hint':
    'Have that client store it with storage_path in a folder that is allowed for both, or make the call again',
  'file.readOnly': ({ path }: At) => `'${path}' is in a folder that is allowed for reading only`,
  'file.readOnly.hint': ({ folders }: { folders: ListedFolders }) => `Folders that may be written: ${listed(folders)}`,
  'file.readOnly.none': 'No folder is allowed for writing: ask the user to allow it for one on the Folders page of Filebridge',
  'file.changed': ({ path, how }: At & { how: string }) => `File '${path}' changed while it was being read: ${how}`,
  'file.changed.hint': 'Wait until whatever writes it is done, then ask again',
  'file.notWritten': ({ path, reason }: At & { reason: string }) => `File '${path}' could not be written: ${reason}`,

  'name.refused': ({ name, reason }: { name: string; reason: string }) => `File name '${name}' cannot be used: ${reason}`,
  'name.refused.hint': 'Give a plain file name such as "report.json"; the folder is named separately',
  'name.empty': 'it is empty',
  'name.folder': 'it names a folder',
  'name.separator': 'it contains a folder separator',
  'name.control': 'it contains a control character',
  'name.long': ({ bytes }: { bytes: number }) => `it is longer than ${bytes} bytes`,
  'name.device': 'Windows keeps this name for a device',
  'name.windows': 'it contains a character that Windows does not allow',
  'name.end': 'it ends with a dot or a space, which Windows drops',

  'changed.gone': 'it was deleted or moved',
  'changed.goneOrReplaced': 'it was deleted or replaced',
  'changed.replaced': 'it was replaced',
  'changed.replacedOpening': 'it was replaced while it was being opened',
  'changed.attributes': 'its attributes or names were changed',
  'changed.grew': ({ from, to }: { from: number; to: number }) => `it grew from ${from} to ${to} bytes`,
  'changed.shrank': ({ from, to }: { from: number; to: number }) => `it shrank from ${from} to ${to} bytes`,
  'changed.rewritten': 'its content was rewritten',
  'changed.contentOrAttributes': 'its content or its attributes were changed',
  'changed.ended': ({ at, size }: { at: number; size: number }) => `it ended after ${at} of ${size} bytes`,
  'changed.longer': ({ size }: { size: number }) => `it has more than the ${size} bytes it had at first`,
  'changed.written': 'something else wrote to it',

  'system.code': ({ code }: { code: string }) => `the system reported ${code}`,
  'system.code.hint': 'Check the folder and try again',
  'system.diskFull': 'the disk is full',
  'system.quota': 'the disk quota is used up',
  'system.free.hint': 'Free some space, or choose a folder on another disk; nothing was left behind',
  'system.freeOurs.hint': 'Free some space and try again; what was there is unchanged',
  'system.fileSize': 'the file system does not hold files of this size',
  'system.otherDisk.hint': 'Choose a folder on another disk',
  'system.readOnly': 'the disk is mounted for reading only',
  'system.readOnlyOurs.hint': 'Mount it for writing, or keep these files on another disk',
  'system.denied': 'permission was denied',
  'system.denied.hint': "Check the folder's permissions",
  'system.openElsewhere': 'another program has it open',
  'system.openElsewhere.hint': 'Close it there (Excel, for example, keeps open files locked) and try again',
  'system.disk': 'the disk reported an error',
  'system.disk.hint': 'Check the disk',
  'system.longName': 'the name is too long',
  'system.longName.hint': 'Choose a shorter name',
  'system.manyFiles': 'too many files are open',
  'system.manyFiles.hint': 'Try again in a moment',
  'system.folderGone': 'its folder is no longer there',
  'system.notFolder': 'part of its path is not a folder',
  'system.linked': 'part of its path was exchanged for a link',
  'system.path.hint': 'Check the path and try again',

  'ours.notWritten': ({ path, reason }: At & { reason: string }) => `'${path}' could not be written: ${reason}`,
  'ours.writtenAfterEnd': ({ path }: { path: string }) => `File '${path}' was written after its end`,
  'ours.readAfterEnd': ({ path }: { path: string }) => `File '${path}' was read after it had been closed`,

  'lock.held': ({ path }: At) => `'${path}' has been locked for too long`,
  'lock.held.hint': 'Another Filebridge may hang: end it, then delete the lock file if it is still there',

  'tokens.unreadable': ({ path }: At) => `The token file '${path}' cannot be read`,
  'tokens.invalid': ({ path }: At) => `The token file '${path}' is not valid`,
  'tokens.invalid.hint': 'Delete it to have a new token made; clients then need the new one',

  'tool.outside': ({ path, folders, link }: At & { folders: string; link: boolean }) =>
    `Access denied - ${link ? 'symlink target' : 'path'} outside allowed directories: ${path} not in ${folders}`,
  'tool.windowsPath': ({ path }: At) => `Access denied - Windows-style path received on a POSIX host: ${path}`,
  'tool.destinationExists': ({ path }: At) => `Destination already exists: ${path}`,
  'tool.noParent': ({ path }: At) => `Parent directory does not exist: ${path}`,
  'tool.noParent.hint': 'Make the folder with create_directory, or give create_directories: true',
  'tool.twoNames': ({ name }: { name: string }) => `Ambiguous Unicode path component: ${name}`,
  'tool.mediaTooLarge.hint': 'Hand it to a tool by path with call_tool_with_file_content, as: "base64"',
  'tool.mediaTooLong': ({ path, tokens }: At & { tokens: number }) =>
    `'${path}' as base64 has more than the ${tokens} tokens that one answer may hold`,
  'tool.editTooLarge.hint':
    'Larger files are not edited piece by piece: write a new one with write_file, or have the user raise limits.maxFileBytes',
  'tool.utf16TooLarge': ({ path, bytes, most }: At & { bytes: number; most: number }) =>
    `The UTF-16 file '${path}' has ${formatBytes(bytes)}, more than the ${formatBytes(most)} that can be read as text`,
  'tool.utf16TooLarge.hint': 'Look at its shape with preview_file, or hand it to a tool by path',
  'tool.readOn': ({ next, tokens, nextLine }: ReadOn) => {
    const [inside, skip] =
      nextLine === null
        ? ['', '']
        : nextLine === 'last'
          ? [' inside the last line', '']
          : [' inside a line', `, or with the next line at offset: ${nextLine}`];
    return `Cut at ${tokens} tokens${inside}; go on with offset: ${next}${skip}`;
  },
  'tool.listCut': ({ left, all }: { left: number; all: number }) =>
    `${left} of ${all} entries are left out: too many for one answer. Name a folder inside it, or use search_files with a narrower pattern`,
  'tool.treeCut': ({ closed, left, all }: { closed: number; left: number; all: number }) => {
    const entries = left === 0 ? [] : [`${left} of ${all} entries`];
    const inside =
      closed === 0 ? [] : [`what is in the ${closed === 1 ? 'directory' : `${closed} directories`} without children`];
    return `Left out: ${[...entries, ...inside].join(', and ')}: too much for one answer. Name a folder inside it, or exclude what is not needed with excludePatterns`;
  },
  'tool.tooDeep': ({ levels, path, others }: At & { levels: number; others: number }) =>
    `Directories more than ${levels} levels down were not looked into: not into '${path}'${others === 0 ? '' : `, nor into ${others} more`}. Name a directory nearer to them`,
  'tool.unreadable': ({ paths, others }: { paths: readonly string[]; others: number }) =>
    `Not readable: ${paths.map((path) => `'${path}'`).join(', ')}${others === 0 ? '' : ` and ${others} more`}`,
  'tool.diffCut': ({ left, dryRun }: { left: number | null; dryRun: boolean }) =>
    `${left === null ? 'The diff' : `The rest of the diff, ${left} lines,`} is left out: too long for one answer. ${dryRun ? 'All edits fit; give fewer at a time to see each change' : 'All edits were made; read_text_file shows the file'}`,
  'tool.controlsEscaped': 'Control characters are written \\xNN in this diff',
  'tool.pathWritten': ({ path }: At) =>
    `The content written is the path '${path}' itself, not what is in that file. To copy the file, use copy_file`,
  'tool.offsetAlone': 'offset excludes head, tail, start_line and end_line',
  'tool.offsetPastEnd': ({ path, offset, bytes }: At & { offset: number; bytes: number }) =>
    `offset ${offset} is past the end: '${path}' has ${bytes} bytes`,
  'tool.binary': ({ path }: At) => `'${path}' is no text`,
  'tool.binary.hint':
    'Look at a table or document with preview_file, read its bytes with read_media_file, or hand it to a tool by path',
  'tool.answerFull': ({ tokens }: { tokens: number }) => `Not read: one answer has at most ${tokens} tokens`,
  'tool.readAlone': 'Read this one by itself, with head, tail or a range',
  'tool.walkTooMuch': ({ path }: At) => `'${path}' holds too much to walk through`,
  'tool.walkTooMuch.hint': 'Name a folder inside it',
  'tool.longPattern': 'pattern is too long',
  'tool.slowPatterns': 'The patterns take too long to match',
  'tool.slowPatterns.hint': 'Use fewer wildcards or braces, or search a smaller folder',
  'tool.headAndTail': 'Cannot specify both head and tail parameters simultaneously',
  'tool.linesAndHead': 'Cannot specify a line range together with head or tail',
  'tool.linesOrder': ({ first, last }: { first: number; last: number }) => `start_line ${first} is after end_line ${last}`,
  'tool.linesPastEnd': ({ path, first, lines }: At & { first: number; lines: number }) =>
    `start_line ${first} is past the end: '${path}' has ${lines} ${lines === 1 ? 'line' : 'lines'}`,
  'tool.editGrows': ({ bytes, most }: { bytes: number; most: number }) =>
    `The file would grow to ${formatBytes(bytes)}, beyond ${formatBytes(most)}`,
  'tool.editGrows.hint': 'Replace less, or have the user raise limits.maxFileBytes',
  'tool.editNotFound': ({ text }: { text: string }) => `Could not find exact match for edit:${text}`,
  'tool.editIndent':
    'The text to replace is there only with other indentation, which is not moved by the same amount in all its lines',
  'tool.editIndent.hint': ({ text }: { text: string }) => `Give oldText and newText indented as the file is: ${text}`,
  'tool.editAmbiguous': ({ count, text }: { count: number; text: string }) =>
    `The text to replace is there ${count} times: ${text}`,
  'tool.editAmbiguous.hint': 'Give more of the text around it, or set replaceAll: true to replace every one',
  'tool.editMany': ({ most, text }: { most: number; text: string }) =>
    `The text to replace is there more than ${most} times: ${text}`,
  'tool.editMany.hint': 'Give more of the text around it',
  'tool.editEmpty': 'oldText is empty',
  'tool.editEmpty.hint': 'Give the text to be replaced; write_file with append adds to the end',
  'tool.editEncoding': 'The file is not UTF-8, and the new text has characters that its encoding lacks',
  'tool.editEncoding.hint': 'Give the bytes themselves with newText_base64',
  'tool.otherDisk': ({ what }: { what: string }) => `EXDEV: cross-device link not permitted, ${what}`,
  'tool.otherDisk.hint': 'They are on different disks: use copy_file, then delete_file',
  'tool.moveGains': ({ path, name }: At & { name: string }) =>
    `'${path}' may hold files such as '${name}', which may be read where it would go, and not where it is`,
  'tool.moveGains.hint': 'Move what is needed of it file by file',
  'tool.moveAllowed': ({ path }: At) => `'${path}' holds a folder that the user allowed by itself, and stays where it is`,
  'tool.noTrash': ({ path }: At) => `There is no trash for '${path}'`,
  'tool.noTrash.hint': 'The file is unchanged. Ask the user to delete it',
  'tool.permanent.hint': ({ hint, asks }: { hint: string | null; asks: boolean }) =>
    `${hint === null ? '' : `${hint}. `}Without permanent, the file goes to the trash${asks ? ', which needs a confirmation, too' : ''}`,
  'undo.changedSince': ({ path }: At) => `'${path}' was changed since, and was left alone`,
  'undo.changedSince.hint': 'Undo the later changes first, if they are listed, or change it in its own app',
  'undo.goneSince': ({ path }: At) => `'${path}' is no longer there`,
  'undo.goneSince.hint': 'It was deleted or moved since. There is nothing left to undo',
  'undo.gone': 'This change can no longer be undone',
  'undo.gone.hint': 'Changes are kept for 30 days, unless there are very many or very large ones',
  'tool.changedSinceAsked': ({ path }: At) => `File '${path}' changed after the user was asked about it, and was left alone`,
  'tool.changedSinceAsked.hint': 'Call again, so that the user is asked about the file as it is now',
  'tool.busy': ({ path }: At) => `Another Filebridge is changing '${path}' all the time`,
  'tool.busy.hint': 'Try again in a moment',
  'tool.unfinished': ({ path, copies }: At & { copies: readonly string[] }) =>
    `A write to '${path}' did not end, or is still going on: it may hold a mixture. What it held before is whole in ${copies.map((copy) => `'${copy}'`).join(', ')}`,
  'tool.unfinished.hint':
    'Compare the two, have write_file put the right content into the file as a whole, then delete the copy with delete_file',
};
