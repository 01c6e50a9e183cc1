/** Stored answers: written under an allowed folder, linked to, and served as resources. */

import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ResponseFormat } from '../../shared/model/call.ts';
import { type Warning, warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isClientFolder } from '../files/client-folders.ts';
import { isWithin, namedPath } from '../files/paths.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import {
  binaryBlocks,
  encodedBytes,
  formatOfName,
  notWritten,
  type ResponseBody,
  renderResponse,
  responseTypes,
  type StoredFormat,
  storedOtherwise,
} from './answer.ts';
import type { CallTarget } from './events.ts';
import type { CallDeps, ResourceContent, StoredResource } from './types.ts';

export interface StorageRequest {
  storage_path?: string | undefined;
  filename?: string | undefined;
  description?: string | undefined;
  response_format?: ResponseFormat | undefined;
  overwrite?: boolean | undefined;
  /** Where the records of the answer are, as a data key. */
  records?: string | undefined;
}

/** An answer as it is to be written: one text, unless there are only binaries, and these. */
interface Rendered {
  body: ResponseBody;
  /** Null: there is none. */
  text: Content | null;
  preview: string;
  binaries: { index: number; mimeType: string; content: Content }[];
}

/** A file's bytes, read again at each call. */
type Content = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface StoredAnswer {
  files: StoredResource[];
  /** First characters of the stored text. */
  preview: string;
  warnings: Warning[];
  /** Of a table. */
  records?: number | undefined;
  /** Of an object: where its records are. */
  list?: string | undefined;
}

const ofData: ReadonlySet<ResponseFormat> = new Set<ResponseFormat>(['csv', 'tsv', 'json', 'jsonl']);

/** The warning that no file has the name that was asked for; a name without extension gets one. `format`: of the text among them. */
function notNamed(filename: string | undefined, files: readonly StoredResource[], format: StoredFormat | null): Warning[] {
  const names = files.map(({ name }) => name);
  if (filename === undefined || names.includes(filename)) return [];
  const unwritten = format === null ? undefined : notWritten(format, filename);
  if (unwritten && names.length === 1) return [unwritten];
  const isAdded = unwritten === undefined && names.some((name) => path.parse(name).name === filename);
  return isAdded ? [] : [warning('NOT_NAMED', say('answer.notNamed', { filename, files: names }))];
}

/** Whether a name has an ending that no text format has. */
const isForBytes = (name: string): boolean => formatOfName(name) === undefined && /\.[a-z0-9]{2,5}$/i.test(name);

async function mediaTypeOf(name: string): Promise<string> {
  const { default: mime } = await import('mime');
  return mime.getType(name) ?? 'application/octet-stream';
}

const PREVIEW_CHARS = 400;
/** Longer links are not remembered (characters). */
const MAX_URI = 8 * 1024;
/** Bytes written at once. */
const WRITE_BYTES = 1024 * 1024;
const READ_BYTES = 10 * 1024 * 1024;
const ENCODED_CHARS = 256 * 1024;

/** Whether a call asked for its answer to be stored. */
export function wantsStorage(request: StorageRequest): boolean {
  return request.storage_path !== undefined || request.filename !== undefined || request.response_format !== undefined;
}

/** The stored answers of one client: in `folder`, below the one for all of them, unless a call says otherwise. */
export function createResponses(
  deps: Pick<CallDeps, 'config' | 'files' | 'responsesDirectory'>,
  kept = new KeptAnswers(),
  owner = '',
  folder = '',
) {
  async function directoryOf(request: StorageRequest): Promise<string> {
    const base = namedPath(deps.config().responses.folder ?? deps.responsesDirectory);
    const own = path.join(base, folder);
    if (request.storage_path === undefined) return own;
    const named = path.normalize(namedPath(request.storage_path));
    if (path.isAbsolute(named)) return isWithin(named, base) ? path.join(own, belowClient(path.relative(base, named))) : named;
    const writable = (await deps.files.folders()).find((each) => each.access === 'read-write' && each.realPath !== null);
    return path.join(writable?.realPath ?? own, named);
  }

  function baseName(target: CallTarget): string {
    const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${target.server}-${target.tool}-${time}`.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 120);
  }

  /** Fails now, before anything is sent, if the answer could not be stored as asked. */
  async function check(request: StorageRequest, target: CallTarget): Promise<void> {
    const directory = await directoryOf(request);
    const overwrite = request.overwrite ?? false;
    const probing = { overwrite: true, probe: !overwrite };
    const probe = await deps.files.create(directory, request.filename ?? `${baseName(target)}.txt`, probing);
    await probe.discard();
    if (request.filename === undefined || overwrite || formatOfName(request.filename) === undefined) return;
    const existing = await deps.files.open(path.join(directory, request.filename)).catch(() => undefined);
    if (!existing) return;
    await existing.close();
    throw new AppError('FILE_EXISTS', say('file.exists', { path: existing.path }), {
      hint: say('file.exists.filename'),
      details: { path: existing.path },
    });
  }

  /** Writes a file under `name`; without `overwrite`, a name that is taken gets a number. */
  async function write(
    directory: string,
    name: string,
    content: Content,
    overwrite: boolean,
    signal: AbortSignal | undefined,
  ): Promise<{ path: string; size: number }> {
    const { name: stem, ext } = path.parse(name);
    for (let attempt = 1; ; attempt += 1) {
      const pending = await deps.files.create(directory, attempt === 1 ? name : `${stem}-${attempt}${ext}`, { overwrite });
      let writing = Promise.resolve();
      try {
        for await (const part of gathered(content())) {
          await writing;
          signal?.throwIfAborted();
          writing = pending.write(part);
          // Whoever awaits it next hears of it.
          writing.catch(() => undefined);
        }
        await writing;
        signal?.throwIfAborted();
        return await pending.commit(signal);
      } catch (error) {
        await writing.catch(() => undefined);
        await pending.discard();
        if (!(error instanceof AppError && error.code === 'FILE_EXISTS' && attempt < 1000)) throw error;
      }
    }
  }

  /** `signal` gives up the writing. */
  async function store(
    answer: ToolResult,
    request: StorageRequest,
    target: CallTarget,
    signal?: AbortSignal,
  ): Promise<StoredAnswer> {
    const given = request.filename;
    const asked = request.response_format === 'auto' ? undefined : request.response_format;
    const wished = asked ?? (given === undefined ? undefined : formatOfName(given)) ?? 'auto';
    return storeRendered(await rendered(answer, wished, target, request), wished, request, target, signal);
  }

  async function rendered(
    result: ToolResult,
    wished: ResponseFormat,
    target: CallTarget,
    { records, filename }: Pick<StorageRequest, 'records' | 'filename'>,
  ): Promise<Rendered> {
    const bytes = filename !== undefined && isForBytes(filename) ? encodedBytes(result, records) : undefined;
    if (bytes !== undefined) {
      const mimeType = await mediaTypeOf(filename as string);
      return {
        body: { format: 'txt', text: '' },
        text: null,
        preview: '',
        binaries: [{ index: 0, mimeType, content: () => [bytes] }],
      };
    }
    const body = await renderResponse(result, wished, `${target.server} ${target.tool}`, records);
    const { text } = body;
    const binaries = binaryBlocks(result).map(({ index, mimeType, base64 }) => ({
      index,
      mimeType,
      content: () => [Buffer.from(base64, 'base64')],
    }));
    return {
      body,
      text: text === '' && binaries.length > 0 ? null : () => encoded(text),
      preview: text.slice(0, PREVIEW_CHARS),
      binaries,
    };
  }

  async function storeRendered(
    answer: Rendered,
    wished: ResponseFormat,
    request: StorageRequest,
    target: CallTarget,
    signal: AbortSignal | undefined,
  ): Promise<StoredAnswer> {
    const directory = await directoryOf(request);
    const stem = request.filename ?? baseName(target);
    const { binaries, text } = answer;
    const { format } = answer.body;
    const files: StoredResource[] = [];
    const keep = async (name: string, content: Content, mimeType: string) => {
      const written = await write(directory, name, content, request.overwrite ?? false, signal);
      const resource: StoredResource = {
        uri: pathToFileURL(written.path).href,
        name: path.basename(written.path),
        path: written.path,
        mimeType,
        size: written.size,
        description: request.description ?? `Answer of ${target.server}:${target.tool}`,
      };
      kept.add(owner, resource);
      files.push(resource);
    };
    const { default: mime } = binaries.length > 0 ? await import('mime') : { default: undefined };
    // The picture that a call for `shot.png` gave is `shot.png`, whatever is said beside it.
    const namesake = binaries.find(({ mimeType }) => mimeType === mime?.getType(stem));
    if (text && namesake) await keep(`${path.parse(stem).name}.${format}`, text, responseTypes[format]);
    else if (text) {
      // Where the answer could not be had in the format asked for, its name must not say that it was.
      const named = formatOfName(stem);
      // A name for data is for that data alone.
      const isOther = named !== format && named !== undefined && ofData.has(named);
      const fellBack = isOther || (wished !== 'auto' && wished !== format);
      const name = named === undefined ? `${stem}.${format}` : fellBack ? `${path.parse(stem).name}.${format}` : stem;
      await keep(name, text, responseTypes[format]);
    }
    for (const block of binaries) {
      const numbered = `${path.parse(stem).name}-${block.index + 1}.${mime?.getExtension(block.mimeType) ?? 'bin'}`;
      await keep(block === namesake ? stem : numbered, block.content, block.mimeType);
    }
    kept.changed(owner);
    const otherwise = storedOtherwise(answer.body, files[0]?.name ?? '');
    const warnings = [...otherwise, ...(answer.body.instead ? [] : notNamed(request.filename, files, text && format))];
    const { records, lists } = answer.body;
    return { files, preview: answer.preview, warnings, records, list: lists?.[0] };
  }

  /** Throws FILE_NOT_FOUND for what this client has not stored, or what is another file by now. */
  async function read(uri: string, signal: AbortSignal): Promise<{ content: ResourceContent; path: string; size: number }> {
    const resource = kept.find(owner, uri);
    if (!resource) throw unknownResource(uri);
    const file = await deps.files.open(resource.path);
    try {
      if (file.realPath !== resource.path) throw unknownResource(uri);
      if (file.size > READ_BYTES) {
        throw new AppError('FILE_TOO_LARGE', say('resource.tooLarge', { bytes: file.size, most: READ_BYTES }), {
          hint: say('resource.tooLarge.hint'),
        });
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.source.read()) {
        signal.throwIfAborted();
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      const { mimeType } = resource;
      const isText = /^text\/|json|xml|yaml|ndjson/.test(mimeType);
      const content = isText
        ? { uri, mimeType, text: bytes.toString('utf8') }
        : { uri, mimeType, blob: bytes.toString('base64') };
      return { content, path: resource.path, size: bytes.byteLength };
    } finally {
      await file.close();
    }
  }

  /** Resources that a server's answer links to may be read by this client. */
  function noteLinks(server: string, content: readonly JsonObject[]): void {
    const uris = content.flatMap(({ type, uri }) =>
      type === 'resource_link' && typeof uri === 'string' && uri.length <= MAX_URI ? [uri] : [],
    );
    if (uris.length > 0) kept.link(owner, server, uris);
  }

  return {
    check,
    store,
    read,
    noteLinks,
  };
}

/** UTF-8 in parts, so that a long text is not held twice. */
function* encoded(text: string): Generator<Uint8Array> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + ENCODED_CHARS);
    // A pair of surrogates stays together.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to += 1;
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}

/** Without the name of a client's folder: an answer goes to its own client's. */
function belowClient(relative: string): string {
  const [first = '', ...rest] = relative.split(path.sep);
  return isClientFolder(first) ? path.join(...rest) : relative;
}

/** The same bytes in parts that are worth a write. A part stays while the next one is made, and no longer. */
async function* gathered(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafeSlow(WRITE_BYTES);
  let other: Buffer<ArrayBuffer> | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + part.length - filled);
      part.set(piece, filled);
      at += piece.length;
      filled += piece.length;
      if (filled < part.length) continue;
      yield part;
      [part, other] = [other ?? Buffer.allocUnsafeSlow(WRITE_BYTES), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

export type Responses = ReturnType<typeof createResponses>;

function unknownResource(uri: string): AppError {
  return new AppError('FILE_NOT_FOUND', say('resource.unknown', { uri }), { hint: say('resource.unknown.hint') });
}

/** The link an agent gets instead of a big answer. */
export function resourceLink(file: StoredResource): JsonObject {
  const { uri, name, mimeType, size, description } = file;
  return { type: 'resource_link', uri, name, mimeType, size, ...(description ? { description } : {}) };
}

// Tracks which answers each client has stored, and which links of servers it was given.

/** Answers of one client that are remembered; their files stay. As many links. */
const KEEP = 1000;

/** Links with longer URIs are not remembered: a server may send any number of them. Characters. */
const URI_CHARS = 8_192;

export class KeptAnswers {
  readonly #byOwner = new Map<string, Map<string, StoredResource>>();
  /** Servers that linked to a URI, by client. */
  readonly #links = new Map<string, Map<string, Set<string>>>();
  readonly #listeners = new Set<(owner: string) => void>();

  add(owner: string, resource: StoredResource): void {
    const kept = this.#byOwner.get(owner) ?? new Map<string, StoredResource>();
    this.#byOwner.set(owner, kept);
    kept.delete(resource.uri);
    kept.set(resource.uri, resource);
    const [oldest] = kept.keys();
    if (kept.size > KEEP && oldest !== undefined) kept.delete(oldest);
  }

  list(owner: string): StoredResource[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** By its URI in any spelling. */
  find(owner: string, uri: string): StoredResource | undefined {
    const kept = this.#byOwner.get(owner);
    return kept?.get(uri) ?? kept?.get(usualSpelling(uri));
  }

  /** Notes that a server's answer to this client had these links. */
  link(owner: string, server: string, uris: readonly string[]): void {
    const links = this.#links.get(owner) ?? new Map<string, Set<string>>();
    this.#links.set(owner, links);
    for (const uri of uris) {
      if (uri.length > URI_CHARS) continue;
      const servers = links.get(uri) ?? new Set();
      links.delete(uri);
      links.set(uri, servers.add(server));
      const [oldest] = links.keys();
      if (links.size > KEEP && oldest !== undefined) links.delete(oldest);
    }
  }

  linkedBy(owner: string, uri: string): string[] {
    return [...(this.#links.get(owner)?.get(uri) ?? [])];
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
    this.#links.delete(owner);
  }

  changed(owner: string): void {
    for (const listener of this.#listeners) listener(owner);
  }

  onChange(listener: (owner: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function usualSpelling(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}
