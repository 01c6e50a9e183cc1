/** The forms in which a document's text is given. */
import type { AsMode } from '../../../shared/model/formats.ts';
import { markdownOf } from './markdown.ts';
import { plainTextOf } from './plain-text.ts';

type DocumentForm = 'markdown' | 'html' | 'text';

export const formOf = (as: AsMode = 'auto'): DocumentForm => (as === 'html' || as === 'text' ? as : 'markdown');

/** Takes well-formed HTML; a RangeError where its elements are nested deeper than `maxNesting`. */
export function inForm(html: string, as: AsMode | undefined, maxNesting: number): string {
  const form = formOf(as);
  if (form === 'html') return html;
  return form === 'text' ? plainTextOf(html) : markdownOf(html, maxNesting);
}
