/** Where persons read other words than those of agents.en/servers.ts. */
import type { servers as agents } from '../agents.en/servers.ts';
import type { Table } from '../message.ts';
import { seconds } from '../phrases.ts';

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

  'start.workingFolder.hint': ({ server }) => `Correct the working folder of '${server}'`,

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
