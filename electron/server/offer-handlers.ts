/** Serves the prompts, resources and completions of upstreams beside the answers that the client has stored. */

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError, toAppError } from '../../shared/model/errors.ts';
import { inAgentsWords, nearNames } from '../../shared/model/messages/message.ts';
import type { CallService } from '../calls/service.ts';
import type { CallerContext, UpstreamRequest } from '../calls/types.ts';
import type { JsonObject } from '../upstream/types.ts';
import type { OfferPlace, UpstreamOffers } from './upstream-offers.ts';

export interface OfferHandlers {
  server: Server;
  service: CallService;
  owner: string;
  /** Absent: nothing of upstreams is offered. */
  offers: UpstreamOffers | undefined;
  /** Whether the client can subscribe to resources by a request, as those of the 2025 era do. */
  subscribes: boolean;
  /** Runs a request with its caller, within the client's quota. */
  run: (context: ServerContext, work: (caller: CallerContext) => Promise<JsonObject>) => Promise<JsonObject>;
}

const named = z.looseObject({ name: z.string() });
const withUri = z.looseObject({ uri: z.string() });
const completing = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
});

/** Subscriptions of one client. */
const MAX_SUBSCRIPTIONS = 256;

export function setOfferHandlers({ server, service, owner, offers, subscribes, run }: OfferHandlers): void {
  /** The client's parameters, without the members of `_meta` that are addressed to Filebridge. */
  const ask = (context: ServerContext, request: UpstreamRequest) =>
    run(context, async (caller) => {
      try {
        return await service.upstreamRequest(request, caller);
      } catch (error) {
        throw asProtocolError(error);
      }
    });

  server.setRequestHandler('resources/list', async () => {
    const stored = (await service.resources.list(owner)).map(({ uri, name, mimeType, size, description }) => ({
      uri,
      name,
      mimeType,
      size,
      ...(description === undefined ? {} : { description }),
    }));
    const others = (await offers?.resources(new Set(stored.map(({ uri }) => uri)))) ?? [];
    return { resources: [...stored, ...(others as typeof stored)] };
  });
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: ((await offers?.templates()) ?? []) as never[],
  }));
  server.setRequestHandler('resources/read', { params: withUri }, async ({ _meta, ...params }, context) => {
    const { uri } = params;
    const place = await placeOf(uri);
    if (place === undefined) return run(context, (caller) => readStored(uri, caller));
    const result = await ask(context, request('resources/read', place, { ...params, uri: place.key }));
    return place.key === uri ? result : withNames(result, place.key, uri);
  });

  /** Undefined for what no server has: it may be a stored answer. */
  async function placeOf(uri: string): Promise<OfferPlace | undefined> {
    const own = (await service.resources.list(owner)).some((each) => each.uri === uri);
    const places = own ? [] : ((await offers?.placesOf(uri, (link) => service.linkedBy(owner, link))) ?? []);
    if (places.length <= 1) return places[0];
    throw invalid(`Several servers have the resource '${uri}': read one of ${offers?.markedPlaces(places).join(', ')}`);
  }

  async function readStored(requestedUri: string, caller: CallerContext): Promise<JsonObject> {
    try {
      const { uri, mimeType, text, blob } = await service.resources.read(requestedUri, caller);
      return { contents: [blob === undefined ? { uri, mimeType, text: text ?? '' } : { uri, mimeType, blob }] };
    } catch (error) {
      if (error instanceof AppError && error.code === 'FILE_NOT_FOUND') throw new ResourceNotFoundError(requestedUri, error.text);
      throw error;
    }
  }

  if (offers === undefined) return;
  if (subscribes) {
    const subscriptions = new Map<string, () => void>();
    server.setRequestHandler('resources/subscribe', { params: withUri }, async ({ uri }) => {
      if (subscriptions.has(uri)) return {};
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) throw invalid(`A client may subscribe to ${MAX_SUBSCRIPTIONS} resources`);
      const place = await placeOf(uri);
      const isStored = place === undefined && (await service.resources.list(owner)).some((each) => each.uri === uri);
      if (!place && !isStored) throw new ResourceNotFoundError(uri);
      // A stored answer does not change.
      const tell = () => void server.sendResourceUpdated({ uri }).catch(() => undefined);
      const end = place
        ? await offers.subscribe(place, tell).catch((error: unknown) => {
            throw asProtocolError(error);
          })
        : () => undefined;
      subscriptions.get(uri)?.();
      subscriptions.set(uri, end);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', { params: withUri }, ({ uri }) => {
      subscriptions.get(uri)?.();
      subscriptions.delete(uri);
      return {};
    });
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      for (const end of subscriptions.values()) end();
      subscriptions.clear();
    };
  }
  server.setRequestHandler('prompts/list', async () => ({ prompts: (await offers.prompts()) as never[] }));
  server.setRequestHandler('prompts/get', { params: named }, async ({ _meta, ...params }, context) => {
    const place = await offers.promptNamed(params.name);
    if (place === undefined) {
      const hint = nearNames(
        params.name,
        (await offers.prompts()).map(({ name }) => String(name)),
      );
      throw invalid(`Unknown prompt '${params.name}'${hint ? `. ${inAgentsWords(hint)}` : ''}`);
    }
    return ask(context, request('prompts/get', place, { ...params, name: place.key }));
  });

  server.setRequestHandler('completion/complete', { params: completing }, async ({ _meta, ...params }, context) => {
    const { ref } = params;
    const places = ref.type === 'ref/prompt' ? [await offers.promptNamed(ref.name)] : await offers.templateNamed(ref.uri);
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw invalid(`Unknown ${ref.type === 'ref/prompt' ? `prompt '${ref.name}'` : `resource template '${ref.uri}'`}`);
    const there = ref.type === 'ref/prompt' ? { ...ref, name: place.key } : { ...ref, uri: place.key };
    return ask(context, request('completion/complete', place, { ...params, ref: there }));
  });
}

const request = (method: UpstreamRequest['method'], { server, key }: OfferPlace, params: JsonObject): UpstreamRequest => ({
  server,
  method,
  params,
  about: key,
});

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** The server's own error where there is one. */
function asProtocolError(error: unknown): ProtocolError {
  const known = toAppError(error);
  const { rpc } = known.details;
  if (rpc !== undefined) return new ProtocolError(rpc.code, rpc.message, rpc.data);
  return new ProtocolError(ProtocolErrorCode.InternalError, known.text, { code: known.code });
}

/** The contents under the name that the client asked for. */
function withNames(result: JsonObject, key: string, uri: string): JsonObject {
  if (!Array.isArray(result.contents)) return result;
  const contents = result.contents.map((content: JsonObject) => (content?.uri === key ? { ...content, uri } : content));
  return { ...result, contents };
}
