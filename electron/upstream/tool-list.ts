/** Lists all tools of a server, page by page. */
import { formatBytes } from '../../shared/lib/bytes.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isObject } from '../wire/result-tap.ts';
import { isDeeper } from '../wire/tool-result.ts';
import type { JsonObject, UpstreamTool } from './types.ts';

/** Limits for endless or very large tool lists; bytes count the definitions' JSON. */
export const toolListBounds = {
  pages: 200,
  tools: 2_000,
  definitionBytes: 256 * 1024,
  definitionLevels: 500,
  listBytes: 16 * 1024 * 1024,
} as const;

/**
 * Every definition within the bounds, as it came; `log` hears which bound left something out. `pageOf` gives the result of `tools/list`, or the
 * error that it is. After the time `until`, no further page is asked for. UPSTREAM_FAILED where an answer holds no list.
 */
export async function allTools(
  pageOf: (params: JsonObject) => Promise<unknown>,
  server: string,
  log: (line: string) => void,
  until = Number.POSITIVE_INFINITY,
): Promise<UpstreamTool[]> {
  const bounds = toolListBounds;
  const tools: UpstreamTool[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let tooLong = 0;
  let tooDeep = 0;
  const stop = (bound: string) => {
    log(`only the first ${tools.length} tools are used: ${bound}`);
    return tools;
  };
  let cursor: string | undefined;
  for (let page = 0; page < bounds.pages; page += 1) {
    if (page > 0 && performance.now() > until) return stop('the rest of the list took too long');
    const result = await pageOf(cursor === undefined ? {} : { cursor });
    if (result instanceof AppError) throw result;
    if (!isObject(result) || !Array.isArray(result.tools)) {
      throw new AppError('UPSTREAM_FAILED', say('tools.failed', { server, reason: say('tools.noList') }));
    }
    for (const tool of result.tools) {
      if (!isTool(tool)) continue;
      if (tools.length === bounds.tools) return stop(`a server may list ${bounds.tools}`);
      if (isDeeper(tool, bounds.definitionLevels)) {
        tooDeep += 1;
        if (tooDeep === 1) log(`a tool is left out: its definition is nested over ${bounds.definitionLevels} levels deep`);
        continue;
      }
      const size = Buffer.byteLength(JSON.stringify(tool));
      if (size > bounds.definitionBytes) {
        tooLong += 1;
        if (tooLong === 1) log(`a tool is left out: its definition is longer than ${formatBytes(bounds.definitionBytes)}`);
        continue;
      }
      bytes += size;
      if (bytes > bounds.listBytes) return stop(`their definitions may take ${formatBytes(bounds.listBytes)}`);
      tools.push(tool);
    }
    if (typeof result.nextCursor !== 'string' || result.nextCursor === '' || seen.has(result.nextCursor)) return tools;
    cursor = result.nextCursor;
    seen.add(cursor);
  }
  return stop(`a list may have ${bounds.pages} pages`);
}

function isTool(value: unknown): value is UpstreamTool {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  if (!isObject(value.inputSchema)) value.inputSchema = { type: 'object' };
  return true;
}
