/** Converts parsed values of any format to plain objects, so that they can be compared and changed in the same way. */

export type PlainObject = Record<string, unknown>;

export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A copy without prototypes of a parser's own. Dates stay as they are. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** Returns the value at a path of keys; undefined if a key is missing. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** A copy with the value at a path put there, or taken away for undefined. What stands in the way and is no object is replaced. */
export function withValueAt(value: unknown, keys: readonly string[], item: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return item;
  const object = isObject(value) ? value : {};
  const next = rest.length === 0 ? item : withValueAt(Object.hasOwn(object, key) ? object[key] : undefined, rest, item);
  const entries = Object.entries(object);
  if (next === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(
    Object.hasOwn(object, key)
      ? entries.map(([name, old]) => [name, name === key ? next : old] as const)
      : [...entries, [key, next]],
  );
}
