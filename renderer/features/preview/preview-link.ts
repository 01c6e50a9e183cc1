/** The Preview page's address for a file, for links from other pages. */

/** Encoded twice: the router decodes once, and less thoroughly than a path needs. */
export const previewLink = (path: string): string => `/preview/${encodeURIComponent(encodeURIComponent(path))}`;

/** The path of the address's last part, as the router gives it. An address typed by hand may be no link of ours: it is taken as it is. */
export function pathOfLink(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
