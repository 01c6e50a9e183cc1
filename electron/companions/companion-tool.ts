/** Builds a companion's published definition from the upstream's, and adapts its results. */
import type { Warning } from '../../shared/model/conversion.ts';
import { noteBlocks } from '../calls/output.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import type { PublishedTool } from '../server/tool-source.ts';
import type { JsonObject, ToolResult, UpstreamTool } from '../upstream/types.ts';
import { companionToolName } from './companion-names.ts';
import { companionSchema } from './companion-schema.ts';

/** The protocol's defaults for a tool without annotations; some hosts refuse tools that do not state them. */
const unsaid = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** The member that replaces a structured answer that was stored or sent in parts. */
const OWN_MEMBER = '_filebridge';

export function companionTool(server: string, tool: UpstreamTool): PublishedTool {
  // Calls use no MCP tasks upstream, so companions offer none.
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
 * The output schema for companions: clients validate every answer with it, including stored ones, so nothing is required
 * and one extra member is allowed. Undefined if parts of the schema refer to removed parts.
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
