/** Names for servers whose text gives none. */
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { isObject, type PlainObject } from '../agent-apps/plain.ts';
import { dockerRun } from './docker.ts';

/** Returns the entry's own name, or one derived from its program or address. */
export function nameOf(entry: unknown): string {
  if (!isObject(entry)) return 'server';
  if (typeof entry.name === 'string' && entry.name.trim() !== '') return entry.name;
  if (isObject(entry.transport)) return nameOf(entry.transport);
  const address = addressOf(entry);
  if (address !== undefined) return nameOfAddress(address);
  const words = wordsOf(entry);
  const [command = '', ...args] = words;
  const image = dockerRun(words)?.image;
  if (image !== undefined) return nameOfImage(image);
  const what = (isRunner(command) ? args.find(isName) : undefined) ?? command;
  // Without version, scope and ending.
  const [bare = what] = what.split(/(?<=.)(?:==|\[)/);
  return lastPart(bare.replace(/(.)@[^/@]*$/, '$1')).replace(/\.(?:[cm]?[jt]s|py|exe|jar)$/, '') || 'server';
}

export const addressOf = ({ url, serverUrl, httpUrl, uri, baseUrl }: PlainObject): string | undefined =>
  [url, serverUrl, httpUrl, uri, baseUrl].find((value): value is string => typeof value === 'string');

const wordsOf = ({ command, cmd, args }: PlainObject): string[] => [
  scalarText(command ?? cmd),
  ...(Array.isArray(args) ? args.flat().map(scalarText) : []),
];

/** Programs that run another one, which their arguments name. */
export const isRunner = (command: string): boolean =>
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|node|tsx|python[\d.]*|deno|docker|podman|dotnet|dnx|go|java|ruby|php|cargo)$/.test(
    lastPart(command).replace(/\.(?:exe|cmd)$/i, ''),
  );

const isName = (arg: string): boolean =>
  /^[@\w./\\:=[\],-]+$/.test(arg) && !/^(?:-|(?:run|dlx|exec|tool|x)$)/.test(arg) && !/^(?:git\+)?https?:/.test(arg);

/** `mcp.linear.app` is Linear's. */
function nameOfAddress(address: string): string {
  const host = /^[a-z]+:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(address)?.[1] ?? 'server';
  return host.replace(/^(?:www|mcp|api)\.(?=[^.]+\.[^.]+$)/, '');
}

const nameOfImage = (image: string): string => lastPart(image.replace(/@sha256:.*$/, '').replace(/:[^/]*$/, '')) || 'server';

const lastPart = (text: string): string => text.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
