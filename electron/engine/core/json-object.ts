/** A parsed JSON object of which nothing is known yet: a schema, or a tool's arguments. */

export type JsonObject = { [key: string]: unknown };

/** True of JSON objects, false of lists, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own, ordinary property whatever the name is: plain assignment would run the `__proto__` setter. */
export function setMember(object: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else (object as JsonObject)[key] = value;
}
