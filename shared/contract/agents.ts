/** Contract of the Agents page: state of each app, previews of changes, connect, disconnect, undo. */
import { z } from 'zod';
import { saidSchema } from '../model/messages/received.ts';
import { identified, nothing } from './shapes.ts';

const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `broken`: its configuration cannot be read or changed safely; `problem` says why. */
  state: z.enum(['absent', 'not_connected', 'connected', 'broken']),
  /** Its configuration file. */
  file: z.string(),
  /** Another program's entry has our name: `agents.connect` replaces it only with `replace`. */
  taken: z.boolean(),
  problem: z.string().nullable(),
  /** The next step after connecting, e.g. restart the app. */
  note: z.string().nullable(),
  /** As data: `problem` is its message, `note` its hint. */
  said: saidSchema.optional(),
  /** A link that makes the app add Filebridge itself, where it has one. */
  deepLink: z.string().nullable(),
  /** The backup that `agents.undo` would bring back. */
  backup: z.string().nullable(),
});
export type AgentView = z.infer<typeof agentSchema>;

/** An agent that is connected, or that made calls. */
const presentAgentSchema = z.object({
  /** As it introduced itself. */
  name: z.string(),
  version: z.string().nullable(),
  /** The app on this computer that goes by this name, as in `agents.list`; null for an unknown one. */
  app: z.string().nullable(),
  connected: z.boolean(),
  /** How it is connected, or was last; empty where only its earlier calls are known. */
  transports: z.array(z.enum(['stdio', 'http'])),
  /** Since when it has been connected; null while it is not. */
  since: z.string().nullable(),
  /** When it was last heard of. */
  lastSeen: z.string(),
  /** Over the whole log: calls of servers' tools, and tokens that were not typed or read. */
  calls: z.int().nonnegative(),
  tokensMeasured: z.int().nonnegative(),
  tokensEstimated: z.int().nonnegative(),
});
export type PresentAgent = z.infer<typeof presentAgentSchema>;

const presenceSchema = z.object({
  /** Connected ones first, then the one heard of last. */
  agents: z.array(presentAgentSchema),
  /** Apps that were set up since the program started and have not connected since, by their ids. */
  awaited: z.array(z.string()),
});
export type Presence = z.infer<typeof presenceSchema>;

/** An app that starts or reaches servers of Filebridge itself as well, or did so until they were taken out of its settings. */
const directAgentSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it is connected to Filebridge: else taking out connects it as well. */
  connected: z.boolean(),
  /** These servers, by their names in Filebridge. */
  servers: z.array(z.string()),
  /** Servers that `agents.putBack` would put back. */
  takenOut: z.array(z.string()),
});
export type DirectAgent = z.infer<typeof directAgentSchema>;

const lineSchema = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() });

const planSchema = z.object({
  file: z.string(),
  /** Whether the file is made. */
  creates: z.boolean(),
  /** Whether the entry of Filebridge changes. */
  updates: z.boolean(),
  /** The file's lines with what is added and removed; secrets of other servers masked. */
  lines: z.array(lineSchema),
  /** Text to paste for connecting by hand. */
  snippet: z.string(),
  /** Whether connecting replaces an entry of our name that starts another program. */
  replaces: z.boolean(),
});
export type AgentPlan = z.infer<typeof planSchema>;

const takeOutPlanSchema = z.object({
  file: z.string(),
  /** Names of the entries that go, as they are in the file. */
  entries: z.array(z.string()),
  /** Whether Filebridge's entry is added. */
  connects: z.boolean(),
  /** As in `agents.plan`, with all values of the entries that go masked. */
  lines: z.array(lineSchema),
  /** For `agents.takeOut`. */
  revision: z.string(),
});

const directServers = identified.extend({ servers: z.array(z.string()).min(1) });

const snippetSchema = z.object({
  /** An `mcpServers` block that starts Filebridge as the agent's own child process. */
  stdio: z.string(),
  /** The same for agents that connect by URL; null while the server is stopped. Without `reveal`, the token is a placeholder. */
  http: z.object({ url: z.string(), config: z.string() }).nullable(),
});
export type Snippet = z.infer<typeof snippetSchema>;

export const agentQueries = {
  'agents.list': { input: nothing, output: z.array(agentSchema) },
  'agents.present': { input: nothing, output: presenceSchema },
  'agents.plan': { input: identified, output: planSchema },
  'agents.direct': { input: nothing, output: z.array(directAgentSchema) },
  /** The app's settings without its own entries for these servers of Filebridge, and with Filebridge's if it had none. Refused where that entry's name is taken. */
  'agents.planTakeOut': { input: directServers, output: takeOutPlanSchema },
  'agent.snippet': { input: z.strictObject({ reveal: z.boolean() }), output: snippetSchema },
} as const;

export const agentCommands = {
  'agents.connect': { input: identified.extend({ replace: z.boolean().optional() }), output: agentSchema },
  'agents.disconnect': { input: identified, output: agentSchema },
  /** Puts the newest backup back. Refused when the file was changed since. */
  'agents.undo': { input: identified, output: agentSchema },
  /** Makes the change that was shown, after a backup. Refused if it would be another one by now. */
  'agents.takeOut': { input: directServers.extend({ revision: z.string() }), output: agentSchema },
  /** Puts the servers back that were last taken out; with `stays`, an app that the same change connected stays so. Refused where the file's changes since stand in the way. */
  'agents.putBack': { input: identified.extend({ stays: z.boolean().optional() }), output: agentSchema },
  /** Opens the deep link with the system. */
  'agents.openLink': { input: identified, output: z.object({}) },
} as const;
