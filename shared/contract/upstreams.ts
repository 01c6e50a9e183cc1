/** Contract of the Servers page: settings with masked secrets, health, tools, import and export. */
import { z } from 'zod';
import { confirmModes, upstreamNameSchema } from '../model/config.ts';
import { done, identified, named, nothing, troubleSchema } from './shapes.ts';

const types = z.enum(['stdio', 'http', 'sse']);

export const upstreamStatusSchema = z.object({
  name: z.string(),
  type: types,
  /** The command line or the address, without secrets. */
  target: z.string(),
  enabled: z.boolean(),
  confirm: z.enum(confirmModes),
  /** How many of its tools the user always allowed, although `confirm` would ask. */
  exceptions: z.int().nonnegative(),
  state: z.enum(['idle', 'connecting', 'ready', 'backoff', 'needs_sign_in', 'failed', 'disabled']),
  /** Null while all is well. */
  lastFailure: troubleSchema.nullable(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
  protocolVersion: z.string().nullable(),
  toolCount: z.int().nonnegative().nullable(),
  /** Those that say of themselves that they may delete or replace. */
  destructive: z.array(z.string()),
  /** How many tools changed since the person last accepted them. */
  toolChanges: z.int().nonnegative(),
  /** Null where nobody is signed in. */
  signIn: z
    .object({
      /** ISO time; null where the server did not say. */
      until: z.string().nullable(),
      /** Whether it is renewed then without the person. */
      renews: z.boolean(),
      kept: z.enum(['keychain', 'file', 'process']),
    })
    .nullable(),
  /** True for a server of the command line, which cannot be changed here. */
  fixed: z.boolean(),
});
export type UpstreamView = z.infer<typeof upstreamStatusSchema>;

/** An environment variable or header. A secret's value never leaves the program: `value` is then null. */
const variableSchema = z.object({
  name: z.string(),
  kind: z.enum(['plain', 'secret', 'reference']),
  value: z.string().nullable(),
});
export type VariableView = z.infer<typeof variableSchema>;

/** As entered. `value: null` keeps the secret that is stored under the name. */
const variableDraftSchema = z.strictObject({ name: z.string().min(1), secret: z.boolean(), value: z.string().nullable() });

const settings = {
  /** Of an address; absent where the variables and the system say which. */
  proxy: z.string().optional(),
  /** Of a command: a file of `NAME=value` lines. */
  envFile: z.string().optional(),
  timeoutMs: z.int().positive().nullable(),
  maxMessageBytes: z.int().positive().nullable(),
  confirm: z.enum(confirmModes),
};

const upstreamDetailSchema = z.object({
  name: z.string(),
  type: types,
  enabled: z.boolean(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string().nullable(),
  url: z.string(),
  /** Environment of a command, headers of an address. */
  variables: z.array(variableSchema),
  /** Tools that the user always allowed, although the server requires approvals. */
  confirmExcept: z.array(z.string()),
  ...settings,
});
export type UpstreamDetail = z.infer<typeof upstreamDetailSchema>;

export const upstreamDraftSchema = z.strictObject({
  name: upstreamNameSchema,
  type: types,
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string().nullable(),
  url: z.string(),
  variables: z.array(variableDraftSchema),
  ...settings,
});
export type UpstreamDraft = z.infer<typeof upstreamDraftSchema>;

const upstreamToolSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** False when switched off by the allow or deny list. */
  enabled: z.boolean(),
  readOnly: z.boolean(),
  destructive: z.boolean(),
  /** Its arguments' names, in the schema's order. */
  parameters: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
  /** Places in the arguments that can take a file, as data keys. */
  dataKeys: z.array(z.string()),
  /** Parameters that take a file, nested ones too, and the parameter in which agents name it. */
  payloads: z.array(
    z.object({
      /** `files[].content`: of any item. */
      parameter: z.string(),
      companion: z.string(),
      reading: z.enum(['text', 'base64', 'data_uri', 'markdown', 'html', 'csv', 'json', 'auto']),
    }),
  ),
});
export type UpstreamToolView = z.infer<typeof upstreamToolSchema>;

const toolChangeSchema = z.object({
  name: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  /** The server has taken the change back since. */
  past: z.boolean(),
  /** Text as it is, anything else as JSON; null where there is, or was, none. */
  parts: z.array(
    z.object({
      part: z.enum(['title', 'description', 'inputSchema', 'outputSchema', 'annotations']),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
});
export type ToolChangeView = z.infer<typeof toolChangeSchema>;

const testSchema = z.object({
  ok: z.boolean(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).nullable(),
  tools: z.array(z.object({ name: z.string(), description: z.string().nullable() })),
  error: troubleSchema.nullable(),
  /** The last lines the server wrote to its error output. */
  log: z.array(z.string()),
  milliseconds: z.number().nonnegative(),
});
export type UpstreamTest = z.infer<typeof testSchema>;

/** The command or address of an importable server, shown before it is imported. */
const importableSchema = z.object({
  name: z.string(),
  type: types,
  /** The command with its arguments, or the address; without secrets. */
  target: z.string(),
  /** Where the command starts; null where the entry names no folder. */
  folder: z.string().nullable(),
  /** Names of all its variables, or headers. */
  variables: z.array(z.string()),
  /** Names of variables whose values look like secrets; they move to the keychain. */
  secrets: z.array(z.string()),
  /** The name of an equal server that is configured already; null where none is. */
  twin: z.string().nullable(),
});
export type ImportableUpstream = z.infer<typeof importableSchema>;

const foundSchema = importableSchema.extend({
  /** Names the find for `upstreams.import`. */
  id: z.string(),
  /** Changes with the entry. */
  revision: z.string(),
  /** The agent's app it was found in. */
  client: z.string(),
  file: z.string(),
});
export type FoundUpstream = z.infer<typeof foundSchema>;

/** A value that only the person knows. */
const inputSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  kind: z.enum(['text', 'number', 'boolean', 'file', 'folder']),
  secret: z.boolean(),
  required: z.boolean(),
  /** Takes a list. */
  multiple: z.boolean(),
  /** The only values it takes; none: any. */
  choices: z.array(z.string()),
  preset: z.array(z.string()),
  /** The placeholder in the instructions. */
  example: z.string().nullable(),
});
export type OfferInput = z.infer<typeof inputSchema>;

/** The program that starts a server, such as `npx`. */
const programSchema = z.object({
  name: z.string(),
  found: z.boolean(),
  /** The page where a person gets it; null for one that is not known. */
  site: z.string().nullable(),
});
export type ProgramView = z.infer<typeof programSchema>;

/** A server in pasted text, a bundle or a description. `target` has ‹names› where the person's values go. */
const offerSchema = importableSchema.extend({
  id: z.string(),
  /** Changes with what would run. */
  revision: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** How it runs, where the same server can run in several ways: `npm`, `pypi`, `oci`, `remote`. */
  way: z.string().nullable(),
  inputs: z.array(inputSchema),
  /** Null for one that is reached by its address. */
  program: programSchema.nullable(),
  /** Why it cannot be added. */
  refusal: troubleSchema.nullable(),
});
export type OfferView = z.infer<typeof offerSchema>;

export const catalogueCategories = ['documents', 'web', 'databases', 'work', 'business', 'development', 'more'] as const;

/** In the languages of the window. */
const wordedSchema = z.object({ en: z.string(), de: z.string() });
export type Worded = z.infer<typeof wordedSchema>;

/** A server of the catalogue, and what it needs. */
const catalogueSchema = z.object({
  id: z.string(),
  title: wordedSchema,
  /** Its purpose. */
  purpose: wordedSchema,
  category: z.enum(catalogueCategories),
  /** Texts in which it is searched for, in all languages: its name, other words for what it is for, its purpose. */
  searched: z.array(z.string()),
  /** Products that the catalogue does not have, for which this server is the nearest. */
  standsInFor: z.array(z.string()),
  /** One or two characters in the place of a logo, and the colour below them. */
  mark: z.string(),
  colour: z.string(),
  /** Its description in the registry's form, for `upstreams.readText`. */
  text: z.string(),
  /** Null for one that is reached by its address, which then has a `host`. */
  program: programSchema
    .extend({
      /** The oldest major version that will do, and the one that is there where that is older; else null. */
      atLeast: z.int().nullable(),
      older: z.int().nullable(),
    })
    .nullable(),
  host: z.string().nullable(),
  /** The person signs in in the browser once it is added. */
  signIn: z.boolean(),
  /** Kinds of values that it does not run without. */
  asks: z.array(z.enum(['secret', 'folder', 'file', 'value'])),
  /** Further requirements. */
  needs: wordedSchema.nullable(),
  /** How the form words its inputs, by their id; `link` is where the value can be had. */
  inputs: z.record(
    z.string(),
    z.object({ label: wordedSchema, description: wordedSchema.nullable(), link: z.string().nullable() }),
  ),
  /** Whether a server is configured that runs or reaches the same. */
  present: z.boolean(),
});
export type CatalogueEntry = z.infer<typeof catalogueSchema>;

/** An offer with what the person entered, by the id of the input; `name` is their own for it, with which it may be there already. */
const pickSchema = z.strictObject({
  id: z.string(),
  revision: z.string(),
  name: upstreamNameSchema.optional(),
  values: z.record(z.string(), z.array(z.string())),
});
export type OfferPick = z.infer<typeof pickSchema>;

const importedSchema = z.object({
  imported: z.array(z.string()),
  refused: z.array(z.object({ name: z.string(), trouble: troubleSchema })),
});

export const upstreamQueries = {
  'upstreams.list': { input: nothing, output: z.array(upstreamStatusSchema) },
  'upstreams.get': { input: named, output: upstreamDetailSchema },
  /** Every tool, switched off ones included; connects if need be. */
  'upstreams.tools': { input: named, output: z.array(upstreamToolSchema) },
  /** How its tools changed since the person last accepted them; `revision` names this state for `upstreams.acceptTools`. */
  'upstreams.toolChanges': { input: named, output: z.object({ revision: z.string(), changes: z.array(toolChangeSchema) }) },
  /** The last lines of the server's error output and what happened to its connection, oldest first. */
  'upstreams.log': { input: named, output: z.array(z.object({ time: z.string(), text: z.string() })) },
  /** The other server that starts or reaches the same as a draft; null if no other does, and while the draft is incomplete. */
  'upstreams.twin': {
    input: z.strictObject({ draft: upstreamDraftSchema, previousName: z.string().nullable() }),
    output: z.object({ name: z.string().nullable() }),
  },
  /** Servers in the configurations of installed agents. */
  'upstreams.found': { input: nothing, output: z.array(foundSchema) },
  /** Servers to choose from, grouped by category. */
  'upstreams.catalogue': { input: nothing, output: z.array(catalogueSchema) },
  /** An `mcpServers` block of all servers; secrets are replaced by `${NAME}` references. */
  'upstreams.export': { input: nothing, output: z.object({ text: z.string() }) },
} as const;

export const upstreamCommands = {
  /** Connects if need be and reads the catalogue anew; a server that fails is an answer, not an error. */
  'upstreams.check': { input: named, output: upstreamStatusSchema },
  /** Ends the connection or child process and connects again. */
  'upstreams.restart': { input: named, output: upstreamStatusSchema },
  /**
   * Starts a sign-in to a remote server; `opened` says whether the person's browser shows the link already. `clientId` and `clientSecret`: of an app that the
   * person registered, where the server registers none by itself.
   */
  'upstreams.signIn': {
    input: named.extend({ clientId: z.string().min(1).optional(), clientSecret: z.string().optional() }),
    output: z.object({ link: z.string(), opened: z.boolean() }),
  },
  /** Waits until the sign-in under way has ended; fails as it does. */
  'upstreams.finishSignIn': { input: named, output: upstreamStatusSchema },
  'upstreams.endSignIn': { input: named, output: done },
  /** Forgets the tokens. */
  'upstreams.signOut': { input: named, output: upstreamStatusSchema },
  /** Starts the server as drafted, lists its tools, stops it. Saves nothing. Stored secrets of `previousName` are used; the caller chooses `id`. */
  'upstreams.test': {
    input: z.strictObject({ id: z.string().min(1), draft: upstreamDraftSchema, previousName: z.string().nullable() }),
    output: testSchema,
  },
  /** Cancels a test and stops the server it started. A test that has ended is not an error. */
  'upstreams.endTest': { input: identified, output: done },
  /** Adds, or replaces `previousName`. */
  'upstreams.save': {
    input: z.strictObject({ draft: upstreamDraftSchema, previousName: z.string().nullable() }),
    output: upstreamStatusSchema,
  },
  'upstreams.remove': { input: named, output: done },
  'upstreams.setEnabled': { input: named.extend({ enabled: z.boolean() }), output: upstreamStatusSchema },
  'upstreams.setTool': { input: named.extend({ tool: z.string().min(1), enabled: z.boolean() }), output: done },
  /** The person has seen the changes of `revision`. INVALID_REQUEST where the tools have changed again. */
  'upstreams.acceptTools': { input: named.extend({ revision: z.string().min(1) }), output: upstreamStatusSchema },
  'upstreams.setConfirm': { input: named.extend({ confirm: z.enum(confirmModes) }), output: upstreamStatusSchema },
  /** Takes back an "always" for one tool. */
  'upstreams.askAgain': { input: named.extend({ tool: z.string().min(1) }), output: done },
  /** `shown`: by id, the `revision` that the person was shown; another one is refused. */
  'upstreams.import': {
    input: z.strictObject({ ids: z.array(z.string()).min(1), shown: z.record(z.string(), z.string()).optional() }),
    output: importedSchema,
  },
  /** Servers that `upstreams.importText` would import; changes nothing. */
  'upstreams.readText': {
    input: z.strictObject({ text: z.string().min(1) }),
    output: z.object({ servers: z.array(offerSchema) }),
  },
  /** Opens the page where the value of an input can be had; `opened` is false where only the person's browser can. */
  'upstreams.openCatalogueLink': {
    input: z.strictObject({ id: z.string().min(1), input: z.string().min(1) }),
    output: z.object({ opened: z.boolean() }),
  },
  /** Opens the page where a program of this name can be had; `opened` is false where only the person's browser can. */
  'upstreams.openProgramPage': {
    input: z.strictObject({ program: z.string().min(1) }),
    output: z.object({ opened: z.boolean() }),
  },
  /** From pasted text in any dialect, or the path of a bundle. Adds the picked servers; without `picks` all of them. */
  'upstreams.importText': {
    input: z.strictObject({ text: z.string().min(1), picks: z.array(pickSchema).optional() }),
    output: importedSchema,
  },
  /** Starts one of them, lists its tools, stops it. `upstreams.endTest` with this id cancels it. */
  'upstreams.testText': {
    input: z.strictObject({ id: z.string().min(1), text: z.string().min(1), pick: pickSchema }),
    output: testSchema,
  },
} as const;
