/** Writes CSV rows as JSON objects, or arrays where there is no header. */
import type { ElementBuilder } from '../byte-builder.ts';
import { ByteBuilder } from '../byte-builder.ts';
import { type CsvRows, PLAIN, WITH_QUOTES } from './csv-rows.ts';
import type { ColumnPlan } from './csv-types.ts';
import { writeEscaped } from './json-text.ts';

const encoder = new TextEncoder();
const NULL = encoder.encode('null');
const EMPTY = encoder.encode('""');
const TRUE = encoder.encode('true');
const FALSE = encoder.encode('false');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

const STRING = 0;
const NUMBER = 1;

export class CsvWriter {
  private readonly sink: ElementBuilder;
  private readonly keyed: boolean;
  private readonly width: number;
  /** Per column: what stands before its value, `{"id":` or `,"name":`; commas alone where rows are arrays. */
  private readonly before: ByteBuilder;
  private readonly beforeEnds: Uint32Array;
  private readonly types: Uint8Array;
  private readonly empties: Uint8Array;
  private readonly missing: Uint8Array;
  private readonly extraKey: Uint8Array;

  constructor(plans: readonly ColumnPlan[], keyed: boolean, extra: string, sink: ElementBuilder) {
    this.sink = sink;
    this.keyed = keyed;
    this.width = plans.length;
    this.before = new ByteBuilder(1024);
    this.beforeEnds = new Uint32Array(plans.length);
    plans.forEach(({ name }, i) => {
      if (i > 0) this.before.byte(COMMA);
      if (keyed) this.before.bytes(encoder.encode(`${JSON.stringify(name)}:`));
      this.beforeEnds[i] = this.before.length;
    });
    this.types = Uint8Array.from(plans, ({ type }) => (type === 'string' ? STRING : type === 'number' ? NUMBER : 2));
    this.empties = Uint8Array.from(plans, ({ emptyAsText }) => (emptyAsText ? 1 : 0));
    this.missing = Uint8Array.from(plans, ({ missingAsText }) => (missingAsText ? 1 : 0));
    this.extraKey = encoder.encode(`,${JSON.stringify(extra)}:[`);
  }

  /** Appends one row as an element. Cells beyond the header go under the extra key, as strings. */
  write(row: CsvRows): void {
    const { sink, keyed, width, before, beforeEnds } = this;
    const { out } = sink;
    sink.startElement(row.line);
    out.byte(keyed ? 0x7b : 0x5b);
    const cells = Math.min(row.count, width);
    let from = 0;
    for (let i = 0; i < width; i++) {
      const to = beforeEnds[i] as number;
      out.bytes(before.buffer, from, to);
      from = to;
      if (i < cells) this.cell(row, i);
      else out.bytes(this.missing[i] === 1 ? EMPTY : NULL);
    }
    if (row.count > width) {
      if (keyed) out.bytes(this.extraKey);
      for (let i = width; i < row.count; i++) {
        if (!keyed || i > width) out.byte(COMMA);
        this.string(row, i);
      }
      if (keyed) out.byte(0x5d);
    }
    out.byte(keyed ? 0x7d : 0x5d);
    sink.endElement();
  }

  private cell(row: CsvRows, i: number): void {
    const { out } = this.sink;
    const start = row.starts[i] as number;
    const end = row.ends[i] as number;
    const type = this.types[i] as number;
    if (start === end && (type !== STRING || row.kinds[i] === PLAIN)) out.bytes(this.empties[i] === 1 ? EMPTY : NULL);
    else if (type === STRING) this.string(row, i);
    else if (type === NUMBER) out.bytes(row.bytes, start, end);
    else out.bytes(end - start === TRUE.length ? TRUE : FALSE);
  }

  private string(row: CsvRows, i: number): void {
    const { out } = this.sink;
    const start = row.starts[i] as number;
    const end = row.ends[i] as number;
    out.byte(QUOTE);
    if (row.kinds[i] === WITH_QUOTES) this.unquoted(row.bytes, start, end);
    else writeEscaped(out, row.bytes, start, end);
    out.byte(QUOTE);
  }

  /** Every `""` of the file is one quote, which JSON writes as `\"`. */
  private unquoted(bytes: Uint8Array, start: number, end: number): void {
    const { out } = this.sink;
    let from = start;
    for (let i = start; i < end; i++) {
      if (bytes[i] !== QUOTE) continue;
      writeEscaped(out, bytes, from, i);
      out.byte(BACKSLASH);
      out.byte(QUOTE);
      from = ++i + 1;
    }
    writeEscaped(out, bytes, from, end);
  }
}
