/** Applies `where`, `select`, `rename`, `offset` and `limit` to the elements of a list, streaming over their JSON text. */

import type { Transform } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { type ByteBuilder, ChunkWriter } from '../core/byte-builder.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { throwIfCancelled } from '../core/failures.ts';
import type { ElementChunk } from '../core/payload.ts';
import { type Member, MemberReader } from '../json/json-members.ts';
import { compileComparison } from './comparison.ts';

const NULL_TEXT = Buffer.from('null');
const KNOWN_COLUMNS_SHOWN = 20;
/** Number of records whose columns are listed when an unknown column is named. */
const RECORDS_LISTED = 100;

/**
 * Elements in, elements out, in the order where → select → rename → offset and limit; `expression` is not looked at.
 * Columns are named as in the file throughout; those of elements that are lists are "0", "1", and so on. Values keep
 * their text. A limit stops the reading.
 *
 * A column that none of the elements read has is an error, which is raised at the end: a later record may have
 * it. `select` leaves absent columns out of objects and puts null for them into lists. Where a name occurs twice in an
 * object, the last one counts, and the others go once `select` or `rename` is used. Throws TRANSFORM_FAILED.
 *
 * `written` is given where `elements` start at the checkpoint of a chunk that was written before: how many records came before it.
 */
export async function* transformElements(
  elements: AsyncIterable<ElementChunk>,
  transform: Transform,
  _bounds: EngineBounds,
  { signal, written }: { signal?: AbortSignal | undefined; written?: number | undefined } = {},
): AsyncGenerator<ElementChunk> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = transform;
  const step = new RecordTransform(transform);
  const writer = new ChunkWriter();
  let passed = written === undefined ? 0 : written + offset;
  if (limit > 0) {
    reading: for await (const { data, ends, lines, checkpoint } of elements) {
      throwIfCancelled(signal);
      // Before the offset is reached, skipped records are not in the output, so their checkpoints cannot be used.
      if (writer.isEmpty) writer.checkpoint = passed >= offset ? checkpoint : undefined;
      let start = 0;
      for (let index = 0; index < ends.length; index += 1) {
        const end = ends[index] as number;
        const line = lines?.[index];
        if (step.admits(data, start, end, line)) {
          passed += 1;
          if (passed > offset) {
            writer.begin(line);
            step.write(writer.out, data, start, end, line);
            writer.end();
            if (passed - offset >= limit) break reading;
          }
        }
        start = end + 1;
      }
      if (writer.isFull) yield writer.take() as ElementChunk;
    }
    if (written === undefined) step.finish();
  }
  const rest = writer.take();
  if (rest !== undefined) yield rest;
}

/** The part of a transform that looks at one record. */
class RecordTransform {
  readonly #tests;
  readonly #select: readonly string[] | undefined;
  readonly #rename: ReadonlyMap<string, string>;
  readonly #newNames: ReadonlyMap<string, Uint8Array>;
  readonly #looksInside: boolean;
  readonly #reader = new MemberReader();
  /** Columns that the transform names and that were not found yet, with the step that names them. */
  readonly #unmet = new Map<string, string>();
  readonly #met = new Set<string>();
  #kind: 'object' | 'array' | 'scalar' = 'scalar';
  #read = 0;

  constructor({ where = [], select, rename = {} }: Transform) {
    this.#tests = where.map(compileComparison);
    this.#select = select;
    this.#rename = new Map(Object.entries(rename));
    this.#newNames = new Map([...this.#rename].map(([old, name]) => [old, Buffer.from(JSON.stringify(name))]));
    this.#looksInside = where.length > 0 || select !== undefined || this.#rename.size > 0;
    this.#refuseContradictions();
    for (const { column } of where) this.#unmet.set(column, 'where');
    for (const column of select ?? []) this.#unmet.set(column, 'select');
    for (const column of this.#rename.keys()) this.#unmet.set(column, 'rename');
  }

  #refuseContradictions(): void {
    const twice = this.#select?.find((name, index) => this.#select?.indexOf(name) !== index);
    if (twice !== undefined) throw failure(say('transform.selectTwice', { column: twice }));
    const taken = new Map<string, string>();
    for (const [old, name] of this.#rename) {
      const other = taken.get(name);
      if (other !== undefined) throw failure(say('transform.renameSame', { one: other, other: old, name }));
      taken.set(name, old);
      if (this.#select !== undefined && !this.#select.includes(old)) {
        throw failure(say('transform.renameLeftOut', { column: old }), { hint: say('transform.renameLeftOut.hint') });
      }
    }
  }

  /** Reads a record and returns whether `where` accepts it. */
  admits(data: Uint8Array, start: number, end: number, line: number | undefined): boolean {
    this.#read += 1;
    if (!this.#looksInside) return true;
    this.#kind = this.#reader.read(data, start, end);
    if (this.#kind === 'scalar') {
      throw failure(say('transform.noColumns', { record: this.#read, line }), {
        hint: say('transform.noColumns.hint'),
        line,
      });
    }
    if (this.#unmet.size > 0 || this.#read <= RECORDS_LISTED) this.#note();
    let passes = true;
    for (const test of this.#tests) {
      const member = this.#reader.find(test.comparison.column);
      // Every test sees every record, to find out whether its value has the column's type.
      if (!(member === undefined ? test.absentPasses() : test.passes(data, member.start, member.end))) passes = false;
    }
    return passes;
  }

  #note(): void {
    for (let index = 0; index < this.#reader.count; index += 1) {
      const { name } = this.#reader.members[index] as Member;
      this.#unmet.delete(name);
      if (this.#met.size < KNOWN_COLUMNS_SHOWN) this.#met.add(name);
    }
  }

  /** Writes the record read last after `select` and `rename`. */
  write(out: ByteBuilder, data: Uint8Array, start: number, end: number, line: number | undefined): void {
    if (this.#select === undefined && this.#rename.size === 0) {
      out.bytes(data, start, end);
      return;
    }
    if (this.#kind === 'array') this.#writeList(out, data, line);
    else this.#writeObject(out, data, line);
  }

  #writeList(out: ByteBuilder, data: Uint8Array, line: number | undefined): void {
    if (this.#rename.size > 0) {
      throw failure(say('transform.unnamed', { record: this.#read, line }), { line });
    }
    out.byte(0x5b);
    for (const [index, name] of (this.#select ?? []).entries()) {
      if (index > 0) out.byte(0x2c);
      const member = this.#reader.find(name);
      if (member === undefined) out.bytes(NULL_TEXT);
      else out.bytes(data, member.start, member.end);
    }
    out.byte(0x5d);
  }

  #writeObject(out: ByteBuilder, data: Uint8Array, line: number | undefined): void {
    const kept = this.#keptMembers();
    if (this.#rename.size > 0) this.#refuseCollision(kept, line);
    out.byte(0x7b);
    for (const [index, member] of kept.entries()) {
      if (index > 0) out.byte(0x2c);
      const newName = this.#newNames.get(member.name);
      if (newName === undefined) out.bytes(data, member.nameStart, member.nameEnd);
      else out.bytes(newName);
      out.byte(0x3a);
      out.bytes(data, member.start, member.end);
    }
    out.byte(0x7d);
  }

  #keptMembers(): Member[] {
    if (this.#select !== undefined) {
      return this.#select.flatMap((name) => this.#reader.find(name) ?? []);
    }
    const byName = new Map<string, Member>();
    for (const member of this.#reader.members.slice(0, this.#reader.count)) byName.set(member.name, member);
    return [...byName.values()];
  }

  #refuseCollision(kept: readonly Member[], line: number | undefined): void {
    const names = new Set<string>();
    for (const { name } of kept) {
      const written = this.#rename.get(name) ?? name;
      if (!names.has(written)) {
        names.add(written);
        continue;
      }
      throw failure(say('transform.collision', { record: this.#read, line, name: written }), {
        hint: say('transform.collision.hint', { name: written }),
        line,
      });
    }
  }

  /** Reports errors that are known only at the end: names and values that fit no record. */
  finish(): void {
    if (this.#read === 0) return;
    for (const [name, place] of this.#unmet) {
      const known = [...this.#met];
      throw failure(say('transform.noColumn', { step: place, column: name, records: this.#read }), {
        hint:
          known.length === 0
            ? say('transform.noColumn.none')
            : say('transform.noColumn.known', { known, more: known.length >= KNOWN_COLUMNS_SHOWN }),
      });
    }
    for (const test of this.#tests) {
      const type = test.mistakenType();
      if (type === undefined) continue;
      const { column, op, value } = test.comparison;
      throw failure(say('where.otherType', { column, type, op, value: JSON.stringify(value) }), {
        hint: say('where.otherType.hint', { type, op }),
      });
    }
  }
}

function failure(message: Message, { hint, line }: { hint?: Message; line?: number | undefined } = {}): AppError {
  return new AppError('TRANSFORM_FAILED', message, {
    ...(hint === undefined ? {} : { hint }),
    details: line === undefined ? {} : { line },
  });
}
