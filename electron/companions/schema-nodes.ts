/** Follows a JSON Schema down a value by every schema that may have a say, whichever alternative holds in the end. */
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { resolveReference } from '../engine/schema/schema-walk.ts';

/** Far more than any tool needs; a hostile schema must not make a call slow. */
const MAX_NODES = 256;

const closures = new WeakMap<JsonObject, WeakMap<JsonObject, readonly JsonObject[]>>();

/** The schema itself and what it leads to by `$ref`, `allOf`, `anyOf` and `oneOf`, each once. */
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

/** Schemas that may speak of the member `name` of a value that `nodes` speak of. A pattern is taken to fit every name. */
export function memberSchemas(nodes: readonly JsonObject[], name: string): unknown[] {
  return nodes.flatMap(({ properties, patternProperties, additionalProperties, unevaluatedProperties }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
    const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    return [...patterns, additionalProperties, unevaluatedProperties].filter(isJsonObject);
  });
}

/** The same of the items of a list, whatever their place. */
export function itemSchemas(nodes: readonly JsonObject[]): unknown[] {
  return nodes.flatMap(({ items, prefixItems, additionalItems, contains, unevaluatedItems }) =>
    [items, prefixItems, additionalItems, contains, unevaluatedItems].flat().filter(isJsonObject),
  );
}
