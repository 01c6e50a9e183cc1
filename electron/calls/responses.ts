/** Stored answers: written under an allowed folder, linked to, and served as resources. */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ResponseFormat } from '../../shared/model/call.ts';
import type { Warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { binaryBlocks } from './answer.ts';
import type { CallDeps } from './deps.ts';
import type { CallTarget } from './failure.ts';
import { formatOfName, renderResponse, responseTypes } from './response-format.ts';
import type { StoredResource } from './types.ts';

export interface StorageRequest {
  storage_path?: string | undefined;
  filename?: string | undefined;
  description?: string | undefined;
  response_format?: ResponseFormat | undefined;
  overwrite?: boolean | undefined;
}

export interface StoredAnswer {
  files: StoredResource[];
  /** First characters of the stored text. */
  preview: string;
  warnings: Warning[];
}

const PREVIEW_CHARS = 400;
const READ_BYTES = 10 * 1024 * 1024;

/** Whether a call asked for its answer to be stored. */
export function wantsStorage(request: StorageRequest): boolean {
  return request.storage_path !== undefined || request.filename !== undefined || request.response_format !== undefined;
}

export function createResponses(deps: Pick<CallDeps, 'config' | 'files' | 'responsesDirectory'>) {
  const stored = new Map<string, StoredResource>();
  const listeners = new Set<() => void>();

  async function directoryOf(request: StorageRequest): Promise<string> {
    if (request.storage_path === undefined) return deps.config().responses.folder ?? deps.responsesDirectory;
    if (path.isAbsolute(request.storage_path) || request.storage_path.startsWith('~')) return request.storage_path;
    const writable = (await deps.files.folders()).find((folder) => folder.access === 'read-write' && folder.realPath !== null);
    return path.join(writable?.realPath ?? deps.responsesDirectory, request.storage_path);
  }

  function baseName(target: CallTarget): string {
    const time = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${target.server}-${target.tool}-${time}`.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 120);
  }

  /** Fails now, before anything is sent, if the answer could not be stored as asked. */
  async function check(request: StorageRequest, target: CallTarget): Promise<void> {
    const directory = await directoryOf(request);
    const probe = await deps.files.create(directory, request.filename ?? `${baseName(target)}.txt`, { overwrite: true });
    await probe.discard();
    if (request.filename === undefined || request.overwrite || formatOfName(request.filename) === undefined) return;
    const existing = await deps.files.open(path.join(directory, request.filename)).catch(() => undefined);
    if (!existing) return;
    await existing.close();
    throw new AppError('FILE_EXISTS', `File '${existing.path}' already exists`, {
      hint: 'Choose another filename, or set overwrite: true to replace it',
      details: { path: existing.path },
    });
  }

  /** Writes bytes under `name`; without `overwrite`, a name that is taken gets a number. */
  async function write(
    directory: string,
    name: string,
    bytes: Uint8Array,
    overwrite: boolean,
  ): Promise<{ path: string; size: number }> {
    const { name: stem, ext } = path.parse(name);
    for (let attempt = 1; ; attempt += 1) {
      const pending = await deps.files.create(directory, attempt === 1 ? name : `${stem}-${attempt}${ext}`, { overwrite });
      try {
        await pending.write(bytes);
        return await pending.commit();
      } catch (error) {
        await pending.discard();
        if (!(error instanceof AppError && error.code === 'FILE_EXISTS' && attempt < 1000)) throw error;
      }
    }
  }

  async function store(result: ToolResult, request: StorageRequest, target: CallTarget): Promise<StoredAnswer> {
    const directory = await directoryOf(request);
    const given = request.filename;
    const wished = request.response_format ?? (given === undefined ? undefined : formatOfName(given)) ?? 'auto';
    const body = await renderResponse(result, wished, `${target.server} ${target.tool}`);
    const binaries = binaryBlocks(result);
    const stem = given ?? baseName(target);
    const files: StoredResource[] = [];
    const keep = async (name: string, bytes: Uint8Array, mimeType: string) => {
      const written = await write(directory, name, bytes, request.overwrite ?? false);
      const resource: StoredResource = {
        uri: pathToFileURL(written.path).href,
        name: path.basename(written.path),
        path: written.path,
        mimeType,
        size: written.size,
        description: request.description ?? `Answer of ${target.server}:${target.tool}`,
      };
      stored.set(resource.uri, resource);
      files.push(resource);
    };
    if (body.text !== '' || binaries.length === 0) {
      // Where the answer could not be had in the format asked for, its name must not say that it was.
      const named = formatOfName(stem);
      const fellBack = wished !== 'auto' && wished !== body.format;
      const name = named === undefined ? `${stem}.${body.format}` : fellBack ? `${path.parse(stem).name}.${body.format}` : stem;
      await keep(name, Buffer.from(body.text), responseTypes[body.format]);
    }
    const { default: mime } = binaries.length > 0 ? await import('mime') : { default: undefined };
    for (const block of binaries) {
      const name = `${path.parse(stem).name}-${block.index + 1}.${mime?.getExtension(block.mimeType) ?? 'bin'}`;
      await keep(name, Buffer.from(block.base64, 'base64'), block.mimeType);
    }
    for (const listener of listeners) listener();
    return { files, preview: body.text.slice(0, PREVIEW_CHARS), warnings: body.warnings };
  }

  async function read(uri: string): Promise<{ uri: string; mimeType: string; text?: string; blob?: string }> {
    if (!uri.startsWith('file:')) throw unknownResource(uri);
    let filePath: string;
    try {
      filePath = fileURLToPath(uri);
    } catch (cause) {
      throw unknownResource(uri, cause);
    }
    const { default: mime } = await import('mime');
    const file = await deps.files.open(filePath);
    try {
      if (file.size > READ_BYTES) {
        throw new AppError('FILE_TOO_LARGE', `The resource is ${file.size} bytes; resources are read up to ${READ_BYTES}`, {
          hint: 'Read it from its path in parts instead',
        });
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.source.read()) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const mimeType = stored.get(uri)?.mimeType ?? mime.getType(filePath) ?? 'application/octet-stream';
      const isText = /^text\/|json|xml|yaml|ndjson/.test(mimeType);
      return isText ? { uri, mimeType, text: bytes.toString('utf8') } : { uri, mimeType, blob: bytes.toString('base64') };
    } finally {
      await file.close();
    }
  }

  return {
    check,
    store,
    read,
    list: async () => [...stored.values()],
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Responses = ReturnType<typeof createResponses>;

function unknownResource(uri: string, cause?: unknown): AppError {
  return new AppError('FILE_NOT_FOUND', `Resource '${uri}' does not exist`, {
    hint: 'resources/list names the stored answers of this session',
    cause,
  });
}

/** The link an agent gets instead of a big answer. */
export function resourceLink(file: StoredResource): JsonObject {
  const { uri, name, mimeType, size, description } = file;
  return { type: 'resource_link', uri, name, mimeType, size, ...(description ? { description } : {}) };
}
