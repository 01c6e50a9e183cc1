/** Contract of the Folders page: allowed folders, their content, and why a path is refused. */
import { z } from 'zod';
import { saidSchema } from '../model/messages/received.ts';
import { done, nothing, pathOnly } from './shapes.ts';

const access = z.enum(['read', 'read-write']);

/** Which changes by the file tools need the person's approval. */
const approve = z.strictObject({ delete: z.boolean(), overwrite: z.boolean(), move: z.boolean() });

const allowedFolderSchema = z.object({
  path: z.string(),
  access,
  approve,
  /** Credential-like files in it that may be read: names, or paths that begin with `./`. */
  allowedFiles: z.array(z.string()),
  /** False when there is no such directory now. */
  exists: z.boolean(),
  /** Whether its disk does not answer. */
  silent: z.boolean(),
  /** True for a folder of the command line, which cannot be changed here. */
  fixed: z.boolean(),
});
export type FolderView = z.infer<typeof allowedFolderSchema>;

const glanceSchema = z.object({
  files: z.int().nonnegative(),
  folders: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** True when looking stopped before everything was counted. */
  partial: z.boolean(),
  /** Files that Filebridge converts, by format, most first. */
  byFormat: z.array(z.object({ format: z.string(), files: z.int().positive() })),
  /** Some convertible files, newest first, as absolute paths. */
  recent: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), modified: z.string() })),
});
export type Glance = z.infer<typeof glanceSchema>;

const verdictSchema = z.object({
  path: z.string(),
  /** Whether an agent may read it now. */
  allowed: z.boolean(),
  access: access.nullable(),
  /** The allowed folder it is in. */
  folder: z.string().nullable(),
  /** The credential-like name for which it is refused, where the person can allow this one file. */
  allowable: z.string().nullable(),
  /** The folder that would have to be allowed, for what is in none; null where it may not be. */
  toAllow: z.string().nullable(),
  /** Why, in a sentence. */
  message: z.string(),
  /** The hint, if something can be done. */
  hint: z.string().nullable(),
  said: saidSchema,
});
export type Verdict = z.infer<typeof verdictSchema>;

const placeSchema = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['folder', 'file']),
  bytes: z.int().nonnegative().nullable(),
});

const listingSchema = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  places: z.array(placeSchema),
  partial: z.boolean(),
});
export type Listing = z.infer<typeof listingSchema>;

export const folderQueries = {
  'folders.list': { input: nothing, output: z.array(allowedFolderSchema) },
  /** Usual places of this user that exist and are not allowed yet. */
  'folders.suggest': { input: nothing, output: z.array(z.object({ path: z.string(), label: z.string() })) },
  'folders.glance': { input: pathOnly, output: glanceSchema },
  /** Tells what agents may do with a path, and why. */
  'paths.explain': { input: pathOnly, output: verdictSchema },
  /** A directory's content for choosing in; the home directory for null. */
  'places.browse': { input: z.strictObject({ path: z.string().nullable(), files: z.boolean() }), output: listingSchema },
} as const;

export const folderCommands = {
  /**
   * Adds, or changes the access of one that is there, and what it asks about if that is given. Refuses what is no directory, is far too much
   * (`/`), is Filebridge's own, or is inside an allowed folder with the same access; without `sure`
   * also the home folder, and folders inside the system's.
   */
  'folders.add': {
    /** Without `access`, one that is listed keeps its own, and a new one may be read. */
    input: pathOnly.extend({ access: access.optional(), approve: approve.optional(), sure: z.boolean().optional() }),
    output: allowedFolderSchema,
  },
  /** Lets agents read one credential-like file of an allowed folder. INVALID_REQUEST for any other file. */
  'folders.allowFile': { input: pathOnly, output: allowedFolderSchema },
  /** Takes that back: `entry` is one of the folder's `allowedFiles`. */
  'folders.forbidFile': { input: pathOnly.extend({ entry: z.string() }), output: done },
  'folders.remove': { input: pathOnly, output: done },
  /** The system's own dialog; null when it was closed without a choice. Only where `host.nativeDialogs`. */
  'places.pick': {
    input: z.strictObject({ kind: z.enum(['folder', 'file']) }),
    output: z.object({ path: z.string().nullable() }),
  },
  /** Writes a file where the person says in the system's own dialog; null when it was closed without a choice. Only where `host.nativeDialogs`. */
  'places.save': {
    input: z.strictObject({ name: z.string().regex(/^[\w.-]+$/), text: z.string() }),
    output: z.object({ path: z.string().nullable() }),
  },
  /** Shows a file or folder in the system's file manager. Only in the desktop app. */
  'places.reveal': { input: pathOnly, output: done },
  /** Opens a file of a format that Filebridge reads in its app. Only in the desktop app. */
  'places.open': { input: pathOnly, output: done },
} as const;
