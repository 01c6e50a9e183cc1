/** Takes servers over into the configuration: with names of their own, each once, and their secrets sealed. */

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Trouble } from '../../shared/contract/shapes.ts';
import { looksSecret } from '../../shared/lib/secret-looks.ts';
import { type Upstream, upstreamNameSchema } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say, type Text } from '../../shared/model/messages/message.ts';
import type { ReadEntry } from '../agent-apps/server-entries.ts';
import type { Runtime } from '../app/runtime.ts';
import { variablesOf } from '../store/placeholders.ts';
import { changeConfig } from '../store/secret-store.ts';
import { secretIdsOf, secretReference, secretTarget } from '../store/secrets.ts';
import type { SecretAccess } from '../store/types.ts';
import { valuesOf } from './upstream-draft.ts';
import { trouble } from './upstream-test.ts';

export interface Candidate extends Pick<ReadEntry, 'upstream' | 'refusal'> {
  name: string;
  /** Variables or headers that hold a secret besides those that look like one. */
  secrets?: readonly string[];
  /** The person named it: it may be the same server once more, for another account. */
  named?: boolean;
}

export interface Imported {
  imported: string[];
  refused: { name: string; trouble: Trouble }[];
}

/** One after the other, so that each has its own outcome. */
export async function importServers(runtime: Runtime, access: SecretAccess, candidates: readonly Candidate[]): Promise<Imported> {
  const outcome: Imported = { imported: [], refused: [] };
  for (const candidate of candidates) {
    try {
      outcome.imported.push(await importServer(runtime, access, candidate));
    } catch (error) {
      outcome.refused.push({ name: candidate.name, trouble: trouble(error) });
    }
  }
  return outcome;
}

async function importServer(runtime: Runtime, access: SecretAccess, candidate: Candidate): Promise<string> {
  const { name, upstream, refusal, named = false } = candidate;
  if (refusal) throw refusal;
  if (!upstream) throw new AppError('CONFIG_INVALID', say('import.unreadable', { server: name }));
  const secrets = [...new Set([...secretNames(upstream), ...(candidate.secrets ?? [])])];
  if (secrets.length > 0 && 'reason' in access) throw cannotKeep(name, secrets, access.reason);
  const values = valuesOf(upstream);
  let finalName = name;
  await changeConfig(
    runtime,
    secrets.map((secret) => values[secret] ?? ''),
    (config, references) => {
      const twin = Object.entries(config.upstreams).find(([, other]) => isSameServer(upstream, other));
      if (twin && !named) throw new AppError('INVALID_REQUEST', say('import.there', { server: name, as: twin[0] }));
      if (named && Object.hasOwn(config.upstreams, name)) throw nameTaken(name);
      finalName = freeName(name, Object.keys(config.upstreams));
      const sealed = Object.fromEntries(secrets.map((secret, index) => [secret, references[index] ?? '']));
      return { ...config, upstreams: { ...config.upstreams, [finalName]: withValues(upstream, { ...values, ...sealed }) } };
    },
  );
  return finalName;
}

export const nameTaken = (name: string) =>
  new AppError('INVALID_REQUEST', say('servers.taken', { server: name }), { hint: say('servers.taken.hint') });

/** Names of variables or headers that hold a secret in clear. */
export const secretNames = (upstream: Upstream): string[] =>
  Object.entries(valuesOf(upstream))
    .filter(([name, value]) => looksSecret(name, value))
    .map(([name]) => name);

export const withValues = (upstream: Upstream, values: Record<string, string>): Upstream =>
  upstream.type === 'stdio' ? { ...upstream, env: values } : { ...upstream, headers: values };

const cannotKeep = (server: string, secrets: readonly string[], reason: Text) =>
  new AppError('SECRET_UNAVAILABLE', say('import.secrets', { server, secrets, reason }), { hint: say('import.secrets.hint') });

/** Whether two entries start or reach the same server with the same values, as far as values can be seen. */
export function isSameServer(one: Upstream, other: Upstream): boolean {
  return placeOf(one) === placeOf(other) && haveSameValues(valuesOf(one), valuesOf(other));
}

/**
 * The name of the configured server that an agent's entry starts or reaches too. The same program with another account is another
 * server, so stored secrets are compared; one whose secrets cannot be read now is not the same.
 */
export function configuredTwin({ effective, secrets }: Runtime, upstream: Upstream): string | undefined {
  const unsealed = (configured: Upstream): Upstream => {
    const reveal = (text: string, id: string) =>
      text.replaceAll(secretReference(id), () => secrets.reveal(id, secretTarget(configured)));
    const values = Object.entries(valuesOf(configured)).map(([name, value]) => [name, secretIdsOf(value).reduce(reveal, value)]);
    return withValues(configured, Object.fromEntries(values));
  };
  const isTwin = (configured: Upstream): boolean => {
    if (!isSameServer(upstream, configured)) return false;
    try {
      return isSameServer(upstream, unsealed(configured));
    } catch (error) {
      if (toAppError(error).code === 'SECRET_UNAVAILABLE') return false;
      throw error;
    }
  };
  return Object.entries(effective().upstreams).find(([, configured]) => isTwin(configured))?.[0];
}

const placeOf = (upstream: Upstream): string =>
  JSON.stringify(upstream.type === 'stdio' ? [upstream.command, upstream.args, upstream.cwd, upstream.envFile] : [upstream.url]);

function haveSameValues(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = Object.keys(one);
  const isHidden = (value: string) => secretIdsOf(value).length > 0 || variablesOf(value).length > 0;
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const [mine = '', theirs] = [one[name], other[name]];
      return theirs !== undefined && (mine === theirs || isHidden(mine) || isHidden(theirs));
    })
  );
}

/** A valid name that none of `taken` has, as near to the given one as can be. */
function freeName(name: string, taken: readonly string[]): string {
  const visible = [...name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, '-').trim()].slice(0, 60).join('').trim();
  const wanted = upstreamNameSchema.safeParse(visible).success ? visible : 'server';
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${[...wanted].slice(0, 58).join('')}-${number}`;
    if (!taken.includes(candidate)) return upstreamNameSchema.parse(candidate);
  }
}

// Where unpacked bundles of servers are kept, and their removal with the last server that runs from one

export const bundleFolder = (runtime: Runtime): string => path.join(runtime.dataDirectory, 'bundles');

/** Removes the bundles that `upstream` ran from, unless another server does. */
export async function removeUnusedBundles(runtime: Runtime, upstream: Upstream): Promise<void> {
  const folder = bundleFolder(runtime);
  const names = await readdir(folder).catch(() => []);
  const others = Object.values(runtime.effective().upstreams);
  for (const name of names) {
    const place = path.join(folder, name);
    if (runsFrom(upstream, place) && !others.some((other) => runsFrom(other, place)))
      await rm(place, { recursive: true, force: true });
  }
}

const runsFrom = (upstream: Upstream, place: string): boolean =>
  upstream.type === 'stdio' &&
  [upstream.command, ...upstream.args, upstream.cwd ?? '', ...Object.values(upstream.env)].some((text) => text.includes(place));
