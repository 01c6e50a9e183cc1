/** Lists the parameters of a tool that take a file, for the audit and the window. */
import { formatDataKey } from '../binding/data-key.ts';
import { takesFile } from '../binding/payload-parameters.ts';
import { type DescribedTool, type FormEvidence, formEvidence } from '../binding/text-form.ts';
import { isJsonObject } from '../engine/core/json-object.ts';
import { ANY_ITEM, alternativesOf, type SchemaStep, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import { companionNames } from './companion-names.ts';

export interface FileParameter {
  /** Data key of the parameter, `[]` for any item: `files[].content`. */
  parameter: string;
  /** Data key of the companion's parameter for the file. */
  companion: string;
  /** How a file becomes the value; `auto`: by its format. */
  reading: FormEvidence['form'] | 'auto';
}

const MAX_LISTED_DEPTH = 10;
/** Maximum number of places looked at: schemas with many shared parts have an enormous number of them. */
const MAX_VISITS = 2_000;

interface Visit {
  schema: unknown;
  steps: readonly SchemaStep[];
  trail: ReadonlySet<unknown>;
}

/** Every parameter that takes a file, nested ones included, those at the top in the schema's order. Recursive schemas are followed once. */
export function fileParameters(tool: DescribedTool): FileParameter[] {
  const { inputSchema } = tool;
  const names = companionNames(inputSchema);
  const listed = new Map<string, FileParameter & { top: SchemaStep | undefined }>();
  const tops: (SchemaStep | undefined)[] = [];
  // Outer parameters come first, so that the limit omits none of them.
  const waiting: Visit[] = [{ schema: inputSchema, steps: [], trail: new Set() }];
  for (let at = 0; at < waiting.length && at < MAX_VISITS; at += 1) {
    const { schema, steps, trail } = waiting[at] as Visit;
    if (steps.length > MAX_LISTED_DEPTH) continue;
    const parts = new Set(alternativesOf(inputSchema, schema).flat());
    const inner = new Set([...trail, ...parts]);
    for (const part of parts) {
      if (trail.has(part)) continue;
      for (const items of [part.items, part.prefixItems].flat())
        if (isJsonObject(items)) waiting.push({ schema: items, steps: [...steps, ANY_ITEM], trail: inner });
      if (!isJsonObject(part.properties)) continue;
      for (const [name, property] of Object.entries(part.properties)) {
        const here = [...steps, name];
        const key = keyOf(here);
        if (!listed.has(key) && takesFile(tool, name, property)) {
          const companion = keyOf([...steps, names.pathOf(name)]);
          listed.set(key, { parameter: key, companion, reading: readingAt(tool, here), top: here[0] });
        }
        if (steps.length === 0) tops.push(name);
        waiting.push({ schema: property, steps: here, trail: inner });
      }
    }
  }
  const order = new Map(tops.map((top, index) => [top, index]));
  return [...listed.values()]
    .sort((one, other) => (order.get(one.top) ?? 0) - (order.get(other.top) ?? 0))
    .map(({ top: _, ...found }) => found);
}

/** Strings as the tool says, lists and objects as JSON; if both fit, by the file's format. */
function readingAt(tool: DescribedTool, steps: readonly SchemaStep[]): FileParameter['reading'] {
  const segments = steps.map((step) => (typeof step === 'symbol' ? 0 : step));
  const types = typesOf(walkSchema(tool.inputSchema, segments) ?? [[]]);
  if (types === undefined) return 'auto';
  if (!types.has('string')) return 'json';
  if (types.has('array') || types.has('object')) return 'auto';
  return formEvidence(tool, segments)?.form ?? 'text';
}

const keyOf = (steps: readonly SchemaStep[]): string =>
  formatDataKey(steps.map((step) => (typeof step === 'symbol' ? 0 : step))).replaceAll('[0]', '[]');
