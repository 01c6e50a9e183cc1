/** Converts the opened files: one payload for each place in the arguments. */

import { createHash } from 'node:crypto';
import type { Limits } from '../../shared/model/config.ts';
import {
  type Column,
  type ConversionOptions,
  type ConversionReport,
  type TokenCount,
  type Warning,
  warning,
} from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { Conversion, ConvertRequest } from '../engine/core/convert-types.ts';
import type { ElementChunk, ElementOptions, Payload } from '../engine/core/payload.ts';
import type { OpenFile } from '../files/types.ts';
import { addTokens } from './events.ts';
import type { OpenedFiles } from './open.ts';

/** A payload and the files it came from. */
export interface PreparedPayload extends Payload {
  readonly reports: readonly ConversionReport[];
  /** About the place that the payload goes to. */
  readonly notes?: readonly Warning[];
  readonly locate: Conversion['locate'];
  /** Whether it is what an expression gave. */
  readonly ofExpression?: boolean | undefined;
}

/** Converts the files of one place into one payload. */
export async function preparePayload(
  opened: OpenedFiles,
  place: OpenedFiles['placed'][number],
  limits: Limits,
  { sealed, place: schemaPlace, signal }: Pick<ConvertRequest, 'sealed' | 'place'> & { signal: AbortSignal },
): Promise<PreparedPayload> {
  const conversions: Conversion[] = [];
  for (const [index, file] of place.files.entries()) {
    const options = place.spec.sources[index]?.options ?? {};
    try {
      conversions.push(await opened.convert(file, { ...options, bounds: limits, place: schemaPlace, sealed, signal }));
    } catch (error) {
      throw error instanceof AppError && place.files.length > 1 ? inFile(error, file.path) : error;
    }
  }
  const joined = joinedPayload(place, conversions);
  const kept = place.spec.sources.flatMap(({ isKept, options }, index) =>
    isKept ? [readAsChosen(place.files[index]?.path ?? '', options)] : [],
  );
  return { ...joined, notes: [...kept, ...(joined.notes ?? [])] };
}

export const readAsChosen = (path: string, options: ConversionOptions): Warning =>
  warning('READ_AS_CHOSEN', say('warning.readAsChosen', { path, options: JSON.stringify(options) }));

function joinedPayload(place: OpenedFiles['placed'][number], conversions: readonly Conversion[]): PreparedPayload {
  const [first] = conversions;
  if (place.spec.combine === 'single' && first) {
    const { transform } = place.spec.sources[0]?.options ?? {};
    const isEmptied = transform !== undefined && first.kind === 'array' && first.records === 0;
    return {
      notes: isEmptied ? [warning('NOTHING_LEFT', say('warning.nothingLeft'))] : [],
      kind: first.kind,
      records: first.records,
      bytes: first.bytes,
      json: (abort, options) => first.json(abort, options),
      elements: (options) => first.elements(options),
      locate: (pointer) => first.locate(pointer),
      reports: [first.report],
      ofExpression: transform?.expression !== undefined,
    };
  }
  return place.spec.combine === 'list' ? listed(conversions) : concatenated(conversions, place.files);
}

/** Says which of several files an error is about. */
function inFile(error: AppError, path: string): AppError {
  return new AppError(error.code, say('file.which', { error: error.asText, path }), {
    ...(error.hintAsText === undefined ? {} : { hint: error.hintAsText }),
    details: { path, ...error.details },
    cause: error,
  });
}

const COMMA = Buffer.from(',');
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** Several arrays as one. */
function concatenated(conversions: readonly Conversion[], files: readonly OpenFile[]): PreparedPayload {
  for (const [index, conversion] of conversions.entries()) {
    if (conversion.kind === 'array') continue;
    throw new AppError('BINDING_CONFLICT', say('request.notJoined', { path: files[index]?.path ?? '', kind: conversion.kind }), {
      hint: say('request.notJoined.hint'),
    });
  }
  const records = conversions.reduce((sum, each) => sum + each.records, 0);
  // Each array's own brackets go, the commas between non-empty arrays come.
  const filled = conversions.filter((each) => each.records > 0);
  const bytes = 2 + filled.reduce((sum, each) => sum + each.bytes - 2, 0) + Math.max(0, filled.length - 1);
  async function* elements(options: ElementOptions = {}): AsyncGenerator<ElementChunk> {
    let skip = options.start ?? 0;
    for (const each of conversions) {
      if (skip >= each.records) {
        skip -= each.records;
        continue;
      }
      yield* each.elements({ ...options, start: skip });
      skip = 0;
    }
  }
  return {
    kind: 'array',
    records,
    bytes,
    reports: conversions.map((each) => each.report),
    notes: columnDifferences(
      conversions.map((each) => each.report),
      files,
    ),
    elements,
    async *json(signal, options) {
      yield OPEN;
      let first = true;
      for await (const chunk of elements({ ...options, signal })) {
        if (!first) yield COMMA;
        first = false;
        yield chunk.data;
      }
      yield CLOSE;
    },
    async locate([index, ...rest]) {
      let at = Number(index);
      for (const each of conversions) {
        if (at < each.records) return each.locate([at, ...rest]);
        at -= each.records;
      }
      return undefined;
    },
  };
}

const COLUMNS_NAMED = 5;

/** The type of a column that has values. */
const typeIn = ({ type, empty }: Column, { records }: ConversionReport) => (empty === records ? undefined : type);

/** Tables that are joined although their columns, or the types of these, are not those of the first one. */
function columnDifferences([first, ...others]: readonly ConversionReport[], files: readonly OpenFile[]): Warning[] {
  const known = first?.columns;
  if (!known) return [];
  const typeOf = new Map(known.map((column) => [column.name, typeIn(column, first)]));
  for (const [index, report] of others.entries()) {
    const { columns } = report;
    if (!columns) continue;
    const names = new Set(columns.map(({ name }) => name));
    const about = {
      path: files[index + 1]?.path ?? '',
      missing: known.flatMap(({ name }) => (names.has(name) ? [] : [name])).slice(0, COLUMNS_NAMED),
      added: [...names].filter((name) => !typeOf.has(name)).slice(0, COLUMNS_NAMED),
      types: columns.flatMap((column) => {
        const { name } = column;
        const [type, before] = [typeIn(column, report), typeOf.get(name)];
        return type === undefined || before === undefined || before === type ? [] : [{ name, type, before }];
      }),
    };
    if (about.missing.length + about.added.length > 0) return [warning('COLUMNS_DIFFER', say('warning.columnsDiffer', about))];
    const [other] = about.types;
    if (other) return [warning('COLUMN_TYPES_DIFFER', say('warning.columnTypesDiffer', { path: about.path, ...other }))];
  }
  return [];
}

/** Several values as the items of one list. */
function listed(conversions: readonly Conversion[]): PreparedPayload {
  const bytes = 2 + conversions.reduce((sum, each) => sum + each.bytes, 0) + Math.max(0, conversions.length - 1);
  return {
    kind: 'array',
    records: conversions.length,
    bytes,
    reports: conversions.map((each) => each.report),
    async *elements({ signal, start = 0 } = {}) {
      for (const each of conversions.slice(start)) {
        const parts: Uint8Array[] = [];
        for await (const chunk of each.json(signal)) parts.push(chunk);
        const data = Buffer.concat(parts);
        yield { data, ends: Uint32Array.of(data.byteLength) };
      }
    },
    async *json(signal, options) {
      yield OPEN;
      for (const [index, each] of conversions.entries()) {
        if (index > 0) yield COMMA;
        yield* each.json(signal, options);
      }
      yield CLOSE;
    },
    async locate([index, ...rest]) {
      return conversions[Number(index)]?.locate(rest);
    },
  };
}

/** Warnings of all files, each once. */
export function conversionWarnings(payloads: readonly PreparedPayload[]): Warning[] {
  const seen = new Map<string, Warning>();
  for (const { reports, notes = [] } of payloads) {
    for (const { warnings } of [...reports, { warnings: notes }]) for (const each of warnings) seen.set(each.message, each);
  }
  return [...seen.values()];
}

/** One hash for the call: the file's own, or that of the files' hashes in order. */
export function contentHash(payloads: readonly PreparedPayload[]): string {
  const hashes = payloads.flatMap(({ reports }) => reports.map((report) => report.sha256));
  const [only] = hashes;
  if (hashes.length === 1 && only !== undefined) return only;
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

export const recordCount = (payloads: readonly PreparedPayload[]): number =>
  payloads.reduce((sum, { records }) => sum + records, 0);

/** Tokens of payloads the model would have typed into the arguments. */
export function payloadTokens(payloads: readonly PreparedPayload[]): TokenCount {
  return addTokens(...payloads.flatMap(({ reports }) => reports.map((report) => report.tokens)));
}
