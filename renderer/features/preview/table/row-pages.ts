/** Rows of an open preview, asked for in pages as they come into view, the ones seen last kept. */
import { type RecordCells, recordCells } from '../../../ui/json-text.ts';

const PAGE = 100;
const KEPT_PAGES = 80;
const AT_ONCE = 2;

export class RowPages {
  /** In the order of their last use. */
  private readonly pages = new Map<number, readonly RecordCells[]>();
  private readonly asked = new Set<number>();
  /** Pages that came with fewer rows than there should be, and how many there should be in all. */
  private readonly short = new Map<number, number>();
  private wanted: [from: number, to: number] = [0, 0];
  private available = 0;
  private failed = false;

  constructor(
    private readonly fetch: (start: number, count: number) => Promise<readonly string[]>,
    private readonly changed: (failure: unknown) => void,
  ) {}

  row(index: number): RecordCells | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** The first rows, as far as they are there: what columns are judged by. */
  first(): readonly RecordCells[] {
    return this.pages.get(0) ?? [];
  }

  /** Names the rows in view, of as many as there are now. */
  want(from: number, to: number, available: number): void {
    this.wanted = [from, Math.min(to, available)];
    this.available = available;
    this.ask();
  }

  /** Asks again for what could not be had. */
  retry(): void {
    this.failed = false;
    this.ask();
  }

  private ask(): void {
    const [from, to] = this.wanted;
    if (this.failed || to <= from) return;
    const firstSeen = Math.floor(from / PAGE);
    const seen = Array.from({ length: Math.ceil(to / PAGE) - firstSeen }, (_, i) => firstSeen + i);
    for (const page of this.pages.has(0) ? seen : [0, ...seen]) {
      const known = this.pages.get(page);
      if (known) {
        this.pages.delete(page);
        this.pages.set(page, known);
      }
      // While a file is read, its last page grows.
      const complete = known !== undefined && known.length >= Math.min(PAGE, this.available - page * PAGE);
      const tried = this.asked.has(page) || this.short.get(page) === this.available;
      if (!complete && !tried && this.asked.size < AT_ONCE) void this.fetchPage(page);
    }
  }

  private async fetchPage(page: number): Promise<void> {
    this.asked.add(page);
    const { available } = this;
    const count = Math.min(PAGE, available - page * PAGE);
    try {
      const rows = await this.fetch(page * PAGE, count);
      if (rows.length < count) this.short.set(page, available);
      this.pages.delete(page);
      this.pages.set(page, rows.map(recordCells));
      // The first page stays: columns are judged by it.
      for (const oldest of this.pages.keys()) {
        if (this.pages.size <= KEPT_PAGES) break;
        if (oldest !== 0) this.pages.delete(oldest);
      }
      this.changed(undefined);
    } catch (failure) {
      this.failed = true;
      this.changed(failure);
    } finally {
      this.asked.delete(page);
      this.ask();
    }
  }
}
