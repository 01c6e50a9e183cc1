/** The same table with the column types of a tool's schema: told without reading it again where that gives the same bytes. */
import type { ColumnType, ConversionOptions, ConversionReport } from '../../shared/model/conversion.ts';
import type { Conversion, SchemaPlace } from '../engine/core/convert-types.ts';
import { columnAdvice, emptyCells, isToldByColumns } from '../engine/schema/schema-advice.ts';

/** Kept at a time, since one tool after the other may be looked at. */
const KEPT = 8;

interface TypesWanted {
  /** By column; undefined where the schema does not decide. */
  readonly types: readonly (ColumnType | undefined)[];
  /** Whether the payload is another with these types, as far as the report tells. */
  readonly differs: boolean;
  /** The same for all places in schemas that want the same. */
  readonly key: string;
}

/** Column types that the schema at a place decides; null if it decides none. */
export function typesWanted(
  report: ConversionReport | null,
  { header, transform }: ConversionOptions,
  { inputSchema, segments }: SchemaPlace,
): TypesWanted | null {
  if (report === null) return null;
  const { columns } = report;
  // What becomes a text is known only when they are converted.
  if (!isToldByColumns(report, { transform })) return { types: [], differs: true, key: JSON.stringify([segments, inputSchema]) };
  if (columns === null || header === false) return null;
  const whereEmpty = emptyCells(inputSchema, segments);
  const isLeftOut = (name: string) => whereEmpty(name) === 'absent';
  const advise = columnAdvice(inputSchema, segments);
  const advice = columns.map(({ name, decidedBy }) => (decidedBy === 'caller' ? undefined : advise(name)));
  if (advice.every((each) => each === undefined) && !columns.some(({ name, empty }) => empty > 0 && isLeftOut(name))) return null;
  return {
    types: advice,
    differs: columns.some(({ name, type, empty }, i) => {
      const wanted = advice[i];
      if (empty > 0 && isLeftOut(name)) return true;
      if (wanted === undefined) return false;
      return wanted !== type;
    }),
    key: JSON.stringify([advice.map((each) => each ?? null), columns.map(({ name }) => isLeftOut(name))]),
  };
}

/** The conversion whose types happen to be those the schema wants, with word of who decided them. */
export function relabelled(conversion: Conversion, types: TypesWanted['types']): Conversion {
  const columns = conversion.report.columns?.map((column, i) =>
    types[i] === undefined ? column : { ...column, decidedBy: 'schema' as const },
  );
  return { ...conversion, report: { ...conversion.report, columns: columns ?? null } };
}

/** Conversions by the types they were asked for, made once each and closed together. */
export class TypedConversions {
  private readonly make: (place: SchemaPlace) => Promise<Conversion>;
  private readonly made = new Map<string, Promise<Conversion>>();

  constructor(make: (place: SchemaPlace) => Promise<Conversion>) {
    this.make = make;
  }

  get(key: string, place: SchemaPlace): Promise<Conversion> {
    const known = this.made.get(key);
    if (known) return known;
    const made = this.make(place);
    this.made.set(key, made);
    // A conversion that failed because it was cancelled may succeed next time.
    made.catch(() => this.made.delete(key));
    for (const oldest of this.made.keys()) {
      if (this.made.size <= KEPT) break;
      this.let(oldest);
    }
    return made;
  }

  close(): void {
    for (const key of [...this.made.keys()]) this.let(key);
  }

  private let(key: string): void {
    const made = this.made.get(key);
    this.made.delete(key);
    made?.then(
      (conversion) => conversion.close(),
      () => undefined,
    );
  }
}
