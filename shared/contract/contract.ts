/** What the window can ask of the program and hear from it: names, and the shape of everything that crosses. */
import { z } from 'zod';
import { ledgerEntrySchema, totalsSchema } from '../model/call.ts';

const nothing = z.strictObject({});

const statusSchema = z.object({
  /** `stopped`: the server for agents could not be started; `problems` says why. */
  state: z.enum(['running', 'paused', 'stopped']),
  /** Where agents connect over HTTP; null while stopped. */
  url: z.string().nullable(),
  port: z.int().nullable(),
  version: z.string(),
  configPath: z.string(),
  problems: z.array(z.string()),
});
export type Status = z.infer<typeof statusSchema>;

const allowedFolderSchema = z.object({
  path: z.string(),
  access: z.enum(['read', 'read-write']),
  /** False when there is no such directory now. */
  exists: z.boolean(),
});

const upstreamStatusSchema = z.object({
  name: z.string(),
  type: z.enum(['stdio', 'http', 'sse']),
  state: z.enum(['idle', 'connecting', 'ready', 'backoff', 'failed', 'disabled']),
  lastError: z.string().nullable(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
  protocolVersion: z.string().nullable(),
  toolCount: z.int().nonnegative().nullable(),
});
export type UpstreamView = z.infer<typeof upstreamStatusSchema>;

const snippetSchema = z.object({
  /** An `mcpServers` block that starts Filebridge as the agent's own child process. */
  stdio: z.string(),
  /** The same for agents that connect by URL; null while the server is stopped. Without `reveal`, the token is a placeholder. */
  http: z.object({ url: z.string(), config: z.string() }).nullable(),
});
export type Snippet = z.infer<typeof snippetSchema>;

const savedTotalsSchema = z.object({ all: totalsSchema, today: totalsSchema });

/**
 * The one description of the window's traffic. Queries change nothing; commands do.
 * Input and output are checked at the program's door, events and answers again at the page's.
 */
export const contract = {
  queries: {
    'status.get': { input: nothing, output: statusSchema },
    'folders.list': { input: nothing, output: z.array(allowedFolderSchema) },
    'upstreams.list': { input: nothing, output: z.array(upstreamStatusSchema) },
    'ledger.recent': { input: z.strictObject({ limit: z.int().min(1).max(500) }), output: z.array(ledgerEntrySchema) },
    'ledger.totals': { input: nothing, output: savedTotalsSchema },
    'agent.snippet': { input: z.strictObject({ reveal: z.boolean() }), output: snippetSchema },
  },
  commands: {
    /** Connects if need be and reads the catalogue anew; a server that fails is an answer, not an error. */
    'upstreams.check': { input: z.strictObject({ name: z.string().min(1) }), output: upstreamStatusSchema },
  },
  events: {
    'ledger.appended': ledgerEntrySchema,
    'upstreams.changed': z.array(upstreamStatusSchema),
    /** Status or folders. */
    'status.changed': statusSchema,
  },
} as const;

type Contract = typeof contract;
export type Operations = Contract['queries'] & Contract['commands'];
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = z.input<Operations[N]['input']>;
export type OperationOutput<N extends OperationName> = z.output<Operations[N]['output']>;
export type EventName = keyof Contract['events'];
export type EventPayload<N extends EventName> = z.output<Contract['events'][N]>;

export const operations: Operations = { ...contract.queries, ...contract.commands };

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);
