/** Why a file is not opened, read or written. */
import { type FileKind, type ListedFolders, listedFolders } from '../phrases.ts';

export interface At {
  path: string;
}
export interface Named extends At {
  name: string;
}

const adding = {
  configuration: 'the user can add one to "folders" in the configuration of Filebridge',
  'command line': 'the user can add one to the command line that starts Filebridge',
  roots: "the user can add one to the client's roots",
};

const instead = {
  'command line': 'folders on the command line stand instead of those',
  roots: "the client's roots stand instead of those",
};

export const files = {
  'file.outside': ({ path }: At) => `File path '${path}' is not within allowed directories`,
  'file.outside.hint': ({ folders, from }: { folders: ListedFolders; from: keyof typeof adding }) =>
    `Allowed: ${listed(folders)}. list_allowed_directories shows them; ${adding[from]}`,
  'file.outside.none': `No folder is allowed yet: ${adding.configuration}`,
  'file.unreadable': ({ path }: At) => `File '${path}' does not exist or is not readable`,
  'file.unreadable.hint': ({ reason, folders }: { reason: string; folders: ListedFolders | null }) =>
    folders === null ? reason : `${reason}. Allowed: ${listed(folders)}`,
  'file.checkName': 'Check the name and its case',
  'file.noPermission': 'The system does not permit reading it; check its permissions',
  'file.tooManyOpen': 'Too many files are open; try again in a moment',
  'file.diskError': 'The disk reported an error; check the disk',
  'file.notRegular': ({ path, kind }: At & { kind: FileKind }) => `'${path}' is ${kind}, not a file`,
  'file.directory.hint': 'Name a file inside it',
  'file.notRegular.hint': 'Only ordinary files can be read and written',
  'file.copyDirectory.hint': 'Copy the files in it one by one, with create_directories: true; search_files lists them',
  'file.credential': ({ path, name }: Named) => `'${path}' is refused because '${name}' looks like a credential`,
  'file.credential.never': 'Such files are not written, moved or deleted, also where reading them is allowed',
  'file.credential.allow': ({ name }: { name: string }) =>
    `The user can allow reading it in the configuration of Filebridge: "allowSensitive": ["${name}"] on the folder`,
  'file.credential.configure': ({ name, from }: { name: string; from: keyof typeof instead }) =>
    `The user can allow reading it only of a folder in the configuration of Filebridge, with "allowSensitive": ["${name}"]; ${instead[from]}`,
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
  'file.readOnly.none':
    'No folder is allowed for writing: the user can set "access": "read-write" on one in the configuration of Filebridge',

  'file.changed': ({ path, how }: At & { how: string }) => `File '${path}' changed while it was being read: ${how}`,
  'file.changed.hint': 'Wait until whatever writes it is done, then ask again',
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

  'file.notWritten': ({ path, reason }: At & { reason: string }) => `File '${path}' could not be written: ${reason}`,
  'ours.notWritten': ({ path, reason }: At & { reason: string }) => `'${path}' could not be written: ${reason}`,
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

  'folder.file': ({ folder }: { folder: string }) => `'${folder}' is not a folder`,
  'folder.file.hint': 'Choose a folder',
  'folder.closed': ({ folder }: { folder: string }) => `The system does not let you look into '${folder}'`,
  'folder.closed.hint': 'Choose another folder, or change its permissions',
  'folder.absent': ({ folder }: { folder: string }) => `There is no folder '${folder}'`,
  'folder.absent.hint': 'It may have been moved or renamed, or be on a drive that is not connected',

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
};

const listed = (folders: ListedFolders) =>
  listedFolders(folders, { read: 'read', 'read-write': 'read-write', absent: 'not there', more: 'more', and: 'and' });
