/** Contract of the Settings page. */
import { z } from 'zod';
import { appSchema, exposeSchema, limitsSchema, networkSchema, responsesSchema } from '../model/config.ts';
import { changesOf, nothing } from './shapes.ts';

const settingsSchema = z.object({
  app: appSchema,
  limits: limitsSchema,
  responses: responsesSchema,
  /** Where stored answers go when no folder is named. */
  defaultResponsesFolder: z.string(),
  expose: exposeSchema,
  network: networkSchema,
  port: z.int().min(0).max(65535),
  startAtLogin: z.boolean(),
  /** Whose tokens there are; the tokens themselves stay in the program. */
  tokens: z.array(z.object({ client: z.string(), shown: z.string() })),
});
export type Settings = z.infer<typeof settingsSchema>;

const changesSchema = z.strictObject({
  app: changesOf(appSchema).optional(),
  limits: changesOf(limitsSchema).optional(),
  responses: changesOf(responsesSchema).optional(),
  expose: changesOf(exposeSchema).optional(),
  network: changesOf(networkSchema).optional(),
  port: z.int().min(0).max(65535).optional(),
});
export type SettingsChanges = z.infer<typeof changesSchema>;

export const settingsQueries = { 'settings.get': { input: nothing, output: settingsSchema } } as const;

export const settingsCommands = {
  /** Takes effect at once; a new port moves the server there, and stays as it was if that fails. */
  'settings.update': { input: z.strictObject({ changes: changesSchema }), output: settingsSchema },
  'settings.setStartAtLogin': { input: z.strictObject({ enabled: z.boolean() }), output: settingsSchema },
  /** Makes a new token; agents with the old one must be connected again. */
  'tokens.rotate': { input: z.strictObject({ client: z.string().min(1) }), output: settingsSchema },
  /** Back to defaults; folders, servers and the ledger stay unless `everything`. */
  'settings.reset': { input: z.strictObject({ everything: z.boolean() }), output: settingsSchema },
} as const;
