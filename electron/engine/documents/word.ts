/** Reads Word documents (.docx, .docm) with mammoth, part by part from the archive, within bounds. */
import mammoth from 'mammoth';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { DocumentText, WholeReader } from '../core/reader.ts';
import { inForm } from './forms.ts';
import { type DocumentParts, openParts, parsedBy } from './parts.ts';

export const readWord: WholeReader = async (source, { options, bounds, signal }): Promise<DocumentText> => {
  const parts = await openParts(source, 'docx', bounds, signal);
  return parsedBy('docx', signal, async () => {
    const { html, images } = await convertParts(parts);
    const warnings: Warning[] = [];
    if (images > 0) warnings.push(warning('DOCUMENT_IMAGES', say('document.images', { images })));
    const text = inForm(html, options.as, bounds.maxNesting);
    if (text === '') warnings.push(warning('DOCUMENT_EMPTY', say('document.noText')));
    return { text, warnings };
  });
};

async function convertParts(parts: DocumentParts): Promise<{ html: string; images: number }> {
  // The library takes an opened archive too, which its types do not say.
  const input = { file: parts } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  let images = 0;
  const { value } = await mammoth.convertToHtml(input, {
    externalFileAccess: false,
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
    convertImage: mammoth.images.imgElement(async () => {
      images += 1;
      return { src: '' };
    }),
  });
  return { html: value, images };
}
