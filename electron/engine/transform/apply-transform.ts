/** Applies a transform: streaming steps over records, then an expression over the whole value. */

import type { Column, Transform, Warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { type ElementChunk, type ResumePoint, type Value, valueText } from '../core/payload.ts';
import { listsInside } from '../json/lists-inside.ts';

/** Bytes of a value that are searched for lists to name in an error. */
const SEARCHED_FOR_LISTS = 1024 * 1024;
const LISTS_NAMED = 3;

const streamingSteps = ['where', 'select', 'rename', 'offset', 'limit'] as const;

/** Whether the transform needs the whole file in memory, as an expression does unless other steps precede it. */
export function needsWholeFile(transform: Transform | undefined): boolean {
  return transform?.expression !== undefined && stepsOf(transform).length === 0;
}

function stepsOf(transform: Transform): (typeof streamingSteps)[number][] {
  return streamingSteps.filter((step) => transform[step] !== undefined);
}

interface Transformed {
  readonly value: Value;
  readonly warnings: readonly Warning[];
}

/** TRANSFORM_FAILED if the transform is invalid. */
export async function applyTransform(
  value: Value,
  transform: Transform | undefined,
  bounds: EngineBounds,
  signal?: AbortSignal,
): Promise<Transformed> {
  if (!transform) return { value, warnings: [] };
  const streamed = await withStreamingSteps(value, transform, bounds, signal);
  if (transform.expression === undefined) return { value: streamed, warnings: [] };
  const json = await collect(valueText(streamed, signal), bounds.maxFileBytes, () => expressionInputTooLarge(bounds));
  const { evaluateExpression } = await import('./expression.ts');
  const lineOf = async (record: number) => (await streamed.locate([record]))?.line;
  const found = await evaluateExpression(json, transform.expression, bounds, { signal, lineOf });
  return { value: await jsonValue(found.json, bounds), warnings: found.warnings };
}

async function withStreamingSteps(
  value: Value,
  transform: Transform,
  bounds: EngineBounds,
  signal: AbortSignal | undefined,
): Promise<Value> {
  const steps = stepsOf(transform);
  if (steps.length === 0) return value;
  if (transform.select?.length === 0)
    throw new AppError('TRANSFORM_FAILED', say('transform.selectNothing'), { hint: say('transform.selectNothing.hint') });
  if (value.kind !== 'array') {
    const inside = value.kind === 'object' ? await listsInside(value.json(signal), SEARCHED_FOR_LISTS) : [];
    const lists = inside.slice(0, LISTS_NAMED).map(({ path }) => path);
    throw new AppError('TRANSFORM_FAILED', say('transform.noList', { step: steps[0] as string, kind: described[value.kind] }), {
      hint: lists.length > 0 ? say('transform.listsInside', { lists }) : say('transform.noList.hint', {}),
    });
  }
  const onJson = async function* (signal?: AbortSignal, from?: ResumePoint): AsyncIterable<ElementChunk> {
    const { transformElements } = await import('./transform.ts');
    yield* transformElements(value.elements(signal, from), transform, bounds, { signal, written: from?.record });
  };
  const elements = value.transformedElements?.(transform) ?? onJson;
  const nameInFile = oldNames(transform);
  return {
    kind: 'array',
    json: value.json,
    elements,
    async locate([index, column]) {
      const line = typeof index === 'number' ? await lineOf(elements(), index) : undefined;
      if (line === undefined) return undefined;
      return typeof column === 'string' ? { line, columnName: nameInFile.get(column) ?? column } : { line };
    },
  };
}

function expressionInputTooLarge({ maxFileBytes }: EngineBounds): AppError {
  return new AppError('FILE_TOO_LARGE', say('size.expression', { limit: maxFileBytes }), {
    hint: say('size.expression.hint'),
    details: { setting: 'maxFileBytes', limit: maxFileBytes },
  });
}

const described: Record<Value['kind'], string> = {
  array: 'a list',
  object: 'one object',
  string: 'one string',
  number: 'one number',
  boolean: 'one boolean',
  null: 'null',
};

function oldNames(transform: Transform): Map<string, string> {
  return new Map(Object.entries(transform.rename ?? {}).map(([from, to]) => [to, from]));
}

async function lineOf(elements: AsyncIterable<ElementChunk>, index: number): Promise<number | undefined> {
  let before = 0;
  for await (const { ends, lines } of elements) {
    if (index < before + ends.length) return lines?.[index - before];
    before += ends.length;
  }
  return undefined;
}

/** A value of any kind from JSON text in memory. It has no lines in a file. */
async function jsonValue(text: Uint8Array, bounds: EngineBounds): Promise<Value> {
  const { readJson } = await import('../json/json-reference.ts');
  const source = {
    async *read() {
      yield text;
    },
  };
  const scan = await readJson(source, { options: {}, bounds });
  return {
    kind: scan.kind,
    json: (signal) => scan.json(signal),
    async *elements(signal) {
      for await (const { data, ends } of scan.elements(signal)) yield { data, ends };
    },
    locate: async () => undefined,
  };
}

/** The columns after `select` and `rename`; null after an expression. */
export function transformedColumns(columns: Column[] | null, transform: Transform | undefined): Column[] | null {
  if (!columns || !transform) return columns;
  if (transform.expression !== undefined) return null;
  const byName = new Map(columns.map((column) => [column.name, column]));
  const selected = transform.select ? transform.select.flatMap((name) => byName.get(name) ?? []) : columns;
  const renames = new Map(Object.entries(transform.rename ?? {}));
  return selected.map((column) => ({ ...column, name: renames.get(column.name) ?? column.name }));
}
