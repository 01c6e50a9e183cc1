/** The address of a remote server. Pages about servers are told apart. */
import { say } from '../../../shared/model/messages/message.ts';
import { notUsable } from '../failures.ts';
import type { PasteDialect } from '../types.ts';

/** Sites that describe programs. */
const pages =
  /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|npmjs\.com|pypi\.org|hub\.docker\.com|smithery\.ai|glama\.ai|mcp\.so|pulsemcp\.com|mcpservers\.org|modelcontextprotocol\.io|cursor\.directory|mcpmarket\.com|lobehub\.com)$/;

export const address: PasteDialect = {
  name: 'address',
  read(text) {
    if (!/^<?https?:\/\/\S+$/i.test(text)) return null;
    const url = text.replace(/^<(.*)>$/, '$1');
    const { host, pathname } = parts(url);
    const npm = /^\/package\/((?:@[\w.-]+\/)?[\w.-]+)/.exec(pathname)?.[1];
    if (/^(?:www\.)?npmjs\.com$/.test(host) && npm) return [{ entry: { command: 'npx', args: ['-y', npm] } }];
    const pypi = /^\/project\/([\w.-]+)/.exec(pathname)?.[1];
    if (host === 'pypi.org' && pypi) return [{ entry: { command: 'uvx', args: [pypi] } }];
    const file = /\.(?:mcpb|dxt)(?:[?#]|$)/i.test(url);
    if (file) throw notUsable(say('pasted.download'), say('pasted.download.hint'));
    if (pages.test(host)) throw notUsable(say('pasted.page', { host }), say('pasted.page.hint'));
    return [{ entry: { url } }];
  },
};

function parts(url: string): { host: string; pathname: string } {
  try {
    const { hostname, pathname } = new URL(url.replaceAll(/[<>{}]/g, 'x'));
    return { host: hostname, pathname };
  } catch (cause) {
    throw notUsable(say('entry.notUrl'), say('entry.notUrl.hint'), cause);
  }
}
