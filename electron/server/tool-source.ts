/** Interface of a set of tools: a list to publish and a method to call them. */
import type { CallerContext } from '../calls/types.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';

/** Every hint is given: a missing one is read as its worst case, and some hosts cancel calls of tools without them. */
export interface ToolAnnotations extends JsonObject {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A definition as it stands in `tools/list`. */
export interface PublishedTool extends JsonObject {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonObject & { type: 'object' };
  annotations?: JsonObject | undefined;
}

export interface ToolSource {
  list(): Promise<readonly PublishedTool[]>;
  /** Whether there is such a tool, where `list` may not know it yet. */
  has?(name: string): Promise<boolean>;
  /** Undefined where the source has no tool of that name. Failures are results with `isError`. */
  call(name: string, args: unknown, caller: CallerContext): Promise<ToolResult> | undefined;
  /** A line for the client's instructions about how to use these tools, while there are any. */
  instructions?(): string | undefined;
  /** Fires when the list has changed. Returns the unsubscribe function. */
  onChange?(listener: () => void): () => void;
}
