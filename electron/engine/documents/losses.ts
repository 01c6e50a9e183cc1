/** What a document's page shows, or hides, and its text does not give: counted while it is read, told in warnings. */
import { type documentParts, type Warning, warning } from '../../../shared/model/conversion.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';

/** What the caller asks for beside the text. */
export type Included = ReadonlySet<(typeof documentParts)[number]>;

const told = {
  images: ['DOCUMENT_IMAGES', (images) => say('document.images', { images })],
  drawings: ['DOCUMENT_DRAWINGS', (drawings) => say('document.drawings', { drawings })],
  chunks: ['DOCUMENT_CHUNKS', (chunks) => say('document.chunks', { chunks })],
  changes: ['DOCUMENT_CHANGES', (changes) => say('document.changes', { changes })],
  comments: ['DOCUMENT_COMMENTS', (comments) => say('document.comments', { comments })],
  hidden: ['DOCUMENT_HIDDEN', (characters) => say('document.hidden', { characters })],
  hiddenSlides: ['HIDDEN_SLIDES', (slides) => say('document.hiddenSlides', { slides })],
  headers: ['DOCUMENT_HEADERS', (headers, first) => say('document.headers', { headers, first })],
} as const satisfies Readonly<Record<string, readonly [code: string, message: (count: number, first: string) => Message]>>;

export type Loss = keyof typeof told;

export class Losses {
  private readonly counts = new Map<Loss, { count: number; first: string }>();

  /** `words`: what the first one says. */
  add(loss: Loss, count = 1, words = ''): void {
    const { count: before, first } = this.counts.get(loss) ?? { count: 0, first: words };
    this.counts.set(loss, { count: before + count, first });
  }

  warnings(): Warning[] {
    return (Object.keys(told) as Loss[]).flatMap((loss) => {
      const { count, first } = this.counts.get(loss) ?? { count: 0, first: '' };
      const [code, message] = told[loss];
      return count > 0 ? [warning(code, message(count, first))] : [];
    });
  }
}
