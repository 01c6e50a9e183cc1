/** Writes HTML as plain text: a line per paragraph and table row, tabs between cells. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** Takes well-formed HTML with the four entities that its writer uses. */
export function plainTextOf(html: string): string {
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
