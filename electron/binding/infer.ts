/** Infers which argument a payload is for if no data key was given. */
import type { PayloadKind } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { declarationsOf, propertyNames } from '../engine/schema/schema-advice.ts';
import { type Alternatives, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import { formatDataKey } from './data-key.ts';
import { takesFile } from './payload-parameters.ts';
import type { DescribedTool } from './text-form.ts';

/** A parameter with fixed values does not take a file's content. */
const isFixed = (alternatives: Alternatives): boolean =>
  alternatives.length > 0 &&
  alternatives.every((conjunction) => conjunction.some((schema) => Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')));

function accepts(alternatives: Alternatives, kind: PayloadKind): boolean {
  if (alternatives.length === 0 || isFixed(alternatives)) return false;
  const types = typesOf(alternatives);
  return types === undefined || types.has(kind) || (kind === 'number' && types.has('integer'));
}

/**
 * The schema's only property outside `taken` that accepts a payload of this kind, or, with `orText`, a text; of several, the only one that is meant
 * for content. Throws BINDING_AMBIGUOUS with the candidates.
 */
export function inferProperty(tool: DescribedTool, kind: PayloadKind, taken: ReadonlySet<string>, orText = false): string {
  const { inputSchema } = tool;
  const free = propertyNames(inputSchema)
    .filter((name) => !taken.has(name))
    .map((name) => {
      const alternatives = walkSchema(inputSchema, [name]) ?? [];
      const types = typesOf(alternatives);
      const fits = accepts(alternatives, kind);
      return { name, types: types === undefined ? null : [...types], fits, takesText: accepts(alternatives, 'string') };
    });
  const own = free.filter((candidate) => candidate.fits);
  const fitting = own.length > 0 || !orText ? own : free.filter((candidate) => candidate.takesText);
  const root = (walkSchema(inputSchema, []) ?? []).flat();
  const likely = fitting.filter(({ name }) => declarationsOf(root, name).some((schema) => takesFile(tool, name, schema)));
  const [only] = likely.length === 1 ? likely : fitting;
  if (only !== undefined && (likely.length === 1 || fitting.length === 1)) return only.name;
  const candidates = (fitting.length > 0 ? fitting : free).map(({ name, types }) => ({ key: formatDataKey([name]), types }));
  const message =
    fitting.length > 1
      ? say('binding.several', { holds: kind, candidates })
      : free.length > 0
        ? say('binding.noneFits', { holds: kind, candidates })
        : say('binding.noneFree', { holds: kind });
  throw new AppError('BINDING_AMBIGUOUS', message, {
    hint:
      kind === 'array' && fitting.length === 0
        ? say('binding.list.hint', { text: free.some(({ takesText }) => takesText) })
        : say('binding.ambiguous.hint'),
    details: { candidates: (fitting.length > 0 ? fitting : free).map(({ name }) => name) },
  });
}
