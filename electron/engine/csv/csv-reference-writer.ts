/** Writes CSV rows as JSON objects, or arrays where there is no header. */
import type { ElementBuilder } from '../core/byte-builder.ts';
import { ByteBuilder } from '../core/byte-builder.ts';
import { writeEscaped } from '../json/json-text.ts';
import type { ExtraCells } from './csv-extra.ts';
import type { ColumnNames } from './csv-header.ts';
import { type CsvRows, PLAIN, WITH_QUOTES } from './csv-rows.ts';
import type { ColumnPlans } from './csv-types.ts';

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
const BOOLEAN = 2;

interface WrittenTable {
  readonly plans: ColumnPlans;
  readonly keyed: boolean;
  readonly names: ColumnNames;
  readonly extra: ExtraCells;
}

export class CsvWriter {
  private readonly sink: ElementBuilder;
  private readonly keyed: boolean;
  private readonly width: number;
  private readonly keepsExtra: boolean;
  /** Per column: the text before its value, `{"id":` or `,"name":`; only commas if rows are arrays. */
  private readonly before = new ByteBuilder(1024);
  private beforeEnds: Uint32Array | null = null;
  private readonly types: Uint8Array;
  private readonly plans: ColumnPlans;
  private readonly extraKey: Uint8Array;

  constructor({ plans, keyed, names, extra }: WrittenTable, sink: ElementBuilder) {
    this.sink = sink;
    this.keyed = keyed;
    this.plans = plans;
    this.keepsExtra = extra === 'kept';
    this.width = plans.names.length;
    this.types = Uint8Array.from(plans.types, (type) => (type === 'string' ? STRING : type === 'number' ? NUMBER : BOOLEAN));
    this.extraKey = encoder.encode(`${this.width > 0 ? ',' : ''}${JSON.stringify(names.extra)}:[`);
  }

  /** Appends one row as an element. Cells beyond the header go under the extra key, as strings. */
  write(row: CsvRows): void {
    const { sink, keyed, width, before } = this;
    this.beforeEnds ??= this.writeKeys();
    const { beforeEnds } = this;
    const { out } = sink;
    sink.startElement(row.line, row.offset);
    out.byte(keyed ? 0x7b : 0x5b);
    const cells = Math.min(row.count, width);
    let from = 0;
    for (let i = 0; i < width; i++) {
      const to = beforeEnds[i] as number;
      out.bytes(before.buffer, from, to);
      from = to;
      if (i < cells) this.cell(row, i);
      else out.bytes(NULL);
    }
    if (this.keepsExtra && row.count > width) {
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

  private writeKeys(): Uint32Array {
    const { before } = this;
    return Uint32Array.from(this.plans.names, (name, i) => {
      if (i > 0) before.byte(COMMA);
      if (this.keyed) before.bytes(encoder.encode(`${JSON.stringify(name)}:`));
      return before.length;
    });
  }

  private cell(row: CsvRows, i: number): void {
    const { out } = this.sink;
    const start = row.starts[i] as number;
    const end = row.ends[i] as number;
    const type = this.types[i] as number;
    if (start === end && (type !== STRING || row.kinds[i] === PLAIN)) out.bytes(this.plans.emptyAsText[i] === 1 ? EMPTY : NULL);
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

  /** Each `""` in the file is one quote, which JSON writes as `\"`. */
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
