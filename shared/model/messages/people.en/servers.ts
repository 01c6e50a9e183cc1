/** Where persons read other words than those of agents.en/servers.ts. */
import type { servers as agents } from '../agents.en/servers.ts';
import type { Table } from '../message.ts';
import { seconds } from '../phrases.ts';

const steps = { start: ', and start it', python3: '; where it is there already, the command may be python3' };

export const servers = {
  'server.older.hint': ({ server }) =>
    `Choose the older transport (SSE) for '${server}': its address ends as those of older servers do`,
  'server.failed': ({ tool, reason }) => `The tool '${tool}' failed: ${reason}`,
  'server.openAddress': ({ addresses }) =>
    `Open this address in a browser first: ${addresses}. Then have the agent repeat the call`,
  'server.timeout': ({ server, tool, ms }) =>
    `Server '${server}' did not answer within ${seconds(ms)} while '${tool}' was running`,
  'server.timeout.hint': () => 'Raise “Longest call” in the settings of the server, or on the Settings page',
  'server.unknown': ({ server }) => `There is no server '${server}'`,
  'server.unknown.none': 'There is no server yet. Add one on the Servers page',
  'server.unknown.known': ({ near, names, more }) =>
    `${near === null ? '' : `${near} `}There are: ${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  'server.off.hint': 'You can switch it on on the Servers page',

  'start.program.hint': 'Check the path in the command',
  'start.install.hint': () => 'Install it, or give its full path',
  'start.near.hint': ({ meant }) => `Did you mean “${meant}”? If not, install it, or give its full path`,
  'start.installFrom.hint': ({ product, from, bundled, also }) =>
    `${bundled ? `It comes with ${product}: install that` : `Install ${product}`} from ${from}${also === undefined ? '' : steps[also]}. If it is installed, give its full path`,
  'start.workingFolder.hint': ({ server }) => `Correct the working folder of '${server}'`,

  'net.unknownName.hint': 'Check the URL, the network connection, and whether a proxy is needed',
  'net.noResponse.hint': 'Check the network connection, and whether a VPN or a proxy is needed',

  'proxy.notReached.hint':
    'Check the proxy in the settings of this computer and of the server. A company may have it in its own network only',
  'proxy.signIn.hint': 'Put them into “Proxy” in the settings of the server: http://user:password@proxy.example:8080',
  'proxy.refused.hint': 'Have it allowed there. If the server can be reached without the proxy, enter “direct” as its proxy',

  'certificate.unknown.hint':
    'A company, or a virus scanner, that reads connections has an authority of its own. Get its file (PEM) and add it on the Settings page, at “Certificates”',
  'certificates.unreadable.hint': 'It has to be a PEM file. Correct “Certificates” on the Settings page',

  'http.credentials.hint': ({ server }) => `Check the Authorization header or the token in the settings of '${server}'`,
  'http.forbidden.hint': ({ server }) => `Check that the token in the settings of '${server}' has the rights it needs`,
  'http.tooLarge.hint': ({ server }) =>
    `Send less in one call: a list can go in several. You can lower “Largest message” in the settings of '${server}' to what the server takes`,

  'signIn.how': () => 'Choose “Sign in” on the Servers page',
  'signIn.noRegistration.hint': ({ redirects }) =>
    `Register an app with its operator, with the redirect addresses ${redirects.join(', ')}, and enter its client id here`,
  'signIn.notRenewed.hint': () =>
    'Check the network connection, then try again. If it keeps failing, choose “Sign in” on the Servers page',

  'tool.off.hint': ({ server }) => `You can allow it at “Tools and approvals” of '${server}' on the Servers page`,
} satisfies Partial<Table<typeof agents>>;
