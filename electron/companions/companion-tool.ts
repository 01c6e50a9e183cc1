/** Builds a companion's published definition from the upstream's, and adapts its results. */
import { z } from 'zod';
import type { Warning } from '../../shared/model/conversion.ts';
import { noteBlocks } from '../calls/output.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import { hostSchema, refusedParameters } from '../server/host-schema.ts';
import type { PublishedTool } from '../server/tool-source.ts';
import type { JsonObject, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { companionToolName } from './companion-names.ts';
import { companionSchema } from './companion-schema.ts';

/** The protocol's defaults for a tool without annotations; some hosts refuse tools that do not state them. */
const unsaid = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** The member that replaces a structured answer that was stored or sent in parts. */
const OWN_MEMBER = '_filebridge';

const hint = z.boolean().optional();
/** Members that clients check: one of another form costs them the whole list. */
const members: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['title', z.string()],
  ['icons', z.array(z.looseObject({ src: z.string(), mimeType: z.string().optional(), sizes: z.array(z.string()).optional() }))],
  ['_meta', z.looseObject({})],
]);
const annotationsSchema = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: hint,
  destructiveHint: hint,
  idempotentHint: hint,
  openWorldHint: hint,
});

export function companionTool(server: string, tool: UpstreamTool): PublishedTool {
  // Calls use no MCP tasks upstream, so companions offer none.
  const { execution: _, name: __, inputSchema, outputSchema, annotations, description, ...more } = tool;
  const kept = Object.entries(more).filter(([member, value]) => members.get(member)?.safeParse(value).success ?? true);
  const output = isJsonObject(outputSchema) ? optionalOutput(outputSchema) : undefined;
  const said = boundedDescription(typeof description === 'string' ? description : '', refusedParameters(inputSchema));
  return {
    ...Object.fromEntries(kept),
    name: companionToolName(server, tool.name),
    ...(said === '' ? {} : { description: said }),
    inputSchema: companionSchema(tool),
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: annotationsSchema.safeParse(annotations).success ? annotations : unsaid,
  };
}

/** Some models refuse a longer one, and all tools with it (characters). */
const MAX_DESCRIPTION = 1024;
const MORE = '… (describe_upstream_tool has the rest)';

/** The description, up to what every host takes, with the parameters that are not in the published schema. */
export function boundedDescription(description: string, refused: readonly string[] = []): string {
  const names = refused.map((name) => JSON.stringify(name)).join(', ');
  const note = refused.length > 0 ? `\nAlso takes ${names}, by call_tool` : '';
  const whole = `${description}${note}`.trim();
  if (whole.length <= MAX_DESCRIPTION) return whole;
  const end = `${MORE}${note}`.slice(0, MAX_DESCRIPTION / 2);
  const start = description.slice(0, MAX_DESCRIPTION - end.length);
  // After a whole line, sentence or word, unless that is far up.
  const cut = [/\n/g, /[.!?](?=\s)/g, /\s/g]
    .map((stop) => [...start.matchAll(stop)].at(-1))
    .map((found) => (found ? found.index + found[0].trimEnd().length : 0))
    .find((at) => at > start.length * 0.8);
  return `${start.slice(0, cut ?? start.length).replace(/[\uD800-\uDBFF]$/, '')}${end}`;
}

const KEPT = ['$defs', 'definitions', 'title', 'description', 'properties'] as const;

/**
 * The output schema for companions: clients validate every answer with it, including stored ones, so nothing is required
 * and further members are allowed. Undefined if it is not about an object.
 */
function optionalOutput(outputSchema: JsonObject): JsonObject | undefined {
  if (outputSchema.type !== undefined && outputSchema.type !== 'object') return undefined;
  const kept = KEPT.flatMap((keyword) => (outputSchema[keyword] === undefined ? [] : [[keyword, outputSchema[keyword]]]));
  return hostSchema(Object.fromEntries(kept), 'answers', outputSchema);
}

const isWarning = (value: unknown): value is Warning => isJsonObject(value) && typeof value.message === 'string';

/** The upstream's result, unchanged. A substitute gets the structure that the output schema makes clients expect. */
export function companionResult(tool: UpstreamTool, result: ToolResult, batched: boolean): ToolResult {
  const said = isJsonObject(result._meta) ? result._meta['filebridge/warnings'] : undefined;
  // The server may use that member's name for anything.
  const warnings = Array.isArray(said) ? said.filter(isWarning) : [];
  const shown = warnings.length > 0 ? { ...result, content: [...(result.content ?? []), ...noteBlocks(warnings)] } : result;
  if (!isJsonObject(tool.outputSchema) || result.isError) return shown;
  if (batched && result.structuredContent !== undefined) {
    return { ...shown, structuredContent: { [OWN_MEMBER]: { receipt: result.structuredContent } } };
  }
  if (result.structuredContent !== undefined) return shown;
  const stored = (result.content ?? []).flatMap(({ type, uri }) => (type === 'resource_link' ? [uri] : []));
  return { ...shown, structuredContent: { [OWN_MEMBER]: stored.length > 0 ? { stored } : {} } };
}
