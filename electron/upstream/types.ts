/** Interfaces of the MCP client side for the rest of the program. */

import type { Upstream } from '../../shared/model/config.ts';
import type { AppError } from '../../shared/model/errors.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import type { JsonStream } from '../engine/core/payload.ts';
import type { ToolResult } from '../wire/result-tap.ts';
import type { LogLine } from './event-log.ts';

export type { JsonObject } from '../engine/core/json-object.ts';
export type { ToolResult } from '../wire/result-tap.ts';
export type { LogLine } from './event-log.ts';

/** An upstream's unmodified tool definition. */
export interface UpstreamTool extends JsonObject {
  name: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
}

/** What a tool says of itself. */
export const isReadOnly = (annotations: JsonObject = {}): boolean => annotations.readOnlyHint === true;

/** A tool without hints may be destructive, but a warning at every tool would be ignored. */
export const isDestructive = (annotations: JsonObject = {}): boolean =>
  !isReadOnly(annotations) && annotations.destructiveHint === true;

/** Prompts, resources and resource templates as a server listed them. */
export interface Offer {
  kind: 'prompt' | 'resource' | 'template';
  /** A prompt's name, a resource's URI, a template's URI template. */
  key: string;
  definition: JsonObject;
}

export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'backoff' | 'needs_sign_in' | 'failed' | 'disabled';

export interface UpstreamStatus {
  name: string;
  type: Upstream['type'];
  state: UpstreamState;
  /** Error in plain words; null without an error. */
  lastError: string | null;
  /** The hint. */
  lastHint: string | null;
  /** The same as an error. */
  error: AppError | null;
  /** Server name and version, once connected. */
  serverInfo: { name: string; version: string } | null;
  protocolVersion: string | null;
  toolCount: number | null;
  /** Those that say of themselves that they may delete or replace. */
  destructive: string[];
}

/** A folder that a client works in, as it named it. */
export interface Root extends JsonObject {
  uri: string;
}

export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** Callbacks for messages from an upstream while a call runs. All are optional. */
export interface CallHooks {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** `notifications/message` from the upstream. */
  onLog?: ((params: JsonObject) => void) | undefined;
  /** `_meta` of the caller's request, which goes to the upstream as it is. */
  meta?: JsonObject | undefined;
  /** Arguments that go in HTTP headers as well, in the 2026 era. */
  headers?: Record<string, string> | undefined;
  /** `elicitation/create` from the upstream; absent: declined. */
  elicit?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
  /** `sampling/createMessage` from the upstream; absent: refused. */
  sample?: ((params: JsonObject) => Promise<JsonObject>) | undefined;
  /** The caller's roots, for a server that asks for them; absent: none. Never rejects. */
  roots?: (() => Promise<readonly Root[]>) | undefined;
}

export interface UpstreamPool {
  names(): string[];
  /** UPSTREAM_UNKNOWN, UPSTREAM_DISABLED. */
  config(name: string): Upstream;
  /** The same with the placeholders of its command line or address filled, once it was connected; variables and headers as configured. */
  used(name: string): Upstream;
  /** Where calls of it really go: its command line or address, without secrets, and the folder the command runs in. */
  target(name: string): { target: string; folder: string | null };
  /** A hash of all that decides where calls go: program or address, arguments, variables and headers, with the values of the last connection. */
  settingsHash(name: string): string;
  status(name?: string): UpstreamStatus[];
  /** The tools, connecting if need be; cached until list_changed. Without what allow and deny lists hold back, unless `all`. */
  tools(name: string, options?: { signal?: AbortSignal; refresh?: boolean; all?: boolean }): Promise<UpstreamTool[]>;
  /** TOOL_UNKNOWN (naming near misses), UPSTREAM_*. */
  tool(name: string, tool: string, options?: { signal?: AbortSignal }): Promise<UpstreamTool>;
  /** Maximum JSON-RPC message size of the upstream (bytes). */
  maxMessageBytes(name: string): number;
  /**
   * Calls a tool. The arguments are streamed into the message without being held.
   * Resolves with tool errors (`isError`); rejects with AppError for anything else.
   */
  callTool(name: string, tool: string, args: JsonStream, hooks?: CallHooks): Promise<ToolResult>;
  /** Prompts, resources and templates, connecting if need be; cached until list_changed. Without what the deny list holds back. */
  offers(name: string, options?: { signal?: AbortSignal }): Promise<Offer[]>;
  /**
   * Any other request, whose result is given as it is. `about` is the prompt or resource it is for, which the deny list may hold back.
   * UPSTREAM_*, CANCELLED.
   */
  request(name: string, request: { method: string; params: JsonObject; about: string }, hooks?: CallHooks): Promise<JsonObject>;
  /**
   * Calls back when the server announces that a resource has changed, and when it may have while there was no connection; the server is not
   * ended for idleness meanwhile. Resolves with the function that ends it. UPSTREAM_*.
   */
  subscribe(name: string, uri: string, listener: () => void): Promise<() => void>;
  /** Fires when what `offers` gives may have changed. Returns the unsubscribe function. */
  onOffersChanged(listener: (name: string) => void): () => void;
  /** Fires when an upstream's list of tools changed. Returns the unsubscribe function. */
  onToolsChanged(listener: (name: string) => void): () => void;
  /** Fires when what `status` tells of an upstream may have changed, or when upstreams came or went. Returns the unsubscribe function. */
  onStatusChanged(listener: (name: string) => void): () => void;
  /** Lines from the upstream's stderr and events of its connection, oldest first. Bounded; secrets are masked. */
  log(name: string): readonly LogLine[];
  /** Ends the connection or child process, and connects again. UPSTREAM_*. */
  restart(name: string): Promise<void>;
  /** Replaces the configuration; connections that their entry would now make otherwise are closed. */
  configure(upstreams: Record<string, Upstream>): Promise<void>;
  /** Ends every connection and child process. */
  close(): Promise<void>;
}
