/** A parsed JSON object whose members are unknown, such as a schema or a tool's arguments. */

export type JsonObject = { [key: string]: unknown };

/** True for JSON objects, false for lists, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property with any name: plain assignment would run the `__proto__` setter. */
export function setMember(object: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else (object as JsonObject)[key] = value;
}
