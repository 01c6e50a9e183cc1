/** Leaves out the empty cells of columns that a tool's schema lets be absent and not null. */
import { throwIfCancelled } from '../core/failures.ts';
import type { ElementChunk, Value } from '../core/payload.ts';
import { type Member, MemberReader } from '../json/json-members.ts';
import { ChunkWriter } from './chunk-writer.ts';

const NULL = Buffer.from('null');
const [OPEN, COMMA, CLOSE] = [0x7b, 0x2c, 0x7d] as const;

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
        writer.out.byte(OPEN);
        for (const [at, { nameStart, end: memberEnd }] of kept.entries()) {
          if (at > 0) writer.out.byte(COMMA);
          writer.out.bytes(data, nameStart, memberEnd);
        }
        writer.out.byte(CLOSE);
      }
      writer.end();
      start = end + 1;
    }
    const chunk = writer.take();
    if (chunk !== undefined) yield chunk;
  }
}
