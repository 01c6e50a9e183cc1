/**
 * Links that have an app install a server (VS Code, Cursor, LM Studio, Goose, Kiro and others), pages that lead to them, and addresses of
 * remote servers.
 */
import { say } from '../../../shared/model/messages/message.ts';
import { isObject, type PlainObject } from '../../agent-apps/plain.ts';
import { parseJsonText } from '../../store/json-text.ts';
import { type Draft, hole, type Input, notUsable, type PasteDialect } from '../offer.ts';
import { inputsOf } from './settings.ts';

/** Schemes of apps, and hosts whose pages forward to them. */
const appLink =
  /^(?:(?:vscode(?:-insiders)?|vscodium|code-oss|cursor|windsurf|lmstudio|goose|kiro|raycast|trae|void|antigravity|qoder|cherrystudio|witsy|mcp):|https:\/\/(?:insiders\.vscode\.dev\/redirect|vscode\.dev\/redirect|(?:www\.)?cursor\.com\/(?:[a-z-]+\/)?(?:install-mcp|link\/mcp)|cursor\.sh\/|lmstudio\.ai\/install-mcp|kiro\.dev\/launch\/mcp|block\.github\.io\/goose\/extension))/i;

export const installLinks: PasteDialect = {
  name: 'install link',
  async read(text) {
    const link = linkIn(text);
    return link === undefined ? null : [await draftOf(link)];
  },
};

/** Alone, or as the target of a badge in Markdown or HTML. */
function linkIn(text: string): string | undefined {
  if (!/^[<[]/.test(text)) return appLink.test(text) && !/\n/.test(text) ? text : undefined;
  const targets = [...text.matchAll(/\]\(\s*<?([^)\s>]+)|href\s*=\s*["']([^"']+)["']|^<([a-z][\w+.-]*:[^>\s]+)>$/gi)];
  return targets
    .map(([, markdown, html, bare]) => (markdown ?? html ?? bare ?? '').replaceAll('&amp;', '&'))
    .find((each) => appLink.test(each));
}

async function draftOf(link: string): Promise<Draft> {
  const url = parsed(link);
  // A page that forwards names the link it forwards to.
  const forward = url.searchParams.get('url');
  if (forward !== null && /redirect/.test(url.pathname) && appLink.test(forward)) return draftOf(forward);
  if (url.protocol === 'goose:' || /goose\/extension/.test(url.pathname)) return gooseDraft(url.searchParams);
  const name = url.searchParams.get('name') ?? url.searchParams.get('server') ?? undefined;
  const config = url.searchParams.get('config');
  const entry = config === null ? await decoded(url.search.slice(1)) : await decoded(config);
  const inputs = [...inputsOf(entry.inputs), ...(await declared(url.searchParams.get('inputs')))];
  const inner = isObject(entry.config) ? entry.config : entry;
  const called = name ?? (typeof entry.name === 'string' ? entry.name : undefined);
  return { ...(called === undefined ? {} : { name: called }), entry: words(inner), inputs };
}

/** Cursor's links have the whole command line in `command` at times. */
function words(entry: PlainObject): PlainObject {
  const { command, args } = entry;
  if (typeof command !== 'string' || (Array.isArray(args) && args.length > 0) || !/\s/.test(command.trim())) return entry;
  const [program = '', ...rest] = command.trim().split(/\s+/);
  return { ...entry, command: program, args: rest };
}

async function declared(text: string | null): Promise<readonly Input[]> {
  if (text === null) return [];
  const read = await parseJsonText(text);
  return read.ok ? inputsOf(read.value) : [];
}

function parsed(link: string): URL {
  try {
    return new URL(link);
  } catch (cause) {
    throw damaged(cause);
  }
}

/** JSON, plain or encoded for an address once or twice, or in base64. */
async function decoded(text: string): Promise<PlainObject> {
  for (const candidate of [
    text,
    unescaped(text),
    unescaped(unescaped(text)),
    fromBase64(text),
    fromBase64(unescaped(text)),
    unescaped(fromBase64(text)),
  ]) {
    if (!/^\s*\{/.test(candidate)) continue;
    const read = await parseJsonText(candidate);
    if (read.ok && isObject(read.value)) return read.value;
  }
  throw damaged();
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const fromBase64 = (text: string): string =>
  /^[\w+/ -]+={0,2}$/.test(text) ? Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8') : '';

const damaged = (cause?: unknown) => notUsable(say('pasted.link'), say('pasted.link.hint'), cause);

/** `env=KEY%3Dwhat it is` asks for a value. */
function gooseDraft(params: URLSearchParams): Draft {
  const inputs: Input[] = [];
  const entriesOf = (parameter: string) =>
    Object.fromEntries(
      params.getAll(parameter).map((text) => {
        const [, id = text, description = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
        inputs.push({
          ...{ id, label: id, description: description || null, kind: 'text', secret: true, required: true, multiple: false },
          ...{ choices: [], preset: null, example: null },
        });
        return [id, hole(id)];
      }),
    );
  const url = params.get('url');
  const command = params.get('cmd');
  if (url === null && command === null) throw damaged();
  const name = params.get('name') ?? params.get('id') ?? undefined;
  const type = params.get('type') === 'sse' ? 'sse' : 'http';
  return {
    ...(name === undefined ? {} : { name: params.get('id') ?? name, title: name }),
    description: params.get('description'),
    entry:
      command === null
        ? { type: /sse\/?$/.test(url ?? '') ? 'sse' : type, url, headers: entriesOf('header') }
        : { command, args: params.getAll('arg'), env: entriesOf('env') },
    inputs,
  };
}

// The address of a remote server. Pages about servers are told apart.

/** Sites that describe programs. */
const pages =
  /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|npmjs\.com|pypi\.org|hub\.docker\.com|smithery\.ai|glama\.ai|mcp\.so|pulsemcp\.com|mcpservers\.org|modelcontextprotocol\.io|cursor\.directory|mcpmarket\.com|lobehub\.com)$/;

export const address: PasteDialect = {
  name: 'address',
  read(text) {
    if (!/^<?https?:\/\/\S+$/i.test(text)) return null;
    const url = text.replace(/^<(.*)>$/, '$1');
    const { host, pathname } = parts(url);
    const npm = /^\/package\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(pathname)?.[1];
    if (/^(?:www\.)?npmjs\.com$/.test(host) && npm) return [{ entry: { command: 'npx', args: ['-y', npm] } }];
    const pypi = /^\/project\/([\w.-]+)/.exec(pathname)?.[1];
    if (host === 'pypi.org' && pypi) return [{ entry: { command: 'uvx', args: [pypi] } }];
    const file = /\.(?:mcpb|dxt)(?:[?#]|$)/i.test(url);
    if (file) throw notUsable(say('pasted.download'), say('pasted.download.hint'));
    if (pages.test(host)) throw notUsable(say('pasted.page', { host }), say('pasted.page.hint'));
    return [{ entry: { url } }];
  },
};

function parts(url: string): { host: string; pathname: string } {
  try {
    const { hostname, pathname } = new URL(url.replaceAll(/[<>{}]/g, 'x'));
    return { host: hostname, pathname };
  } catch (cause) {
    throw notUsable(say('entry.notUrl'), say('entry.notUrl.hint'), cause);
  }
}
