/**
 * Shapes records over their JSON text as a tool's schema or the caller wants them: with other types, without empty members, or as rows below a
 * header.
 */
import type { ColumnType } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { type ByteBuilder, ChunkWriter } from '../core/byte-builder.ts';
import { collect } from '../core/byte-streams.ts';
import type { ConvertRequest, RecordTypes } from '../core/convert-types.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import { type ElementChunk, skipElements, type Value } from '../core/payload.ts';
import { decodeString, type Member, MemberReader } from '../json/json-members.ts';

const KNOWN_COLUMNS_SHOWN = 30;
const CELL_SHOWN = 40;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const decoder = new TextDecoder();

/**
 * A number or a truth value that should be a text becomes its JSON as text; a text that should be a number or a truth value becomes that, or
 * is PARSE_FAILED; null stays. An object that is no list is one record, and other values are none: `types` that name columns are
 * INVALID_REQUEST then, as are names that no record has.
 */
export function typedValue(value: Value, typeOf: RecordTypes, request: ConvertRequest): Value {
  const { types, bounds } = request;
  const asked = typeof types === 'object' ? Object.keys(types) : [];
  if (value.kind === 'array') {
    const elements: Value['elements'] = (signal, from, options) =>
      typedElements(value.elements(signal, from, options), new Typing(typeOf, from === undefined ? asked : []), signal);
    return { kind: 'array', json: value.json, elements, locate: value.locate };
  }
  if (value.kind !== 'object') {
    if (asked.length > 0)
      throw new AppError('INVALID_REQUEST', say('types.noRecords'), { hint: say('types.noRecords.hint', {}) });
    return value;
  }
  return {
    ...value,
    async *json(signal) {
      const tooLarge = () => fileTooLarge(null, bounds.maxFileBytes, 'maxFileBytes');
      const data = await collect(value.json(signal), bounds.maxFileBytes, tooLarge);
      const typing = new Typing(typeOf, asked);
      const writer = new ChunkWriter();
      writer.begin(undefined);
      typing.write(writer.out, data, 0, data.length, undefined);
      writer.end();
      typing.finish();
      yield (writer.take() as ElementChunk).data;
    },
  };
}

async function* typedElements(
  elements: AsyncIterable<ElementChunk>,
  typing: Typing,
  signal: AbortSignal | undefined,
): AsyncGenerator<ElementChunk> {
  const writer = new ChunkWriter();
  for await (const { data, ends, lines, checkpoint } of elements) {
    throwIfCancelled(signal);
    writer.checkpoint = checkpoint;
    let start = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const end = ends[index] as number;
      const line = lines?.[index];
      writer.begin(line);
      typing.write(writer.out, data, start, end, line);
      writer.end();
      start = end + 1;
    }
    const chunk = writer.take();
    if (chunk !== undefined) yield chunk;
  }
  typing.finish();
}

class Typing {
  readonly #typeOf: RecordTypes;
  readonly #reader = new MemberReader();
  /** Columns that the caller named and no record had yet. */
  readonly #unmet: Set<string>;
  readonly #met = new Set<string>();
  #records = 0;

  constructor(typeOf: RecordTypes, asked: readonly string[]) {
    this.#typeOf = typeOf;
    this.#unmet = new Set(asked);
  }

  /** Writes the record in `data` from `start` to `end`. */
  write(out: ByteBuilder, data: Uint8Array, start: number, end: number, line: number | undefined): void {
    this.#records += 1;
    const kind = this.#reader.read(data, start, end);
    let from = start;
    for (let index = 0; kind !== 'scalar' && index < this.#reader.count; index += 1) {
      const member = this.#reader.members[index] as Member;
      this.#note(member.name);
      const type = this.#typeOf(member.name);
      const text = type === undefined ? undefined : this.#typed(data, member, type, line);
      if (text === undefined) continue;
      out.bytes(data, from, member.start);
      out.bytes(Buffer.from(text));
      from = member.end;
    }
    out.bytes(data, from, end);
  }

  /** INVALID_REQUEST for columns that no record had. */
  finish(): void {
    const [column] = this.#unmet;
    if (column === undefined || this.#records === 0) return;
    const columns = [...this.#met];
    throw new AppError('INVALID_REQUEST', say('csv.unknownColumn', { column }), {
      hint: say('csv.unknownColumn.hint', { columns, more: 0 }),
    });
  }

  #note(name: string): void {
    if (this.#unmet.size === 0) return;
    this.#unmet.delete(name);
    if (this.#met.size < KNOWN_COLUMNS_SHOWN) this.#met.add(name);
  }

  /** The member's new JSON text; undefined if it stays. */
  #typed(data: Uint8Array, { name, start, end }: Member, type: ColumnType, line: number | undefined): string | undefined {
    const first = data[start] as number;
    const isText = first === 0x22;
    const isNull = first === 0x6e;
    if (isNull || first === 0x7b || first === 0x5b) return undefined;
    const source = isText ? decodeString(data, start, end) : decoder.decode(data.subarray(start, end));
    if (type === 'string') return isText ? undefined : JSON.stringify(source);
    const isBoolean = /^(?:true|false)$/i.test(source);
    if (type === 'boolean' && isBoolean) return source.toLowerCase();
    if (type === 'number' && JSON_NUMBER.test(source.trim())) return source.trim();
    const cell = JSON.stringify(source.length > CELL_SHOWN ? `${source.slice(0, CELL_SHOWN)}…` : source);
    const place = line === undefined ? {} : { line };
    throw new AppError('PARSE_FAILED', say('types.misfit', { record: this.#records, column: name, type, cell, ...place }), {
      hint: say('csv.misfit.hint', { decidedBy: 'caller', decimalComma: false }),
      details: { columnName: name, decidedBy: 'caller', ...place },
    });
  }
}

// Without empty members.

const NULL = Buffer.from('null');
const [OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x7b, 0x7d, 0x2c] as const;

/** The list with its objects' members of these names left out where they are null. */
export function withoutNulls(value: Value, names: ReadonlySet<string>): Value {
  return {
    kind: value.kind,
    json: value.json,
    elements: (signal, from, options) => filled(value.elements(signal, from, options), names, signal),
    locate: value.locate,
  };
}

async function* filled(
  elements: AsyncIterable<ElementChunk>,
  names: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ElementChunk> {
  const reader = new MemberReader();
  const writer = new ChunkWriter();
  for await (const { data, ends, lines, checkpoint } of elements) {
    throwIfCancelled(signal);
    writer.checkpoint = checkpoint;
    const isEmpty = ({ name, start, end }: Member) =>
      names.has(name) && end - start === 4 && NULL.compare(data, start, end) === 0;
    let start = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const end = ends[index] as number;
      writer.begin(lines?.[index]);
      const isObject = reader.read(data, start, end) === 'object';
      const members = isObject ? reader.members.slice(0, reader.count) : [];
      const kept = members.filter((member) => !isEmpty(member));
      if (kept.length === members.length) writer.out.bytes(data, start, end);
      else {
        writer.out.byte(OPEN_OBJECT);
        for (const [at, { nameStart, end: memberEnd }] of kept.entries()) {
          if (at > 0) writer.out.byte(COMMA);
          writer.out.bytes(data, nameStart, memberEnd);
        }
        writer.out.byte(CLOSE_OBJECT);
      }
      writer.end();
      start = end + 1;
    }
    const chunk = writer.take();
    if (chunk !== undefined) yield chunk;
  }
}

// Rows below a header, for a parameter of lists of lists.

const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d] as const;

/** The records with these columns as rows below their header; an absent value is null. */
export function headerAndRows(value: Value, columns: readonly string[]): Value {
  return {
    kind: 'array',
    json: value.json,
    elements: (signal, from, options) => {
      const rows = rowsOf(value.elements(signal, undefined, options), columns, signal);
      return from === undefined ? rows : skipElements(rows, from.record);
    },
    locate: async ([index, column, ...rest]) => {
      const record = Number(index) - 1;
      if (record < 0) return undefined;
      const name = columns[Number(column)];
      return value.locate([record, ...(name === undefined ? [] : [name, ...rest])]);
    },
  };
}

async function* rowsOf(
  elements: AsyncIterable<ElementChunk>,
  columns: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ElementChunk> {
  const places = new Map(columns.map((name, index) => [name, index]));
  const cells = new Array<Member | undefined>(columns.length);
  const reader = new MemberReader();
  const writer = new ChunkWriter();
  writer.begin(undefined);
  writer.out.bytes(Buffer.from(JSON.stringify(columns)));
  writer.end();
  for await (const { data, ends, lines } of elements) {
    throwIfCancelled(signal);
    let start = 0;
    for (let index = 0; index < ends.length; index += 1) {
      const end = ends[index] as number;
      writer.begin(lines?.[index]);
      reader.read(data, start, end);
      cells.fill(undefined);
      for (let at = 0; at < reader.count; at += 1) {
        const member = reader.members[at] as Member;
        const place = places.get(member.name);
        if (place !== undefined) cells[place] = member;
      }
      writer.out.byte(OPEN_LIST);
      for (const [place, cell] of cells.entries()) {
        if (place > 0) writer.out.byte(COMMA);
        if (cell === undefined) writer.out.bytes(NULL);
        else writer.out.bytes(data, cell.start, cell.end);
      }
      writer.out.byte(CLOSE_LIST);
      writer.end();
      start = end + 1;
    }
    const chunk = writer.take();
    if (chunk !== undefined) yield chunk;
  }
  const last = writer.take();
  if (last !== undefined) yield last;
}
