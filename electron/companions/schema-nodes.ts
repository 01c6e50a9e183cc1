/** Finds all schemas that may describe a nested value, whichever alternative applies. */
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { resolveReference } from '../engine/schema/schema-walk.ts';

/** Far more than any tool needs; a limit for hostile schemas. */
const MAX_NODES = 256;

const closures = new WeakMap<JsonObject, WeakMap<JsonObject, readonly JsonObject[]>>();

/** The schema itself and all schemas reached through `$ref`, `allOf`, `anyOf` and `oneOf`, each once. */
export function schemaNodes(root: JsonObject, schema: unknown): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  let known = closures.get(root);
  if (known === undefined) {
    known = new WeakMap();
    closures.set(root, known);
  }
  const remembered = known.get(schema);
  if (remembered !== undefined) return remembered;
  const found = new Set<JsonObject>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0 && found.size < MAX_NODES) {
    const node = waiting.pop();
    if (!isJsonObject(node) || found.has(node)) continue;
    found.add(node);
    if (typeof node.$ref === 'string') waiting.push(resolveReference(root, node.$ref));
    for (const choice of [node.allOf, node.anyOf, node.oneOf]) if (Array.isArray(choice)) waiting.push(...choice);
  }
  const nodes = [...found];
  known.set(schema, nodes);
  return nodes;
}

/** Schemas that may describe the member `name` of a value described by `nodes`. A pattern is assumed to match every name. */
export function memberSchemas(nodes: readonly JsonObject[], name: string): unknown[] {
  return nodes.flatMap(({ properties, patternProperties, additionalProperties, unevaluatedProperties }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
    const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    return [...patterns, additionalProperties, unevaluatedProperties].filter(isJsonObject);
  });
}

/** The same for the items of a list, at any index. */
export function itemSchemas(nodes: readonly JsonObject[]): unknown[] {
  return nodes.flatMap(({ items, prefixItems, additionalItems, contains, unevaluatedItems }) =>
    [items, prefixItems, additionalItems, contains, unevaluatedItems].flat().filter(isJsonObject),
  );
}
