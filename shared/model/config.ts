/** The configuration file: folders, upstreams, limits, responses, exposure. */
import { z } from 'zod';
import { conversionSchema } from './conversion.ts';

/** Longer waits overflow the timers of Node.js, which then fire at once (milliseconds): 24 days. */
export const LONGEST_WAIT_MS = 24 * 24 * 60 * 60 * 1000;
const waitSchema = z
  .int()
  .positive()
  .overwrite((ms) => Math.min(ms, LONGEST_WAIT_MS));

/** Changes that the file tools make to existing files. */
const fileChanges = ['delete', 'overwrite', 'move'] as const;
export type FileChange = (typeof fileChanges)[number];

const folderApprovalsSchema = z.strictObject({
  delete: z.boolean().optional(),
  overwrite: z.boolean().optional(),
  move: z.boolean().optional(),
});
type FolderApprovals = Readonly<Record<FileChange, boolean>>;

/** Default approvals of a folder. */
export const defaultFolderApprovals: FolderApprovals = { delete: true, overwrite: false, move: false };

const folderSchema = z.strictObject({
  path: z.string().min(1),
  access: z.enum(['read', 'read-write']).default('read'),
  /** Credential-like files that may be read all the same: names, or, beginning with `./`, paths in the folder. */
  allowSensitive: z.array(z.string()).optional(),
  /** Which changes by the file tools need the person's approval; `delete` does if absent. */
  approve: folderApprovalsSchema.optional(),
});
export type Folder = z.infer<typeof folderSchema>;

export function folderApprovals({ approve = {} }: Pick<Folder, 'approve'>): FolderApprovals {
  const asks = (change: FileChange) => approve[change] ?? defaultFolderApprovals[change];
  return { delete: asks('delete'), overwrite: asks('overwrite'), move: asks('move') };
}

export const confirmModes = ['never', 'writes', 'always'] as const;

/** Hashes of what a person always allowed: the server's entry, and the parts of the tool's definition. */
const toolFingerprintSchema = z.strictObject({
  entry: z.string(),
  description: z.string(),
  inputSchema: z.string(),
  outputSchema: z.string(),
  annotations: z.string(),
});
export type ToolFingerprint = z.infer<typeof toolFingerprintSchema>;

const upstreamCommon = {
  enabled: z.boolean().default(true),
  timeoutMs: waitSchema.optional(),
  maxMessageBytes: z.int().positive().optional(),
  /** By tool: the argument for its idempotency key, with dots between nested names; null: none is sent. Others are found by their schema. */
  idempotencyKeys: z
    .record(
      z.string(),
      z
        .string()
        .regex(/^[^.[\]]+(\.[^.[\]]+)*$/, 'argument names with dots between them')
        .nullable(),
    )
    .optional(),
  tools: z.strictObject({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  confirm: z.enum(confirmModes).default('never'),
  /** Tools the person always allows, although `confirm` would ask. */
  confirmExcept: z.array(z.string()).optional(),
  /** Fingerprints of those tools by name. An exception without a matching fingerprint is ignored. */
  confirmSeen: z.record(z.string(), toolFingerprintSchema).optional(),
};

export const stdioUpstreamSchema = z.strictObject({
  type: z.literal('stdio'),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().nullable().default(null),
  /** A file of `NAME=value` lines; `env` goes before. */
  envFile: z.string().min(1).optional(),
  ...upstreamCommon,
});
/** Placeholders are filled before the address is used. */
const address = z.stringFormat('url', (text) => z.url().safeParse(text).success || /\$\{[^{}]+\}/.test(text));
/** `direct`, or the address of a proxy. */
export const proxySchema = z.stringFormat(
  'proxy',
  (text) => text === 'direct' || /^(?:https?|socks[45]?[ah]?):\/\/[^\s/]/.test(text),
);
const remote = {
  url: address,
  headers: z.record(z.string(), z.string()).default({}),
  /** The way to this server, where the variables and the system name another or none. */
  proxy: proxySchema.optional(),
  ...upstreamCommon,
};
const httpUpstreamSchema = z.strictObject({ type: z.literal('http'), ...remote });
const sseUpstreamSchema = z.strictObject({ type: z.literal('sse'), ...remote });

export const upstreamSchema = z.discriminatedUnion('type', [stdioUpstreamSchema, httpUpstreamSchema, sseUpstreamSchema]);
export type Upstream = z.infer<typeof upstreamSchema>;
export type StdioUpstream = z.infer<typeof stdioUpstreamSchema>;

/** A server's name, as it appears in tool calls: in any script, but nothing that cannot be seen. */
export const upstreamNameSchema = z
  .string()
  .regex(/^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,64}(?<! )$/u, 'up to 64 characters that can be seen, no space first or last')
  // The name of every object's prototype.
  .refine((name) => name !== '__proto__', 'another name');

const MIB = 1024 * 1024;

/** Every bound of the product; an error that comes from one names its key. Bytes and milliseconds. */
export const limitsSchema = z.strictObject({
  maxFileBytes: z
    .int()
    .positive()
    .default(10 * MIB),
  maxStreamedFileBytes: z
    .int()
    .positive()
    .default(4096 * MIB),
  /** Of one answer of a server: it is held in memory. */
  maxAnswerBytes: z
    .int()
    .positive()
    .max(400 * MIB)
    .default(64 * MIB),
  maxNesting: z.int().positive().max(512).default(512),
  maxColumns: z.int().positive().max(10_000_000).default(100_000),
  /** How long a disk may take to answer before the caller gets an error; other disks are not held up by it. */
  diskTimeoutMs: waitSchema.default(10_000),
  callTimeoutMs: waitSchema.default(120_000),
  expressionTimeoutMs: waitSchema.default(5_000),
  expressionMemoryBytes: z
    .int()
    .positive()
    .default(256 * MIB),
  upstreamIdleMs: waitSchema.default(300_000),
  /** How long a call waits for a person's answer in the app before it is refused. */
  approvalTimeoutMs: waitSchema.default(120_000),
  /** How many calls of one client may wait for approval at a time; four times as many for all clients together. */
  maxOpenApprovals: z.int().positive().default(20),
  /** Calls kept in the ledger; totals are always kept. */
  ledgerCalls: z.int().positive().max(10_000_000).default(100_000),
});
export type Limits = z.infer<typeof limitsSchema>;

export const responsesSchema = z.strictObject({
  folder: z.string().nullable().default(null),
  spillOverTokens: z.int().positive().default(10_000),
  keepDays: z.int().positive().default(30),
});

export const exposeSchema = z.strictObject({
  fileTools: z.boolean().default(true),
  upstreamTools: z.enum(['companions', 'search', 'none']).default('companions'),
});

export const networkSchema = z.strictObject({
  /** Files of further certificate authorities that remote servers may be vouched for by, in PEM: a company's own. */
  certificates: z.array(z.string().min(1)).default([]),
});

const approvalsSchema = z.strictObject({
  /**
   * Whether a program without a window or console may ask for approval through the client (elicitation), which the client could answer
   * by itself: for no server, for those with `confirm: "writes"`, or for those with `"always"` too.
   */
  throughClient: z.enum(confirmModes).default('writes'),
});

/** Prices of a model, in US dollars per million tokens. */
const priceSchema = z.strictObject({
  model: z.string().min(1),
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof priceSchema>;

export const languages = ['system', 'en', 'de'] as const;
export const appearances = ['system', 'light', 'dark'] as const;

/** The model whose prices apply until another is named; the window translates it. */
export const TYPICAL_MODEL = 'Typical large model';

/** Appearance of the app, and notices that the user has already seen. */
export const appSchema = z.strictObject({
  language: z.enum(languages).default('system'),
  appearance: z.enum(appearances).default('system'),
  notifications: z.boolean().default(true),
  /** Turns saved tokens into money: arguments at the output price, answers at the input price. */
  price: priceSchema.default({ model: TYPICAL_MODEL, input: 3, output: 15 }),
  /** Whether the first-run page was finished or left. */
  welcomed: z.boolean().default(false),
  /** Whether the user was told that the app keeps running in the tray after the window closes. */
  trayNoteShown: z.boolean().default(false),
});
export type AppSettings = z.infer<typeof appSchema>;

export const CONFIG_VERSION = 1;

export const configSchema = z.strictObject({
  version: z.literal(CONFIG_VERSION),
  folders: z.array(folderSchema).default([]),
  upstreams: z.record(upstreamNameSchema, upstreamSchema).default({}),
  /** How the person has single files read for agents that ask for nothing else, by their real paths. */
  readings: z.record(z.string(), conversionSchema).prefault({}),
  limits: limitsSchema.prefault({}),
  responses: responsesSchema.prefault({}),
  expose: exposeSchema.prefault({}),
  approvals: approvalsSchema.prefault({}),
  network: networkSchema.prefault({}),
  app: appSchema.prefault({}),
  server: z.strictObject({ port: z.int().min(0).max(65535).default(7337) }).prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** Message caps of the SDKs most servers are built with, used where an upstream names none. Bytes. */
export const defaultMessageBytes = { stdio: 10 * MIB, http: 4 * MIB, sse: 4 * MIB } as const;

/** A language that the product speaks. */
export type Language = Exclude<(typeof languages)[number], 'system'>;

const isKnown = (language: string | undefined): language is Language =>
  language !== 'system' && languages.some((known) => known === language);

/** The language asked for, or the first of the system's that is known. Takes tags such as `de-AT`. */
export function chooseLanguage(wanted: string, system: readonly string[]): Language {
  const candidates = wanted === 'system' ? system : [wanted];
  for (const candidate of candidates) {
    const base = candidate.toLowerCase().split('-')[0];
    if (isKnown(base)) return base;
  }
  return 'en';
}
