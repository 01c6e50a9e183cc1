/** What a document's page shows, or hides, and its text does not give: counted while it is read, told in warnings with the places. */
import { type documentParts, type Warning, warning } from '../../../shared/model/conversion.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import type { Places } from '../../../shared/model/messages/phrases.ts';

/** What the caller asks for beside the text. */
export type Included = ReadonlySet<(typeof documentParts)[number]>;

const told = {
  images: ['DOCUMENT_IMAGES', (images, at) => say('document.images', { images, at })],
  drawings: ['DOCUMENT_DRAWINGS', (drawings, at) => say('document.drawings', { drawings, at })],
  chunks: ['DOCUMENT_CHUNKS', (chunks, at) => say('document.chunks', { chunks, at })],
  changes: ['DOCUMENT_CHANGES', (changes, at) => say('document.changes', { changes, at })],
  comments: ['DOCUMENT_COMMENTS', (comments, at) => say('document.comments', { comments, at })],
  hidden: ['DOCUMENT_HIDDEN', (characters, at) => say('document.hidden', { characters, at })],
  hiddenSlides: ['HIDDEN_SLIDES', (slides, at) => say('document.hiddenSlides', { slides, at })],
  numbers: ['DOCUMENT_NUMBERS', (numbers, at, format) => say('document.numbers', { numbers, at, format })],
  headers: ['DOCUMENT_HEADERS', (headers, _, first) => say('document.headers', { headers, first })],
} as const satisfies Readonly<
  Record<string, readonly [code: string, message: (count: number, at: Places, first: string) => Message]>
>;

export type Loss = keyof typeof told;

/** Places that a warning names. */
const PLACES_NAMED = 3;
const PLACE_CHARS = 40;
/** More are not told apart. */
const MOST_PLACES = 10_000;

export class Losses {
  private readonly counts = new Map<Loss, { count: number; first: string; places: Set<string> }>();
  private place = '';

  /** What is lost from now on is under this heading, or on this slide. */
  under(place: string): void {
    const words = place.replace(/\s+/g, ' ').trim();
    this.place = words.length > PLACE_CHARS ? `${words.slice(0, PLACE_CHARS - 1).trimEnd()}…` : words;
  }

  /** `words`: what the first one says. */
  add(loss: Loss, count = 1, words = ''): void {
    if (count === 0) return;
    const found = this.counts.get(loss) ?? { count: 0, first: words, places: new Set() };
    found.count += count;
    if (this.place !== '' && found.places.size < MOST_PLACES) found.places.add(this.place);
    this.counts.set(loss, found);
  }

  warnings(): Warning[] {
    return (Object.keys(told) as Loss[]).flatMap((loss) => {
      const found = this.counts.get(loss);
      if (found === undefined) return [];
      const { count, first, places } = found;
      const [code, message] = told[loss];
      const named = [...places].slice(0, PLACES_NAMED);
      return [warning(code, message(count, { named, more: places.size - named.length }, first))];
    });
  }
}

const MOST_RANGES = 10;

/** `2, 5-7, 9, …`: the first of the ranges, as text. */
export function rangesOf(numbers: readonly number[]): { pages: number; ranges: string } {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const shown = ranges.slice(0, MOST_RANGES).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return { pages: numbers.length, ranges: shown.join(', ') + (ranges.length > MOST_RANGES ? ', …' : '') };
}
