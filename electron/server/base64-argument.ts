/** Reads content passed as text or as base64: exactly one of them, with strict base64 decoding. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

/** The text as it is, or the bytes of `<name>_base64`; an empty one is one. Throws INVALID_REQUEST naming the parameter. */
export function exactlyOne(args: Record<string, unknown>, name: string, above: string): string | Buffer {
  const [plain, encoded] = [args[name], args[`${name}_base64`]];
  if (typeof plain === 'string' && encoded === undefined) return plain;
  if (plain === undefined && typeof encoded === 'string') return bytesOf(encoded, `${above}${name}_base64`);
  const fault = say('parameter.oneSource', { parameter: `${above}${name}`, name, missing: plain === undefined });
  throw new AppError('INVALID_REQUEST', fault);
}

/** RFC 4648 section 4, padded, without line breaks, and with no bits left over: what another encoder would write for the same bytes. */
function bytesOf(encoded: string, name: string): Buffer {
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') === encoded) return bytes;
  throw new AppError('INVALID_REQUEST', say('parameter.base64', { name }), { hint: say('parameter.base64.hint') });
}
