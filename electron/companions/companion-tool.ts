/** A companion as clients see it: the upstream's definition with files for parameters, and its results made to fit. */
import type { Warning } from '../../shared/model/conversion.ts';
import { noteBlocks } from '../calls/output.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { PublishedTool } from '../server/tool-source.ts';
import type { JsonObject, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { companionToolName } from './companion-names.ts';
import { companionSchema } from './companion-schema.ts';

/** What the protocol takes a tool without annotations for; some hosts refuse to call one that does not say so. */
const unsaid = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** Of a structured answer, what stands for it where it was stored or sent in parts. */
const OWN_MEMBER = '_filebridge';

export function companionTool(server: string, tool: UpstreamTool): PublishedTool {
  // Calls go to the upstream without tasks, so none are offered.
  const { execution: _, outputSchema, ...kept } = tool;
  const output = isJsonObject(outputSchema) ? optionalOutput(outputSchema) : undefined;
  return {
    ...kept,
    name: companionToolName(server, tool.name),
    inputSchema: companionSchema(tool.inputSchema),
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: tool.annotations ?? unsaid,
  };
}

const KEPT = ['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'properties', 'patternProperties'] as const;

/**
 * Clients hold every answer to this schema, one that was stored instead too. So nothing is required of it, and it may hold a member
 * of our own. Undefined where parts of the schema refer to what would have to go.
 */
function optionalOutput(outputSchema: JsonObject): JsonObject | undefined {
  const kept = Object.fromEntries(
    KEPT.flatMap((keyword) => (outputSchema[keyword] === undefined ? [] : [[keyword, outputSchema[keyword]]])),
  );
  if (/"\$ref":"#(\/(?!\$defs\/|definitions\/|properties\/)[^"]*)?"/.test(JSON.stringify(kept))) return undefined;
  const properties = isJsonObject(kept.properties) ? kept.properties : {};
  const own = { type: 'object', description: 'Where the answer is, if it was stored, or the receipt of its batches' };
  return { ...kept, type: 'object', properties: { ...properties, [OWN_MEMBER]: own } };
}

const isWarning = (value: unknown): value is Warning => isJsonObject(value) && typeof value.message === 'string';

/** The upstream's own result as it is. What stands for it gets the structure that its output schema makes clients wait for. */
export function companionResult(tool: UpstreamTool, result: ToolResult, batched: boolean): ToolResult {
  const said = isJsonObject(result._meta) ? result._meta['filebridge/warnings'] : undefined;
  // A server may write whatever it likes under that name, too.
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
