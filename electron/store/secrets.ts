/** Fills in what a server's settings leave open: placeholders, stored secrets (`${secret:ID}`), and the variables of a file. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'dotenv';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { fillPlaceholders, type Unfilled } from './placeholders.ts';

const sealedReference = /\$\{secret:([A-Za-z0-9_-]+)\}/g;

/** Where values come from. */
export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Throws SECRET_UNAVAILABLE. Absent: this program has no stored secrets. */
  reveal?: ((id: string, target: string) => string) | undefined;
  /** The project's folder, where the program was started in one. */
  workspace?: string | undefined;
}

/** How the configuration refers to a stored secret. */
export const secretReference = (id: string): string => `\${secret:${id}}`;

/** Ids of the stored secrets that a value refers to. */
export const secretIdsOf = (value: string): string[] => [...value.matchAll(sealedReference)].map((match) => match[1] ?? '');

/** The target of a server's secrets: a program with its arguments, or the origin of an address. */
export const secretTarget = (upstream: Upstream): string =>
  upstream.type === 'stdio'
    ? JSON.stringify(['command', upstream.command, ...upstream.args])
    : JSON.stringify(['origin', originOf(upstream.url)]);

/** Of an address with placeholders, the text up to its path. */
function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return /^[^/]*(?:\/\/[^/?#]*)?/.exec(url)?.[0] ?? url;
  }
}

const shownAddress = (url: string): string => originOf(url).replace(/^[a-z]+:\/\//i, '');

/** Whether a person who changed one entry into the other meant the same server: the same program, or the same origin. */
export const isSameServer = (one: Upstream, other: Upstream): boolean =>
  one.type === 'stdio' && other.type === 'stdio'
    ? one.command === other.command
    : one.type !== 'stdio' && other.type !== 'stdio' && secretTarget(one) === secretTarget(other);

/** A part of an entry; one of several has its own name. */
interface ValuePlace {
  kind: 'env' | 'header' | 'argument' | 'command' | 'cwd' | 'url' | 'proxy' | 'envFile';
  name: string;
}

/** Programs that fill in variables in their arguments themselves. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'cmd', 'powershell', 'pwsh']);

const isShell = (command: string): boolean =>
  SHELLS.has(
    path.win32
      .basename(command)
      .toLowerCase()
      .replace(/\.exe$/, ''),
  );

/**
 * The upstream with its placeholders filled, in variables, headers, command line, working folder and address, and with the variables of its
 * `envFile`. The arguments of a shell are left to the shell. Throws CONFIG_INVALID for what cannot be filled, SECRET_UNAVAILABLE for a secret
 * that cannot be read, naming server and place, never a value.
 */
export function resolveSecrets(upstream: Upstream, { env, reveal, workspace }: SecretSources, name?: string): Upstream {
  const server = name ?? (upstream.type === 'stdio' ? upstream.command : shownAddress(upstream.url));
  const stored = (id: string, place: ValuePlace) => {
    try {
      if (reveal) return reveal(id, secretTarget(upstream));
      throw new AppError('SECRET_UNAVAILABLE', say('secret.keepsNone'));
    } catch (error) {
      const { asText, hintAsText } = toAppError(error);
      throw new AppError('SECRET_UNAVAILABLE', say('secret.stored', { server, ...place, reason: asText }), {
        hint: hintAsText ?? say('secret.again.hint'),
      });
    }
  };
  const filled = (text: string, kind: ValuePlace['kind'], key: string = kind) => {
    const place = { kind, name: key };
    const sources = { env, home: os.homedir(), workspace, secret: (id: string) => stored(id, place) };
    return fillPlaceholders(text, sources, (reason) => {
      throw unfilled(server, place, reason);
    });
  };
  const values = (of: Record<string, string>, kind: ValuePlace['kind']) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, filled(value, kind, key)]));
  if (upstream.type !== 'stdio') {
    const url = filled(upstream.url, 'url');
    assertAddress(url, server);
    const { proxy } = upstream;
    return {
      ...upstream,
      url,
      headers: values(upstream.headers, 'header'),
      ...(proxy === undefined ? {} : { proxy: filled(proxy, 'proxy') }),
    };
  }
  const { command, args, cwd, envFile } = upstream;
  const folder = cwd === null ? null : filled(cwd, 'cwd');
  return {
    ...upstream,
    command: filled(command, 'command'),
    args: isShell(command) ? args : args.map((arg, index) => filled(arg, 'argument', `${index + 1}`)),
    cwd: folder,
    env: {
      ...(envFile === undefined ? {} : variablesIn(path.resolve(folder ?? workspace ?? '', filled(envFile, 'envFile')), server)),
      ...values(upstream.env, 'env'),
    },
  };
}

function unfilled(server: string, place: ValuePlace, reason: Unfilled): AppError {
  if (reason.why === 'variable') {
    const { variable } = reason;
    return new AppError('CONFIG_INVALID', say('secret.variable', { server, variable, ...place }), {
      hint: say('secret.variable.hint', { variable }),
      details: { variable },
    });
  }
  const { why, placeholder } = reason;
  return new AppError('CONFIG_INVALID', say(`placeholder.${why}`, { server, placeholder, ...place }), {
    hint: say('placeholder.hint'),
  });
}

/** An address with its placeholders filled. Throws CONFIG_INVALID. */
export function filledAddress(url: string, sources: SecretSources): string {
  const filled = resolveSecrets({ type: 'http', url, headers: {}, enabled: true, confirm: 'never' }, sources);
  return filled.type === 'stdio' ? url : filled.url;
}

/** Only what was made of placeholders can be wrong here. Its value may be a secret. */
function assertAddress(url: string, server: string): void {
  try {
    if (/^https?:$/.test(new URL(url).protocol)) return;
  } catch {
    // The same as another protocol.
  }
  throw new AppError('CONFIG_INVALID', say('placeholder.address', { server }), { hint: say('placeholder.address.hint') });
}

/** The variables of a file of `NAME=value` lines, as the `envFile` of VS Code has them. */
function variablesIn(file: string, server: string): Record<string, string> {
  try {
    return parse(readFileSync(file));
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', say('placeholder.envFile', { server, file }), {
      hint: say('placeholder.envFile.hint'),
      cause,
    });
  }
}
