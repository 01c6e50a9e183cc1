/** Prompts, resources and templates of all upstreams under names and URIs that are each of one server only. */

import type { JsonObject, Offer, UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { type ListsOptions, UpstreamLists } from './upstream-lists.ts';

/** Where a request for a prompt or resource goes, and what it is called there. */
export interface OfferPlace {
  server: string;
  key: string;
}

/** Which server a client was given a link by. */
export type LinkedBy = (uri: string) => readonly string[];

/** Length limit of all servers' instructions together, as agents get them. Characters. */
const INSTRUCTIONS = { each: 400, all: 2_000 } as const;

const SCHEME = 'filebridge://';

/** Resources with the same URI on two servers are published with the server's name as prefix. */
const marked = (server: string, uri: string): string => `${SCHEME}${encodeURIComponent(server)}/${uri}`;

function unmarked(uri: string): OfferPlace | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const slash = uri.indexOf('/', SCHEME.length);
  if (slash < 0) return undefined;
  try {
    return { server: decodeURIComponent(uri.slice(SCHEME.length, slash)), key: uri.slice(slash + 1) };
  } catch {
    return undefined;
  }
}

export interface OffersOptions extends ListsOptions<Offer> {
  tools: UpstreamLists<UpstreamTool>;
  /** Gives each prompt of each server another name. */
  nameOf: (server: string, prompt: string) => string;
  /** A server's instructions for models, if known. */
  instructionsOf?: (name: string) => string | undefined;
  /** False while the user wants nothing of servers listed. */
  offered?: () => boolean;
}

export class UpstreamOffers {
  readonly #lists: UpstreamLists<Offer>;
  readonly #tools: UpstreamLists<UpstreamTool>;
  readonly #nameOf: (server: string, prompt: string) => string;

  readonly #offered: () => boolean;
  readonly #upstreams: UpstreamPool;
  readonly #instructionsOf: (name: string) => string | undefined;

  constructor(
    upstreams: UpstreamPool,
    { tools, nameOf, offered = () => true, instructionsOf = () => undefined, ...options }: OffersOptions,
  ) {
    this.#upstreams = upstreams;
    this.#instructionsOf = instructionsOf;
    this.#tools = tools;
    this.#nameOf = nameOf;
    this.#offered = offered;
    this.#lists = new UpstreamLists(
      upstreams,
      {
        noun: 'prompt or resource',
        list: (name) => upstreams.offers(name),
        onChange: (listener) => upstreams.onOffersChanged(listener),
      },
      options,
    );
  }

  /** A paragraph for each server that says how it is to be used: on one line, so that none passes for ours. */
  instructions(): string[] {
    if (!this.#offered()) return [];
    let left = INSTRUCTIONS.all;
    return this.#upstreams.status().flatMap(({ name, state }) => {
      const said = state === 'disabled' ? '' : (this.#instructionsOf(name) ?? '').replaceAll(/[\s\p{C}]+/gu, ' ').trim();
      const text = said.length > INSTRUCTIONS.each ? `${said.slice(0, INSTRUCTIONS.each)}…` : said;
      if (text === '' || text.length > left) return [];
      left -= text.length;
      return [`Server ${name} says of itself: ${text}`];
    });
  }

  /** As for `prompts/list`: `<server>__<prompt>`. */
  async prompts(): Promise<JsonObject[]> {
    return (await this.#offers('prompt')).map(({ server, key, definition }) => ({
      ...definition,
      name: this.#nameOf(server, key),
    }));
  }

  /** As for `resources/list`; `own` are URIs of Filebridge itself. */
  async resources(own: ReadonlySet<string>): Promise<JsonObject[]> {
    return published(await this.#offers('resource'), 'uri', own);
  }

  /** As for `resources/templates/list`. */
  async templates(): Promise<JsonObject[]> {
    return published(await this.#offers('template'), 'uriTemplate', new Set());
  }

  async promptNamed(name: string): Promise<OfferPlace | undefined> {
    return (await this.#offers('prompt')).find(({ server, key }) => this.#nameOf(server, key) === name);
  }

  /** The servers that have this template, by the name under which it is published or its own. */
  async templateNamed(uriTemplate: string): Promise<OfferPlace[]> {
    const marked = unmarked(uriTemplate);
    const templates = await this.#offers('template');
    if (marked) {
      const found = templates.filter(({ server, key }) => server === marked.server && key === marked.key);
      if (found.length > 0) return found;
    }
    return templates.filter(({ key }) => key === uriTemplate);
  }

  /**
   * Where a resource may be read: at servers that list it, have a template for it, name it in a tool's `_meta` (MCP Apps), or have
   * given this client a link to it. More than one means that nothing tells which is meant.
   */
  async placesOf(uri: string, linkedBy: LinkedBy): Promise<OfferPlace[]> {
    const marked = unmarked(uri);
    if (marked) {
      const servers = await this.#serversOf(marked.key, linkedBy);
      if (servers.includes(marked.server)) return [marked];
    }
    return (await this.#serversOf(uri, linkedBy)).map((server) => ({ server, key: uri }));
  }

  /** For a URI that several servers have. */
  markedPlaces(places: readonly OfferPlace[]): string[] {
    return places.map(({ server, key }) => marked(server, key));
  }

  /** Hears of changes of a resource. Resolves with the function that ends it. UPSTREAM_*. */
  subscribe({ server, key }: OfferPlace, listener: () => void): Promise<() => void> {
    return this.#upstreams.subscribe(server, key, listener);
  }

  onChange(listener: () => void): () => void {
    return this.#lists.onChange(listener);
  }

  async #serversOf(uri: string, linkedBy: LinkedBy): Promise<string[]> {
    const listed = (await this.#offers('resource')).filter(({ key }) => key === uri).map(({ server }) => server);
    const linked = linkedBy(uri);
    // A link tells which one is meant, where several have it.
    const known = linked.length === 1 ? [...linked] : [...new Set([...listed, ...linked])];
    if (known.length > 0) return known;
    const shown = [...(await this.#tools.soon())].filter(([, tools]) => tools.some((tool) => isShownBy(tool, uri)));
    if (shown.length > 0) return shown.map(([server]) => server);
    const templates = await this.#offers('template');
    return [...new Set(templates.filter(({ key }) => fitsTemplate(key, uri)).map(({ server }) => server))];
  }

  async #offers(kind: Offer['kind']): Promise<(Offer & OfferPlace)[]> {
    if (!this.#offered()) return [];
    const lists = await this.#lists.soon();
    return [...lists].flatMap(([server, offers]) =>
      offers.flatMap((offer) => (offer.kind === kind ? [{ ...offer, server }] : [])),
    );
  }
}

function published(
  offers: readonly (Offer & OfferPlace)[],
  member: 'uri' | 'uriTemplate',
  own: ReadonlySet<string>,
): JsonObject[] {
  const servers = new Map<string, Set<string>>();
  for (const { key, server } of offers) servers.set(key, (servers.get(key) ?? new Set()).add(server));
  return offers.map(({ key, server, definition }) => ({
    ...definition,
    [member]: own.has(key) || (servers.get(key)?.size ?? 0) > 1 ? marked(server, key) : key,
  }));
}

/** Whether hosts show this resource as the tool's page: `_meta.ui.resourceUri`, earlier `_meta["ui/resourceUri"]`. */
function isShownBy({ _meta }: UpstreamTool, uri: string): boolean {
  const meta = _meta as { ui?: { resourceUri?: unknown } | null; 'ui/resourceUri'?: unknown } | undefined;
  return meta?.ui?.resourceUri === uri || meta?.['ui/resourceUri'] === uri;
}

/** Longer templates are compared as they are (characters). */
const TEMPLATE_CHARS = 2_000;

/** Whether the texts between the template's expressions are there, in their order. What expressions stand for is the server's to check. */
export function fitsTemplate(template: string, uri: string): boolean {
  if (template.length > TEMPLATE_CHARS) return template === uri;
  const texts = template.split(/\{[^{}]*\}/);
  if (texts.length === 1) return template === uri;
  const [first = ''] = texts;
  const last = texts.at(-1) ?? '';
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    const found = uri.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return uri.endsWith(last) && uri.length - last.length >= at;
}
