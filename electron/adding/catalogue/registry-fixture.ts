/** The registry's rules for `server.json` (schema 2025-12-11), as far as the catalogue uses them, and strict: no other members. */
import { z } from 'zod';

const plain = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  isSecret: z.boolean().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const input = { ...plain, variables: z.record(z.string(), z.strictObject(plain)).optional() };
const keyed = z.strictObject({ ...input, name: z.string() });
const isRepeated = z.boolean().optional();

const argument = z.discriminatedUnion('type', [
  z
    .strictObject({ ...input, type: z.literal('positional'), valueHint: z.string().optional(), isRepeated })
    .refine(({ valueHint, value }) => valueHint !== undefined || value !== undefined),
  z.strictObject({ ...input, type: z.literal('named'), name: z.string(), isRepeated }),
]);

const packageSchema = z.strictObject({
  registryType: z.string(),
  identifier: z.string(),
  version: z
    .string()
    .min(1)
    .refine((version) => version !== 'latest')
    .optional(),
  transport: z.strictObject({ type: z.literal('stdio') }),
  packageArguments: z.array(argument).optional(),
  environmentVariables: z.array(keyed).optional(),
});

const remote = z.strictObject({
  type: z.enum(['streamable-http', 'sse']),
  url: z.string().regex(/^https?:\/\/\S+$/),
  headers: z.array(keyed).optional(),
});

export const registrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  packages: z.array(packageSchema).optional(),
  remotes: z.array(remote).optional(),
  _meta: z.record(z.string(), z.unknown()),
});
