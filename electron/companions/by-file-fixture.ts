/** Converts a tool's arguments to those of its companion, with files where the published schema allows them. */
import type { DescribedTool } from '../binding/text-form.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { companionNames } from './companion-names.ts';
import { itemSchemas, memberSchemas, schemaNodes } from './companion-request.ts';
import { companionSchema } from './companion-tool.ts';

/** `choose` decides at each place. `held` maps generated paths to the files' values. */
export function byFile(
  tool: DescribedTool,
  value: JsonObject,
  choose: () => boolean,
): { args: JsonObject; held: Map<string, unknown> } {
  const published = companionSchema(tool);
  const names = companionNames(tool.inputSchema);
  const held = new Map<string, unknown>();
  const nodesOf = (schemas: readonly unknown[]) => schemas.flatMap((schema) => schemaNodes(published, schema));
  const change = (at: unknown, nodes: readonly JsonObject[]): unknown => {
    if (Array.isArray(at)) return at.map((item) => change(item, nodesOf(itemSchemas(nodes))));
    if (!isJsonObject(at)) return at;
    const changed: JsonObject = {};
    for (const [name, member] of Object.entries(at)) {
      const path = names.pathOf(name);
      const offered = nodes.some(
        ({ properties }) => isJsonObject(properties) && Object.hasOwn(properties, path) && Object.hasOwn(properties, name),
      );
      if (offered && choose()) {
        const file = `/${held.size}`;
        held.set(file, member);
        setMember(changed, path, file);
      } else setMember(changed, name, change(member, nodesOf(memberSchemas(nodes, name))));
    }
    return changed;
  };
  return { args: change(value, schemaNodes(published, published)) as JsonObject, held };
}
