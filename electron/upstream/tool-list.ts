/** Lists all tools, prompts or resources of a server, page by page. */

import { formatBytes } from '../../shared/lib/bytes.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import { isDeeper } from '../wire/result-tap.ts';
import type { JsonObject, Offer, UpstreamTool } from './types.ts';

/** Limits for endless or very large tool lists; bytes count the definitions' JSON. */
export const toolListBounds = {
  pages: 200,
  tools: 2_000,
  definitionBytes: 256 * 1024,
  definitionLevels: 500,
  listBytes: 16 * 1024 * 1024,
} as const;

/** Describes a kind of list: the result's member, its noun for the log, and which items are valid. */
interface Listed<T> {
  member: string;
  noun: string;
  accepts: (item: unknown) => item is T;
}

type PageOf = (params: JsonObject) => Promise<unknown>;

/** Every tool definition within the bounds, as it came. See `allOf`. */
export async function allTools(
  pageOf: PageOf,
  server: string,
  log: (line: string) => void,
  until?: number,
): Promise<UpstreamTool[]> {
  const tools = await allOf({ member: 'tools', noun: 'tool', accepts: isTool }, pageOf, server, log, until);
  const offered = tools.filter((tool) => !needsTask(tool));
  if (offered.length < tools.length)
    log(
      `tools that can only be called as tasks are not offered: ${tools
        .filter(needsTask)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  return offered;
}

/** Such a tool refuses ordinary calls (MCP 2025-11-25, "tasks"). */
const needsTask = ({ execution }: UpstreamTool): boolean => isJsonObject(execution) && execution.taskSupport === 'required';

/** The lists beside that of the tools. A resource is known by its URI, a template by its URI template. */
export const offerLists = [
  { kind: 'prompt', method: 'prompts/list', member: 'prompts', key: 'name', capability: 'prompts' },
  { kind: 'resource', method: 'resources/list', member: 'resources', key: 'uri', capability: 'resources' },
  {
    kind: 'template',
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    capability: 'resources',
  },
] as const;

/** Every prompt, resource or template within the bounds of a tool list. See `allOf`. */
export async function allOffers(
  { kind, member, key }: (typeof offerLists)[number],
  pageOf: PageOf,
  server: string,
  log: (line: string) => void,
  until?: number,
): Promise<Offer[]> {
  const accepts = (item: unknown): item is JsonObject => isJsonObject(item) && typeof item[key] === 'string';
  const items = await allOf({ member, noun: kind, accepts }, pageOf, server, log, until);
  return items.map((definition) => ({ kind, key: String(definition[key]), definition }));
}

/**
 * Every item within the bounds, as it came; `log` hears which bound left something out. `pageOf` gives the result of one request, or the
 * error that it is. After the time `until`, no further page is asked for. UPSTREAM_FAILED where an answer holds no list.
 */
async function allOf<T extends JsonObject>(
  { member, noun, accepts }: Listed<T>,
  pageOf: PageOf,
  server: string,
  log: (line: string) => void,
  until = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const bounds = toolListBounds;
  const items: T[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let tooLong = 0;
  let tooDeep = 0;
  const stop = (bound: string) => {
    log(`only the first ${items.length} ${noun}s are used: ${bound}`);
    return items;
  };
  let cursor: string | undefined;
  for (let page = 0; page < bounds.pages; page += 1) {
    if (page > 0 && performance.now() > until) return stop('the rest of the list took too long');
    const result = await pageOf(cursor === undefined ? {} : { cursor });
    if (result instanceof AppError) throw result;
    const listed: unknown = isJsonObject(result) ? result[member] : undefined;
    if (!isJsonObject(result) || !Array.isArray(listed)) {
      throw new AppError('UPSTREAM_FAILED', say('tools.failed', { server, reason: say('tools.noList') }));
    }
    for (const item of listed as unknown[]) {
      if (!accepts(item)) continue;
      if (items.length === bounds.tools) return stop(`a server may list ${bounds.tools}`);
      if (isDeeper(item, bounds.definitionLevels)) {
        tooDeep += 1;
        if (tooDeep === 1) log(`a ${noun} is left out: its definition is nested over ${bounds.definitionLevels} levels deep`);
        continue;
      }
      const size = Buffer.byteLength(JSON.stringify(item));
      if (size > bounds.definitionBytes) {
        tooLong += 1;
        if (tooLong === 1) log(`a ${noun} is left out: its definition is longer than ${formatBytes(bounds.definitionBytes)}`);
        continue;
      }
      bytes += size;
      if (bytes > bounds.listBytes) return stop(`their definitions may take ${formatBytes(bounds.listBytes)}`);
      items.push(item);
    }
    if (typeof result.nextCursor !== 'string' || result.nextCursor === '' || seen.has(result.nextCursor)) return items;
    cursor = result.nextCursor;
    seen.add(cursor);
  }
  return stop(`a list may have ${bounds.pages} pages`);
}

function isTool(value: unknown): value is UpstreamTool {
  if (!isJsonObject(value) || typeof value.name !== 'string') return false;
  if (!isJsonObject(value.inputSchema)) value.inputSchema = { type: 'object' };
  return true;
}
