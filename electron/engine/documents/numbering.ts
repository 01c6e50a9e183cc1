/** The numbers of Word's lists, clauses and headings, as the page shows them (ECMA-376 part 1, 17.9). */
import { childOf, type Element, eachUnit, elementsOf, settingOf } from './markup.ts';
import { numberIn } from './number-formats.ts';

interface Level {
  readonly start: number;
  readonly format: string;
  /** `%1.%2`: with the number of a level for each sign. */
  readonly text: string;
  /** The level, from 1, after which it starts again; 0: never. Undefined: after any above it. */
  readonly restart: number | undefined;
  /** All its numbers in digits. */
  readonly legal: boolean;
  readonly style: string | undefined;
}

interface Definition {
  readonly levels: Map<number, Level>;
  /** Another definition of the same name, which it refers to. */
  readonly link: string | undefined;
  readonly named: string | undefined;
}

export interface Mark {
  /** What stands before the paragraph: `1.2`, `a)`, `•`; empty for nothing. */
  readonly text: string;
  readonly isBullet: boolean;
  /** Where it is a number, and nothing else but a dot or bracket. */
  readonly number: number | undefined;
  /** A format that is not known, whose numbers are given in digits. */
  readonly unknown?: string | undefined;
}

const LEVELS = 9;

export class Numbering {
  private readonly definitions = new Map<string, Definition>();
  private readonly lists = new Map<string, { definition: string; starts: Map<number, number>; own: Map<number, Level> }>();
  /** Lists of one definition count on together. */
  private readonly counters = new Map<string, (number | undefined)[]>();
  private readonly begun = new Set<string>();

  constructor(xml: string | undefined, signal?: AbortSignal) {
    if (xml === undefined) return;
    const take = (element: Element) => {
      if (element.name === 'abstractNum') {
        this.definitions.set(element.attributes['w:abstractNumId'] ?? '', {
          levels: levelsIn(element),
          link: settingOf(element, 'numStyleLink'),
          named: settingOf(element, 'styleLink'),
        });
      } else this.addList(element);
    };
    eachUnit(xml, (name) => name === 'abstractNum' || name === 'num', take, signal);
  }

  private addList(element: Element): void {
    const starts = new Map<number, number>();
    const own = new Map<number, Level>();
    for (const override of elementsOf(element).filter(({ name }) => name === 'lvlOverride')) {
      const at = Number(override.attributes['w:ilvl'] ?? 0);
      const start = settingOf(override, 'startOverride');
      if (start !== undefined) starts.set(at, Number(start));
      for (const [level, found] of levelsIn(override)) own.set(level, found);
    }
    this.lists.set(element.attributes['w:numId'] ?? '', { definition: settingOf(element, 'abstractNumId') ?? '', starts, own });
  }

  /** The level of a list whose paragraphs have the style. */
  levelOfStyle(list: string, style: string): number | undefined {
    for (const [at, level] of this.levelsOf(list)) if (level.style === style) return at;
    return undefined;
  }

  private levelsOf(list: string): Map<number, Level> {
    const { definition = '', own = new Map<number, Level>() } = this.lists.get(list) ?? {};
    let found = this.definitions.get(definition);
    if (found?.link !== undefined && found.levels.size === 0) {
      const { link } = found;
      found = [...this.definitions.values()].find(({ named }) => named === link) ?? found;
    }
    return new Map([...(found?.levels ?? []), ...own]);
  }

  /** Counts a paragraph of the list, and gives its mark; undefined where the list does not exist. */
  next(list: string, level: number): Mark | undefined {
    const entry = this.lists.get(list);
    if (entry === undefined || level >= LEVELS) return undefined;
    const levels = this.levelsOf(list);
    const own = levels.get(level);
    if (own === undefined) return undefined;
    const counters = this.counters.get(entry.definition) ?? [];
    this.counters.set(entry.definition, counters);
    if (!this.begun.has(list)) {
      this.begun.add(list);
      for (const [at, start] of entry.starts) counters[at] = start - 1;
    }
    counters[level] = (counters[level] ?? own.start - 1) + 1;
    for (let below = level + 1; below < LEVELS; below += 1) {
      const after = levels.get(below)?.restart;
      if (after === undefined ? true : after > level && after !== 0) counters[below] = undefined;
    }
    if (own.format === 'bullet') return { text: '•', isBullet: true, number: undefined };
    if (own.format === 'none' && !own.text.includes('%')) return { text: own.text, isBullet: false, number: undefined };
    let unknown: string | undefined;
    const text = own.text.replace(/%([1-9])/g, (_, sign: string) => {
      const at = Number(sign) - 1;
      const other = levels.get(at);
      const count = counters[at] ?? other?.start ?? 1;
      const format = own.legal ? 'decimal' : (other?.format ?? 'decimal');
      const written = numberIn(count, format);
      if (written === undefined) unknown = format;
      return written ?? String(count);
    });
    const number = counters[level] as number;
    return { text, isBullet: false, number: /^\d+[.)]?$/.test(text) ? number : undefined, unknown };
  }
}

function levelsIn(element: Element): Map<number, Level> {
  const found = new Map<number, Level>();
  for (const each of elementsOf(element).filter(({ name }) => name === 'lvl')) {
    const restart = settingOf(each, 'lvlRestart');
    const legal = childOf(each, 'isLgl');
    found.set(Number(each.attributes['w:ilvl'] ?? 0), {
      start: Number(settingOf(each, 'start') ?? 0),
      format: settingOf(each, 'numFmt') ?? 'decimal',
      text: settingOf(each, 'lvlText') ?? `%${Number(each.attributes['w:ilvl'] ?? 0) + 1}.`,
      restart: restart === undefined ? undefined : Number(restart),
      legal: legal !== undefined && !/^(?:0|false|off)$/.test(legal.attributes['w:val'] ?? ''),
      style: settingOf(each, 'pStyle'),
    });
  }
  return found;
}
