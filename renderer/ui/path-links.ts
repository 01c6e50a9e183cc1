/** Addresses of pages that show one file. */

/** Encoded twice: the router decodes once, and less thoroughly than a path needs. */
const encoded = (path: string): string => encodeURIComponent(encodeURIComponent(path));

export const previewLink = (path: string): string => `/preview/${encoded(path)}`;

/** The Servers page, which asks whether to add the server in the bundle. */
export const bundleLink = (path: string): string => `/servers/${encoded(path)}`;

/** MCP bundles: servers packed into one file. */
export const isBundle = (path: string): boolean => /\.(?:mcpb|dxt)$/i.test(path);

/** The path of the address's last part, as the router gives it. An address typed by hand may be no link of ours: it is taken as it is. */
export function pathOfLink(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
