/** Contract of the status: state, address, problems, and features of the host. */
import { z } from 'zod';
import { saidSchema } from '../model/messages/received.ts';
import { identified, nothing } from './shapes.ts';

/** Ways to fix a problem. `edit_…` and `open_…` lead to a page; `problems.fix` does the others. */
export const remedies = [
  'use_free_port',
  'restart_upstream',
  'edit_upstream',
  'create_folder',
  'remove_folder',
  'open_folders',
  'open_settings',
  'reload_config',
  'reset_config',
] as const;
export type Remedy = (typeof remedies)[number];

/** `message` and `hint` are in the agents' words; `said` is the same as data. */
const common = {
  /** Opaque id for `problems.fix`. */
  id: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  said: saidSchema.optional(),
  remedies: z.array(z.enum(remedies)),
};

const problemSchema = z.discriminatedUnion('kind', [
  /** The configuration `file`: all of it, or the one `entry`. */
  z.object({
    kind: z.literal('config'),
    ...common,
    what: z.enum(['set_aside', 'ignored', 'entry', 'unwatched']),
    file: z.string(),
    entry: z.string().nullable(),
  }),
  /** A server of an `mcpServers` file that cannot be used. */
  z.object({ kind: z.literal('server_refused'), ...common, server: z.string() }),
  /** The port for agents cannot be opened. */
  z.object({ kind: z.literal('port'), ...common, port: z.number() }),
  /** Agents' answers cannot be stored in the configured folder. */
  z.object({ kind: z.literal('answers'), ...common, folder: z.string() }),
  z.object({ kind: z.literal('folder_missing'), ...common, folder: z.string() }),
  /** A server needs a secret that cannot be read. */
  z.object({ kind: z.literal('secret_missing'), ...common, server: z.string() }),
  z.object({ kind: z.literal('server_failing'), ...common, server: z.string() }),
]);
export type Problem = z.infer<typeof problemSchema>;

export const statusSchema = z.object({
  /** `stopped`: the server for agents could not be started; `problems` says why. `paused`: calls are refused until resumed. */
  state: z.enum(['running', 'paused', 'stopped']),
  /** Where agents connect over HTTP; null while stopped. */
  url: z.string().nullable(),
  port: z.int().nullable(),
  version: z.string(),
  configPath: z.string(),
  problems: z.array(problemSchema),
});
export type Status = z.infer<typeof statusSchema>;

const hostSchema = z.object({
  /** The desktop window, or a page in a browser. */
  kind: z.enum(['desktop', 'console']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  home: z.string(),
  /** Whether `places.pick` opens the system's own dialog; else the page browses with `places.browse`. */
  nativeDialogs: z.boolean(),
  canStartAtLogin: z.boolean(),
  /** Whether secrets can be kept encrypted here, and if not, why, in a sentence. */
  secrets: z.object({ available: z.boolean(), reason: z.string().nullable(), said: saidSchema.optional() }),
});
export type Host = z.infer<typeof hostSchema>;

export const statusQueries = {
  'status.get': { input: nothing, output: statusSchema },
  'host.get': { input: nothing, output: hostSchema },
} as const;

export const statusCommands = {
  'server.pause': { input: nothing, output: statusSchema },
  'server.resume': { input: nothing, output: statusSchema },
  'problems.fix': { input: identified.extend({ remedy: z.enum(remedies) }), output: statusSchema },
} as const;
