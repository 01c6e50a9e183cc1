/** The catalogue: servers that people use, in the registry's form (`servers.json`), with an entry of ours for what the form lacks. */
import { z } from 'zod';
import { catalogueCategories } from '../../../shared/contract/upstreams.ts';
import data from './servers.json' with { type: 'json' };

const META = 'io.github.filebridge/catalogue';

const worded = z.strictObject({ en: z.string().min(1), de: z.string().min(1) });
const link = z.url({ protocol: /^https$/ });

/** The registry's fields are English; German stands here, as does whatever the form has no field for. */
const metaSchema = z.strictObject({
  category: z.enum(catalogueCategories),
  /** One or two characters in the place of a logo. */
  mark: z.string().regex(/^[\p{L}\d]{1,2}$/u),
  /** Background colour of the letter mark; white is readable on it. */
  colour: z.string().regex(/^#[0-9a-f]{6}$/),
  /** The oldest major version of Node.js that its package runs on, where it is one that people may lack. */
  node: z.int().optional(),
  /** The person signs in in the browser. */
  signIn: z.literal(true).optional(),
  de: z.strictObject({ title: z.string().optional(), description: z.string().min(1) }),
  /** Requirements besides its program and its inputs. */
  needs: worded.optional(),
  /** By the id of the input: what the form calls it, and where to get it. */
  inputs: z
    .record(
      z.string(),
      z.strictObject({ label: worded, description: z.strictObject({ de: z.string().min(1) }).optional(), link: link.optional() }),
    )
    .optional(),
});

const entrySchema = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  remotes: z.array(z.object({ url: z.string() })).optional(),
  packages: z.array(z.object({ registryType: z.string(), identifier: z.string() })).optional(),
  _meta: z.object({ [META]: metaSchema }),
});

export interface CatalogueServer extends z.infer<typeof metaSchema> {
  id: string;
  title: string;
  description: string;
  /** As the registry describes it: what a person could paste. */
  text: string;
  /** `npm`, `pypi`, `oci` or `remote`. */
  way: string;
  /** The package, image or address. */
  target: string;
}

let read: readonly CatalogueServer[] | undefined;

/** In the file's order. */
export function catalogueServers(): readonly CatalogueServer[] {
  read ??= data.servers.map(serverOf);
  return read;
}

function serverOf(value: (typeof data.servers)[number]): CatalogueServer {
  const { name, title, description, remotes, packages, _meta } = entrySchema.parse(value);
  const [one] = packages ?? [];
  return {
    ..._meta[META],
    id: name.slice(name.indexOf('/') + 1),
    title,
    description,
    text: JSON.stringify({ ...value, _meta: undefined }),
    way: one?.registryType ?? 'remote',
    target: one?.identifier ?? remotes?.[0]?.url ?? '',
  };
}
