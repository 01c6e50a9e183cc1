/** Names the added tools and parameters: without collisions, and no longer than hosts accept. */
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';

/** The strictest hosts refuse longer names of tools and parameters. */
const MAX_NAME = 64;
/** What the host with the longest prefix puts before the names of tools. */
const HOST_PREFIX = 'mcp__filebridge__';
const MAX_TOOL_NAME = MAX_NAME - HOST_PREFIX.length;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

const shortened = (name: string, identity: string, most: number): string => `${name.slice(0, most - 9)}_${digest(identity)}`;

/** Some hosts want a letter or `_` first. */
const plainCharacters = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=[0-9-])/, '_');

const isPlain = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);

/** The Latin letters and digits of a name, without accents: `Internet Search (Tavily)` is `Internet_Search_Tavily`. Empty for other scripts. */
const latin = (server: string): string =>
  server
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9-]+/g, '_')
    .replaceAll(/^[_-]+|[_-]+$/g, '')
    .replace(/^(?=[0-9])/, '_');

/** A server's name where only plain characters may be. One that is not told from another of the `servers`, or has none, has a short hash. */
function prefixOf(server: string, servers: readonly string[]): string {
  if (isPlain(server)) return server;
  const plain = latin(server);
  if (plain === '') return `server_${digest(server).slice(0, 4)}`;
  const isTaken = servers.some((other) => other !== server && (isPlain(other) ? other : latin(other)) === plain);
  return isTaken ? `${plain}_${digest(server).slice(0, 4)}` : plain;
}

/** Whether this can be the name of a companion for one of the server's tools. */
export const mayBeOfServer = (name: string, server: string): boolean =>
  name.startsWith(prefixOf(server, []).slice(0, MAX_TOOL_NAME - 9));

/**
 * `<server>__<tool>`, the server's name in plain characters. If that is too long, the tool has characters that hosts refuse, or it can be cut into
 * another server and tool, it ends in a hash of the pair. Of the rest of the configuration it depends only where two servers of `servers` would have one
 * name.
 */
export function companionToolName(server: string, tool: string, servers: readonly string[] = []): string {
  const plain = `${prefixOf(server, servers)}__${tool}`;
  const isUnequivocal = plain.indexOf('__') === plain.lastIndexOf('__');
  if (isUnequivocal && plain.length <= MAX_TOOL_NAME && isPlain(plain)) return plain;
  return shortened(plainCharacters(plain), JSON.stringify([server, tool]), MAX_TOOL_NAME);
}

/** The parameters that a companion adds, given all names in the tool's schema. */
export interface CompanionNames {
  /** The parameter for the file of `name`. */
  pathOf(name: string): string;
  /** Conversion options. */
  options: string;
  /** The parameter whose file this one names; undefined for other names. */
  ownerOf(name: string): string | undefined;
  /** Every added name contains one of these. */
  marks: readonly string[];
}

const namesOfSchema = new WeakMap<JsonObject, CompanionNames>();

/** Collisions are resolved over the whole schema, so that a parameter has the same companion name everywhere. */
export function companionNames(inputSchema: JsonObject): CompanionNames {
  const known = namesOfSchema.get(inputSchema);
  if (known) return known;
  const taken = new Set<string>();
  collectNames(inputSchema, taken, new Set());
  const free = (wished: string): string => {
    for (let attempt = 1; ; attempt += 1) {
      const numbered = attempt === 1 ? wished : `${wished}_${attempt}`;
      const name = numbered.length > MAX_NAME ? shortened(numbered, numbered, MAX_NAME) : numbered;
      if (!taken.has(name)) return name;
    }
  };
  const paths = new Map([...taken].map((name) => [name, free(`${name}_path`)]));
  const owners = new Map([...paths].map(([name, path]) => [path, name]));
  const options = free('_file');
  const names: CompanionNames = {
    pathOf: (name) => paths.get(name) ?? free(`${name}_path`),
    options,
    ownerOf: (name) => owners.get(name),
    marks: ['_path', ...[...owners.keys()].filter((name) => !name.includes('_path')), options],
  };
  namesOfSchema.set(inputSchema, names);
  return names;
}

/** Names under every `properties` at any depth; those inside `default`, `enum` and the like do no harm. */
function collectNames(at: unknown, names: Set<string>, seen: Set<unknown>): void {
  if (typeof at !== 'object' || at === null || seen.has(at)) return;
  seen.add(at);
  if (isJsonObject(at) && isJsonObject(at.properties)) for (const name of Object.keys(at.properties)) names.add(name);
  for (const inside of Object.values(at)) collectNames(inside, names, seen);
}
