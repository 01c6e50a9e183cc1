/** Addresses of pages that show one file. */

/** Encoded twice: the router decodes once, and less thoroughly than a path needs. */
const encoded = (path: string): string => encodeURIComponent(encodeURIComponent(path));

export const previewLink = (path: string): string => `/preview/${encoded(path)}`;

/** The file's page, with the tool that it is to be sent to chosen. */
export const sendLink = (path: string, target: SendTarget): string =>
  `${previewLink(path)}/${encoded(JSON.stringify([target.server, target.tool, target.dataKey ?? null]))}`;

export interface SendTarget {
  server: string;
  tool: string;
  /** Undefined: found from the tool's schema. */
  dataKey: string | undefined;
}

/** The target of an address; undefined for one that is no link of ours. */
export function targetOfLink(part: string): SendTarget | undefined {
  try {
    const [server, tool, dataKey] = JSON.parse(pathOfLink(part)) as unknown[];
    if (typeof server !== 'string' || typeof tool !== 'string') return undefined;
    return { server, tool, dataKey: typeof dataKey === 'string' ? dataKey : undefined };
  } catch {
    return undefined;
  }
}

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
