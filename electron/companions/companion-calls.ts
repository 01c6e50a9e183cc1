/** Lets `call_tool` and `call_tool_and_store` take files for parameters, as companions do. */
import type { Config } from '../../shared/model/config.ts';
import type { CallService } from '../calls/types.ts';
import { type JsonStream, textOf } from '../engine/core/payload.ts';
import type { JsonObject, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { companionNames } from './companion-names.ts';
import { type CompanionRequest, companionHint, companionRequest } from './companion-request.ts';

export function withCompanions(service: CallService, upstreams: UpstreamPool, expose: () => Config['expose']): CallService {
  const through =
    (plain: CallService['callAndStore']): CallService['callAndStore'] =>
    async (request, caller, unparsed) => {
      const { server, tool_name, tool_args } = request;
      if (tool_args === undefined || expose().upstreamTools === 'none') return plain(request, caller, unparsed);
      let tool: UpstreamTool;
      try {
        tool = await upstreams.tool(server, tool_name, { signal: caller.signal });
      } catch {
        // The call itself reports the error, in the caller's format.
        return plain(request, caller, unparsed);
      }
      let args = tool_args;
      if (unparsed) {
        const text = await mayNameFiles(unparsed, companionNames(tool.inputSchema).marks);
        if (text === undefined) return plain(request, caller, unparsed);
        args = JSON.parse(text) as JsonObject;
      }
      let made: CompanionRequest;
      try {
        made = companionRequest(server, tool, args);
      } catch (error) {
        return service.refuse({ server, tool: tool_name }, error, caller, request.output_format);
      }
      if (made.kind === 'plain') return plain(request, caller, unparsed);
      const { server: _s, tool_name: _n, tool_args: _a, ...output } = request;
      return service.callWithFile({ ...output, ...made.request }, { ...caller, hintFor: companionHint(tool) });
    };
  return { ...service, call: through(service.call), callAndStore: through(service.callAndStore) };
}

/** Arguments up to this many bytes are always parsed. */
const READ_BYTES = 16 * 1024;

/** With more names, parsing is faster than searching for each. */
const MAX_MARKS = 64;

/** Longer than any parameter name we add (bytes). */
const SEAM_BYTES = 256;

/** The text of arguments to parse; undefined for large ones that cannot contain an added parameter name, escaped or not. */
export async function mayNameFiles(toolArgs: JsonStream, marks: readonly string[]): Promise<string | undefined> {
  const searched = marks.length <= MAX_MARKS;
  if (toolArgs.bytes > READ_BYTES && searched && !(await holdsAny(toolArgs, ['\\u', ...marks]))) return undefined;
  return (await textOf(toolArgs)).toString();
}

async function holdsAny(stream: JsonStream, words: readonly string[]): Promise<boolean> {
  const spelled = words.map((word) => Buffer.from(word));
  // The names share a first byte, so one search for it usually avoids searching each.
  const firsts = [...new Set(spelled.map((word) => word[0] ?? 0))];
  const holds = (bytes: Buffer) =>
    firsts.some((first) => bytes.includes(first) && spelled.some((word) => word[0] === first && bytes.includes(word)));
  let before: Buffer = Buffer.alloc(0);
  for await (const part of stream.json()) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const begun = firsts.some((first) => before.includes(first));
    if ((begun && holds(Buffer.concat([before, bytes.subarray(0, SEAM_BYTES)]))) || holds(bytes)) return true;
    // A name may span a short chunk.
    before = bytes.length < SEAM_BYTES ? Buffer.concat([before, bytes]).subarray(-SEAM_BYTES) : bytes.subarray(-SEAM_BYTES);
  }
  return false;
}
