/** Types for JSON-RPC payloads as received. */

/** A JSON object as received, unknown fields included. */
export type JsonObject = { [key: string]: unknown };

/** An unmodified tools/call result: `content` blocks of any type, `structuredContent`, `isError`, `_meta`. */
export interface ToolResult extends JsonObject {
  content: JsonObject[];
  structuredContent?: unknown;
  isError?: boolean;
}
