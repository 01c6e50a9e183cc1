/** All tools of a server, page by page. */
import { AppError } from '../../shared/model/errors.ts';
import { isObject } from './result-tap.ts';
import type { JsonObject, UpstreamTool } from './types.ts';

/** Bounds for a server whose pages never end. */
const MAX_PAGES = 200;
const MAX_TOOLS = 20_000;

/** Every definition, as it came. `pageOf` gives the result of `tools/list`, or the error that it is; UPSTREAM_FAILED where it holds no list. */
export async function allTools(
  pageOf: (params: JsonObject) => Promise<unknown>,
  server: string,
  log: (line: string) => void,
): Promise<UpstreamTool[]> {
  const tools: UpstreamTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const result = await pageOf(cursor === undefined ? {} : { cursor });
    if (result instanceof AppError) throw result;
    if (!isObject(result) || !Array.isArray(result.tools)) {
      throw new AppError(
        'UPSTREAM_FAILED',
        `Server '${server}' did not say which tools it has: its answer holds no list of them`,
      );
    }
    for (const tool of result.tools) if (isTool(tool)) tools.push(tool);
    if (typeof result.nextCursor !== 'string' || result.nextCursor === '' || seen.has(result.nextCursor)) return tools;
    cursor = result.nextCursor;
    seen.add(cursor);
  }
  log(`stopped listing tools after ${tools.length}`);
  return tools;
}

function isTool(value: unknown): value is UpstreamTool {
  if (!isObject(value) || typeof value.name !== 'string') return false;
  if (!isObject(value.inputSchema)) value.inputSchema = { type: 'object' };
  return true;
}
