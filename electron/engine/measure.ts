/** Runs a value once to learn its exact size, records and tokens, and keeps it if it is small. */

import { setImmediate } from 'node:timers/promises';
import type { TokenCount } from '../../shared/model/conversion.ts';
import type { Conversion } from './convert-types.ts';
import { noElements, throwIfCancelled } from './failures.ts';
import type { ElementChunk, Payload } from './payload.ts';
import { ResumePoints } from './resume-points.ts';
import { TokenSampler } from './tokens.ts';
import { arrayText, skipElements, type Value } from './value.ts';

/** JSON up to this size is kept, so that the file need not be read again. Bytes. */
const KEPT_BYTES = 4 * 1024 * 1024;

export interface Measured {
  readonly payload: Payload & Pick<Conversion, 'seeks'>;
  readonly tokens: TokenCount;
}

/** Output between two pauses: a little input can make much output, and nothing else runs meanwhile. Bytes. */
const PAUSE_BYTES = 1024 * 1024;

/** A dry run: whatever can fail while streaming fails here. */
export async function measure(value: Value, signal?: AbortSignal): Promise<Measured> {
  const sampler = new TokenSampler();
  return value.kind === 'array' ? measureArray(value, sampler, signal) : measureJson(value, sampler, signal);
}

async function measureJson(value: Value, sampler: TokenSampler, signal?: AbortSignal): Promise<Measured> {
  let bytes = 0;
  let kept: Uint8Array[] | null = [];
  for await (const chunk of unhurried(value.json(signal), (part) => part.length, signal)) {
    sampler.push(chunk);
    bytes += chunk.length;
    if (bytes > KEPT_BYTES) kept = null;
    kept?.push(chunk);
  }
  const cached = kept;
  return {
    tokens: await sampler.count(),
    payload: {
      kind: value.kind,
      bytes,
      records: 1,
      seeks: cached !== null,
      json: (again) => (cached ? copies(cached) : value.json(again)),
      elements() {
        throw noElements(value.kind);
      },
    },
  };
}

async function measureArray(value: Value, sampler: TokenSampler, signal?: AbortSignal): Promise<Measured> {
  let bytes = 0;
  let records = 0;
  let kept: ElementChunk[] | null = [];
  const resumePoints = new ResumePoints();
  const seen = async function* () {
    for await (const chunk of unhurried(value.elements(signal), (part) => part.data.length, signal)) {
      if (chunk.mark) resumePoints.add(records, chunk.mark, chunk.data.length);
      records += chunk.ends.length;
      if (bytes + chunk.data.length > KEPT_BYTES) kept = null;
      kept?.push(chunk);
      yield chunk;
    }
  };
  for await (const chunk of arrayText(seen())) {
    sampler.push(chunk);
    bytes += chunk.length;
  }
  const cached = kept;
  const elements = (again?: AbortSignal, start = 0): AsyncIterable<ElementChunk> => {
    if (cached) return elementCopies(skipElements(cached, start));
    const from = start > 0 ? resumePoints.before(start) : undefined;
    return skipElements(value.elements(again, from), start - (from?.record ?? 0));
  };
  return {
    tokens: await sampler.count(),
    payload: {
      kind: 'array',
      bytes,
      records,
      seeks: cached !== null || resumePoints.count > 0,
      json: (again) => arrayText(elements(again)),
      elements: (options = {}) => elements(options.signal, options.start),
    },
  };
}

/** The same parts, with pauses in which timers, aborts and other calls get their turn. */
async function* unhurried<Part>(
  parts: AsyncIterable<Part>,
  sizeOf: (part: Part) => number,
  signal?: AbortSignal,
): AsyncIterable<Part> {
  let sincePause = 0;
  for await (const part of parts) {
    sincePause += sizeOf(part);
    if (sincePause >= PAUSE_BYTES) {
      sincePause = 0;
      await setImmediate();
    }
    throwIfCancelled(signal);
    yield part;
  }
}

/** What is kept is lent to nobody: chunks belong to their receiver. */
async function* copies(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) yield chunk.slice();
}

async function* elementCopies(chunks: AsyncIterable<ElementChunk>): AsyncIterable<ElementChunk> {
  for await (const { data, ends, lines } of chunks)
    yield lines ? { data: data.slice(), ends: ends.slice(), lines: lines.slice() } : { data: data.slice(), ends: ends.slice() };
}
