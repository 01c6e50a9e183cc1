/** The forms in which a document's text is given. */
import type { AsMode } from '../../../shared/model/formats.ts';
import { markdownOf } from './markdown.ts';

type DocumentForm = 'markdown' | 'html' | 'text';

export const formOf = (as: AsMode = 'auto'): DocumentForm => (as === 'html' || as === 'text' ? as : 'markdown');

/** Takes well-formed HTML; a RangeError where its elements are nested deeper than `maxNesting`. */
export function inForm(html: string, as: AsMode | undefined, maxNesting: number): string {
  const form = formOf(as);
  if (form === 'html') return html;
  return form === 'text' ? plainTextOf(html) : markdownOf(html, maxNesting);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** HTML as plain text: a line per paragraph and table row, tabs between cells. Takes well-formed HTML with the four entities that its writer uses. */
function plainTextOf(html: string): string {
  return html
    .replace(/<\/p>(?=<\/t[dh]>)/g, '')
    .replace(/<\/p>(?=<p>[^<>]*<\/t[dh]>)/g, ' ')
    .replace(/<\/t[dh]>(?=<t[dh])/g, '\t')
    .replace(/<br[^<>]*>|<\/(?:p|h[1-6]|tr|table)>|<\/li>|<[uo]l>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name] as string)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
