/** Messages of the file tools, worded as the official filesystem server's where it has such an error. */
import { formatBytes } from '../../../lib/bytes.ts';
import type { At } from './files.ts';

/** Content that is larger than one answer. */
export type LargeThing = 'file' | 'utf16' | 'part' | 'list' | 'all';

const things: Record<LargeThing, (path: string) => string> = {
  file: (path) => `File '${path}'`,
  utf16: (path) => `The UTF-16 file '${path}'`,
  part: (path) => `This part of '${path}'`,
  list: (path) => `The list of '${path}'`,
  all: () => 'All of them together',
};

export const fileTools = {
  'tool.outside': ({ path, folders, link }: At & { folders: string; link: boolean }) =>
    `Access denied - ${link ? 'symlink target' : 'path'} outside allowed directories: ${path} not in ${folders}`,
  'tool.windowsPath': ({ path }: At) => `Access denied - Windows-style path received on a POSIX host: ${path}`,
  'tool.destinationExists': ({ path }: At) => `Destination already exists: ${path}`,
  'tool.noParent': ({ path }: At) => `Parent directory does not exist: ${path}`,
  'tool.twoNames': ({ name }: { name: string }) => `Ambiguous Unicode path component: ${name}`,
  'tool.mediaTooLarge.hint': 'Hand it to a tool by path with call_tool_with_file_content, as: "base64"',
  'tool.editTooLarge.hint':
    'Larger files are not edited piece by piece: write a new one with write_file, or have the user raise limits.maxFileBytes',
  'tool.answerTooLarge': ({ thing, path, bytes, most }: At & { thing: LargeThing; bytes: number | null; most: number }) =>
    `${things[thing](path)} has ${bytes === null ? '' : `${formatBytes(bytes)}, `}more than the ${formatBytes(most)} that one answer may hold`,
  'tool.readLess':
    'Read less with head, tail or start_line and end_line, look at its shape with preview_file, or hand it to a tool by path',
  'tool.readLess.from': ({ line, at }: { line: number; at: number }) =>
    `Read less with head, tail or start_line and end_line, look at its shape with preview_file, or hand it to a tool by path; its line ${line} lies at ${formatBytes(at)}`,
  'tool.readAlone': 'Read this one by itself, with head, tail or a range',
  'tool.listLess':
    'Name a folder inside it, search_files with a narrower pattern, or exclude what is not needed with excludePatterns',
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
  'tool.changedSinceAsked': ({ path }: At) => `File '${path}' changed after the user was asked about it, and was left alone`,
  'tool.changedSinceAsked.hint': 'Call again, so that the user is asked about the file as it is now',
  'tool.busy': ({ path }: At) => `Another Filebridge is changing '${path}' all the time`,
  'tool.busy.hint': 'Try again in a moment',
  'tool.unfinished': ({ path, copies }: At & { copies: readonly string[] }) =>
    `A write to '${path}' did not end, or is still going on: it may hold a mixture. What it held before is whole in ${copies.map((copy) => `'${copy}'`).join(', ')}`,
  'tool.unfinished.hint':
    'Compare the two, have write_file put the right content into the file as a whole, then delete the copy with delete_file',

  'tokens.unreadable': ({ path }: At) => `The token file '${path}' cannot be read`,
  'tokens.invalid': ({ path }: At) => `The token file '${path}' is not valid`,
  'tokens.invalid.hint': 'Delete it to have a new token made; clients then need the new one',
  'config.unreadable': ({ path }: At) => `The configuration '${path}' cannot be read`,
  'config.unreadable.hint': 'Check that it is a file and that you may read it',
  'config.notKept': ({ path }: At) => `The configuration '${path}' is broken and could not be kept aside`,
  'config.notKept.hint': 'Repair it or move it away; nothing was changed',
  'lock.held': ({ path }: At) => `'${path}' has been locked for too long`,
  'lock.held.hint': 'Another Filebridge may hang: end it, then delete the lock file if it is still there',
  'receipt.running': ({ id }: { id: string }) => `The call of receipt '${id}' is still under way`,
  'receipt.running.hint': ({ id }: { id: string }) =>
    `Wait until it has ended, or end it with cancel_job; follow it with job_status {"job_id": "${id}"}`,
};
