/** Checks names of new files: one plain name that every system accepts. */
import { AppError } from '../../shared/model/errors.ts';

const MAX_NAME_BYTES = 255;

/** Names Windows gives to devices, with any ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Throws INVALID_REQUEST unless `name` is a plain file name, without folders in it. */
export function checkFileName(name: string, platform: NodeJS.Platform = process.platform): void {
  const reason = faultOf(name, platform);
  if (reason === undefined) return;
  throw new AppError('INVALID_REQUEST', `File name '${name.replaceAll('\0', '\\0')}' cannot be used: ${reason}`, {
    hint: 'Give a plain file name such as "report.json"; the folder is named separately',
  });
}

function faultOf(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return 'it names a folder';
  if (/[/\\]/.test(name)) return 'it contains a folder separator';
  if ([...name].some((character) => character < ' ' || character === '\x7f')) return 'it contains a control character';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `it is longer than ${MAX_NAME_BYTES} bytes`;
  if (windowsDevice.test(name)) return 'Windows keeps this name for a device';
  if (platform !== 'win32') return undefined;
  // A colon would open an alternate data stream of a file; the system refuses the others.
  if (/[<>:"|?*]/.test(name)) return 'it contains a character that Windows does not allow';
  return /[. ]$/.test(name) ? 'it ends with a dot or a space, which Windows drops' : undefined;
}
