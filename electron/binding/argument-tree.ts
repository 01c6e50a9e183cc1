/** A tool's arguments as a tree with slots for payloads, built before any text is written. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { formatDataKey } from './data-key.ts';

type Segments = readonly (string | number)[];

/** A value from the caller, an object or list opened along a path, or a slot for a payload. */
export type ArgumentNode =
  | { kind: 'literal'; value: unknown }
  | { kind: 'object'; members: Map<string, ArgumentNode> }
  /** Sparse until `refuseGaps` has run, because slots can be added in any order. */
  | { kind: 'list'; items: Map<number, ArgumentNode> }
  | { kind: 'hole'; placement: number }
  /** An idempotency key, which each message replaces with its own. */
  | { kind: 'key'; value: string };

export type ObjectNode = Extract<ArgumentNode, { kind: 'object' }>;

/** The root of the arguments, opened. */
export function rootNode(toolArgs: JsonObject): ObjectNode {
  return openObject(toolArgs);
}

function openObject(value: JsonObject): ObjectNode {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return { kind: 'object', members: new Map(members.map(([name, member]) => [name, { kind: 'literal', value: member }])) };
}

function opened(node: ArgumentNode): ArgumentNode {
  if (node.kind !== 'literal') return node;
  if (Array.isArray(node.value)) {
    return { kind: 'list', items: new Map(node.value.map((value, index) => [index, { kind: 'literal', value }])) };
  }
  return isJsonObject(node.value) ? openObject(node.value) : node;
}

const kindOf = (node: ArgumentNode): 'list' | 'object' | 'string' | 'number' | 'boolean' | 'null' => {
  if (node.kind !== 'literal') return node.kind === 'list' ? 'list' : 'object';
  const { value } = node;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
};

/** Two payloads, or a payload and tool_args, at the same place. */
export function conflict(key: string, between: 'files' | 'tool_args'): AppError {
  return between === 'files'
    ? new AppError('BINDING_CONFLICT', say('binding.twoFiles', { key }), {
        hint: say('binding.twoFiles.hint'),
        details: { dataKey: key },
      })
    : new AppError('BINDING_CONFLICT', say('binding.fileAndArgument', { key }), {
        hint: say('binding.fileAndArgument.hint'),
        details: { dataKey: key },
      });
}

function holds(node: ArgumentNode, kind: 'hole'): boolean {
  if (node.kind === kind) return true;
  const inside = node.kind === 'object' ? node.members : node.kind === 'list' ? node.items : undefined;
  return inside !== undefined && [...inside.values()].some((each) => holds(each, kind));
}

/**
 * Puts a payload's slot at `segments` and opens or creates the containers on the way. Returns whether a value of
 * tool_args was replaced. Throws DATA_KEY_INVALID and BINDING_CONFLICT.
 */
export function placeHole(root: ObjectNode, segments: Segments, placement: number, overwrite: boolean): boolean {
  const key = formatDataKey(segments);
  let at: ArgumentNode = root;
  for (const [depth, segment] of segments.entries()) {
    const container = containerAt(at, segments, depth);
    const isLast = depth === segments.length - 1;
    const present = container.get(segment);
    if (isLast) {
      if (present !== undefined && holds(present, 'hole')) throw conflict(key, 'files');
      if (present !== undefined && !overwrite) throw conflict(key, 'tool_args');
      container.set(segment, { kind: 'hole', placement });
      return present !== undefined;
    }
    const next: ArgumentNode =
      present !== undefined
        ? opened(present)
        : typeof segments[depth + 1] === 'number'
          ? { kind: 'list', items: new Map() }
          : { kind: 'object', members: new Map() };
    if (next.kind === 'hole') throw conflict(key, 'files');
    container.set(segment, next);
    at = next;
  }
  return false;
}

/** The members or items of `node`, which must suit the segment at `depth`. */
function containerAt(node: ArgumentNode, segments: Segments, depth: number): Map<string | number, ArgumentNode> {
  const segment = segments[depth] as string | number;
  const key = formatDataKey(segments);
  if (node.kind === 'object' && typeof segment === 'string') return node.members as Map<string | number, ArgumentNode>;
  if (node.kind === 'list' && typeof segment === 'number') return node.items as Map<string | number, ArgumentNode>;
  const path = segments.slice(0, depth);
  const above = depth === 0 ? null : formatDataKey(path);
  throw new AppError('DATA_KEY_INVALID', say('dataKey.misfit', { key, above, is: kindOf(node), wanted: segment }), {
    hint:
      node.kind === 'list' ? say('dataKey.misfit.item', { example: formatDataKey([...path, 0]) }) : say('dataKey.misfit.other'),
    details: { dataKey: key },
  });
}

/** JSON lists cannot have gaps. Throws DATA_KEY_INVALID, which names the first missing index. */
export function refuseGaps(node: ArgumentNode, path: Segments = []): void {
  if (node.kind === 'object') {
    for (const [name, member] of node.members) refuseGaps(member, [...path, name]);
  } else if (node.kind === 'list') {
    for (let index = 0; index < node.items.size; index += 1) {
      const item = node.items.get(index);
      if (item !== undefined) {
        refuseGaps(item, [...path, index]);
        continue;
      }
      const last = formatDataKey([...path, Math.max(...node.items.keys())]);
      throw new AppError('DATA_KEY_INVALID', say('dataKey.gap', { key: last, before: index }), {
        hint: say('dataKey.gap.hint', { first: formatDataKey([...path, index]) }),
        details: { dataKey: last },
      });
    }
  }
}

/**
 * Puts an idempotency key at `path`, creating the objects on the way. Returns false where a payload or a value is in the way; `replace` allows to
 * replace a value at the place itself.
 */
export function placeKey(root: ObjectNode, path: readonly string[], value: string, replace: boolean): boolean {
  const names = [...path];
  const last = names.pop();
  if (last === undefined) return false;
  let at = root;
  for (const name of names) {
    const present = at.members.get(name);
    const next: ArgumentNode = present === undefined ? { kind: 'object', members: new Map() } : opened(present);
    if (next.kind !== 'object') return false;
    at.members.set(name, next);
    at = next;
  }
  const present = at.members.get(last);
  if (present !== undefined && !(replace && present.kind === 'literal')) return false;
  at.members.set(last, { kind: 'key', value });
  return true;
}
