/** Reads from the arguments of a call what goes in HTTP headers as well. Only tools that declare such parameters cost anything. */
import type { BoundArguments } from '../binding/bind.ts';
import { type JsonStream, textOf } from '../engine/core/payload.ts';
import { LONGEST_VALUE, parameterHeaders } from '../upstream/parameter-headers.ts';
import type { UpstreamTool } from '../upstream/types.ts';
import type { PreparedPayload } from './payloads.ts';

/** Longer arguments are not read for headers. Bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

type Headers = Record<string, string> | undefined;

export function headersOf(tool: UpstreamTool, args: JsonStream): Promise<Headers> {
  return parameterHeaders(tool, async () => (args.bytes > MOST_BYTES ? Buffer.from('{}') : await textOf(args)));
}

/** As null stands what is too long for a header. */
export function headersOfBound(
  tool: UpstreamTool,
  bound: BoundArguments,
  payloads: readonly PreparedPayload[],
): Promise<Headers> {
  return parameterHeaders(tool, async () => {
    const parts = bound.outline.map(async (part) => {
      if (typeof part === 'string') return Buffer.from(part);
      const payload = payloads[part];
      const asMembers = bound.at[part]?.length === 0;
      if (payload === undefined || payload.bytes > LONGEST_VALUE) return Buffer.from(asMembers ? '"":null' : 'null');
      const text = await textOf(payload);
      return asMembers ? Buffer.from(text.toString().trim().slice(1, -1)) : text;
    });
    return Buffer.concat(await Promise.all(parts));
  });
}
