/** Checks names of new files: one plain name that every system accepts. */
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';

const MAX_NAME_BYTES = 255;

/** Names Windows gives to devices, with any ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Throws INVALID_REQUEST unless `name` is a plain file name, without folders in it. */
export function checkFileName(name: string, platform: NodeJS.Platform = process.platform): void {
  const reason = faultOf(name, platform);
  if (reason === undefined) return;
  throw new AppError('INVALID_REQUEST', say('name.refused', { name: name.replaceAll('\0', '\\0'), reason }), {
    hint: say('name.refused.hint'),
  });
}

function faultOf(name: string, platform: NodeJS.Platform): Message | undefined {
  if (name === '') return say('name.empty');
  if (name === '.' || name === '..') return say('name.folder');
  if (/[/\\]/.test(name)) return say('name.separator');
  if ([...name].some((character) => character < ' ' || character === '\x7f')) return say('name.control');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return say('name.long', { bytes: MAX_NAME_BYTES });
  if (windowsDevice.test(name)) return say('name.device');
  if (platform !== 'win32') return undefined;
  // A colon would open an alternate data stream of a file; the system refuses the others.
  if (/[<>:"|?*]/.test(name)) return say('name.windows');
  return /[. ]$/.test(name) ? say('name.end') : undefined;
}
