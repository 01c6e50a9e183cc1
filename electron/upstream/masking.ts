/** Masks secrets in a server's command line, address, log and errors. */

import { isDeepStrictEqual } from 'node:util';
import { isSecretName, isSecretText, looksSecret } from '../../shared/lib/secret-looks.ts';
import type { Upstream } from '../../shared/model/config.ts';
import { AppError, type RpcError } from '../../shared/model/errors.ts';
import { inAgentsWords, isMessage, type Message, type Text } from '../../shared/model/messages/message.ts';

/** Replaces a secret. */
export const MASK = '•••';
const reference = /\$\{[^{}]+\}/;

/** Shorter secrets are not masked everywhere, because they occur in harmless words. */
const SHORTEST_MASKED = 4;

/** The command line or address with secrets masked. */
export function shownTarget(upstream: Upstream): string {
  if (upstream.type !== 'stdio') return maskedUrl(upstream.url);
  return [upstream.command, ...maskedArguments(upstream.args)].join(' ');
}

/** The same, with quotes around arguments that contain spaces. */
export function exactTarget(upstream: Upstream): string {
  if (upstream.type !== 'stdio') return maskedUrl(upstream.url);
  return [upstream.command, ...maskedArguments(upstream.args)]
    .map((word) => (/^[^\s"'\\]+$/.test(word) || /^[A-Za-z]:\\[^\s"']*$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/** Masks arguments that look like secrets, completely or in part. */
export function maskedArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const flag = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1];
    const isValue = flag !== undefined && isSecretName(flag) && !arg.startsWith('-') && !reference.test(arg);
    return isValue ? MASK : maskedWords(arg);
  });
}

/** Masks tokens, passwords and addresses in any text: `KEY=value`, `Authorization: Bearer x`, `postgres://me:pw@host`. */
export function maskedWords(text: string): string {
  return text
    .replace(/[a-z][a-z0-9+.-]{0,63}:\/\/[^\s'"<>]+/gi, maskedUrl)
    .replace(
      /([A-Za-z][\w-]{0,255})(=|:\s*)((?:(?:Bearer|Basic|Token)\s+)?[^\s'"&;,]+)/g,
      (whole, name: string, sign: string, value: string) =>
        !value.startsWith('//') && looksSecret(name, value) ? `${name}${sign}${MASK}` : whole,
    )
    .replace(/[^\s'"=,;]+/g, (word) => (isSecretText(word) ? MASK : word));
}

/** User names and passwords, parameters that look like secrets, and path parts that look like keys. */
export function maskedUrl(url: string): string {
  const [, start = '', user = '', host = '', path = '', query = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?(.*)$/is.exec(url) ?? [];
  if (start === '') return url;
  const shownPath = path.replace(/[^/]+/g, (part) => (looksLikeKey(part) ? MASK : part));
  const shownQuery = query.replace(/(?<![^?&=])([^?&=]+)=([^&]*)/g, (whole, name: string, value: string) =>
    looksSecret(name, value) || looksLikeKey(value) ? `${name}=${MASK}` : whole,
  );
  return `${start}${user === '' ? '' : `${MASK}@`}${host}${shownPath}${shownQuery}${rest === '' ? '' : `#${MASK}`}`;
}

/** Long and random, as in addresses that let in whoever knows them; words and dates joined by dashes are not. */
const looksLikeKey = (part: string): boolean =>
  isSecretText(part) ||
  (/^[\w~%-]{20,}$/.test(part) && part.split(/[_~%-]/).some((word) => /^(?=.*\d)(?=.*[A-Za-z]).{8,}$/.test(word)));

/**
 * Texts that must not be shown: what references stood for, variables and headers that look like secrets, and those in arguments and
 * address. `resolved` is the same upstream with its references replaced.
 */
export function secretTexts(configured: Upstream, resolved: Upstream): string[] {
  const found: string[] = [];
  const values = valuesOf(resolved);
  for (const [name, text] of Object.entries(valuesOf(configured))) {
    const value = values[name] ?? '';
    if (/\$\{secret:/.test(text) || (value !== text && isSecretName(text)) || looksSecret(name, value)) {
      found.push(value, ...insertedInto(text, value), value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
    }
  }
  // What stood for a placeholder in a command line or address may be a secret by its name only.
  for (const [text, value] of linesOf(configured, resolved))
    if (value !== text && isSecretName(text)) found.push(value, ...insertedInto(text, value));
  if (resolved.type === 'stdio') {
    const shown = maskedArguments(resolved.args);
    resolved.args.forEach((arg, index) => {
      if (shown[index] === MASK) found.push(arg);
      else if (shown[index] !== arg) found.push(...insertedInto(shown[index] ?? '', arg, MASK));
    });
  } else {
    for (const address of [resolved.url, resolved.proxy ?? '']) found.push(...insertedInto(maskedUrl(address), address, MASK));
  }
  const all = found.flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]);
  // Longest first, so that a secret containing another is masked completely.
  return [...new Set(all)].filter((text) => text.length >= SHORTEST_MASKED).sort((one, other) => other.length - one.length);
}

/** The texts of the command line or address, as configured and as used. */
function linesOf(configured: Upstream, resolved: Upstream): [string, string][] {
  if (configured.type === 'stdio' && resolved.type === 'stdio')
    return configured.args.map((arg, index) => [arg, resolved.args[index] ?? arg]);
  if (configured.type === 'stdio' || resolved.type === 'stdio') return [];
  return [
    [configured.url, resolved.url],
    [configured.proxy ?? '', resolved.proxy ?? ''],
  ];
}

const valuesOf = (upstream: Upstream) => (upstream.type === 'stdio' ? upstream.env : upstream.headers);

/** Returns the part of `text` at the position of the only reference or mask in `pattern`. */
function insertedInto(pattern: string, text: string, hole: string | RegExp = reference): string[] {
  const parts = pattern.split(hole);
  const [before = '', after = ''] = parts;
  if (parts.length !== 2 || !text.startsWith(before) || !text.endsWith(after)) return [];
  return [text.slice(before.length, text.length - after.length)];
}

/** Masks each of `secrets` in the text. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
}

/** The same error with secrets masked in its texts. */
export function maskedError(error: AppError, secrets: readonly string[]): AppError {
  const message = maskedText(error.asText, error.message, secrets);
  const hint = error.hintAsText === undefined ? undefined : maskedText(error.hintAsText, error.hint ?? '', secrets);
  const { rpc } = error.details;
  const shownRpc = rpc === undefined ? undefined : (maskedIn(rpc, secrets) as RpcError);
  const same = message === error.asText && hint === error.hintAsText && isDeepStrictEqual(shownRpc, rpc);
  if (same) return error;
  return new AppError(error.code, message, {
    details: shownRpc === undefined ? error.details : { ...error.details, rpc: shownRpc },
    cause: error.cause,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The text with secrets masked in its parameters. Where a secret spans several of them, only the masked words are left. */
function maskedText(text: Text, words: string, secrets: readonly string[]): Text {
  const shown = masked(words, secrets);
  const found = JSON.stringify(text);
  if (shown === words && !secrets.some((secret) => found.includes(secret))) return text;
  if (typeof text === 'string') return shown;
  const message = maskedIn(text, secrets) as Message;
  return inAgentsWords(message) === shown ? message : shown;
}

function maskedIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return masked(value, secrets);
  if (Array.isArray(value)) return value.map((each) => maskedIn(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  if (isMessage(value)) return { code: value.code, params: maskedIn(value.params, secrets) };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [masked(name, secrets), maskedIn(each, secrets)]));
}
