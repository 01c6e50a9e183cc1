/** What messages carry, as it came over the wire. */

/** A JSON object exactly as it came over the wire, unknown fields included. */
export type JsonObject = { [key: string]: unknown };

/** A tools/call result, untouched: `content` blocks of any type, `structuredContent`, `isError`, `_meta`. */
export interface ToolResult extends JsonObject {
  content: JsonObject[];
  structuredContent?: unknown;
  isError?: boolean;
}
