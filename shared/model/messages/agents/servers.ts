/** Messages about failures of a server: connecting, calling, listing tools. */
import { seconds } from '../phrases.ts';

export interface Server {
  server: string;
}
export interface At {
  where: string;
}
export interface Refused extends Server {
  status: number;
  reason: string | null;
}

export const servers = {
  'server.notStdio.hint': 'Check that the command is an MCP server that speaks over stdio',
  'server.slow.hint':
    'Check that the command is an MCP server that speaks over stdio, and, where npx or uvx fetches it first, that they reach their registry',
  'server.notReached': ({ server, reason }: Server & { reason: string }) => `Server '${server}' could not be reached: ${reason}`,
  'server.notReached.hint': ({ where, type }: At & { type: string }) => `Check that ${where} is an MCP server of type '${type}'`,
  'server.noAnswer': ({ server, ms }: Server & { ms: number }) => `Server '${server}' did not answer within ${seconds(ms)}`,
  'server.noAnswer.hint': ({ where }: At) => `Check that the server at ${where} is running`,
  'server.older.hint': ({ server }: Server) => `Try type "sse" for '${server}': its URL ends as those of older servers do`,
  'server.refusedHandshake': ({ reason }: { reason: string }) => `it refused the greeting: ${reason}`,
  'server.noReason': 'it gave no reason',
  'server.failed': ({ tool, reason }: { tool: string; reason: string }) => `Upstream tool '${tool}' failed: ${reason}`,
  'server.inputRounds': ({ times }: { times: number }) => `it asked for input ${times} times`,
  'server.ended': ({ server, tool, exit }: Server & { tool: string; exit: string | null }) =>
    `Server '${server}' ended while '${tool}' was running${inBrackets(exit)}`,
  'server.disconnected': ({ server, tool }: Server & { tool: string }) =>
    `Server '${server}' broke the connection while '${tool}' was running`,
  'server.openAddress': ({ addresses }: { addresses: string }) =>
    `The user has to open this address in a browser first: ${addresses}. Show it to them, and call again when they are done`,
  'server.startsAgain': ({ said }: { said: string | null }) => `${before(said)}The next call starts it again`,
  'server.connectsAgain': 'The next call connects again',
  'server.endedBy': ({ signal }: { signal: string }) => `ended by ${signal}`,
  'server.exitCode': ({ code }: { code: number | null }) => `exit code ${code}`,
  'server.hasEnded': ({ exit }: { exit: string }) => `The server ended (${exit})`,
  'server.timeout': ({ server, tool, ms, setting }: Server & { tool: string; ms: number; setting: string }) =>
    `Server '${server}' did not answer within ${seconds(ms)} while '${tool}' was running (${setting})`,
  'server.timeout.hint': ({ setting }: { setting: string }) => `Raise ${setting}, or make the call with background: true`,
  'server.silent': ({ server, tool, ms }: Server & { tool: string; ms: number }) =>
    `Server '${server}' did not answer within ${seconds(ms)} while '${tool}' was running, and has stopped answering at all`,
  'server.silent.hint': 'It was ended, and the next call starts it again',
  'server.stalled': ({ ms }: { ms: number }) => `The server took no data for ${Math.round(ms / 1000)} s`,
  'server.changed': ({ server, starting }: Server & { starting: boolean }) =>
    `Server '${server}' was changed or removed while it was ${starting ? 'being started' : 'in use'}`,

  'tools.slow': ({ server, ms }: Server & { ms: number }) =>
    `Server '${server}' did not say within ${seconds(ms)} which tools it has`,
  'tools.slow.hint': 'Restart it; where it stays silent, its own instructions may tell what it waits for',
  'tools.ended': ({ server, exit }: Server & { exit: string }) => `Server '${server}' ended when asked for its tools (${exit})`,
  'tools.failed': ({ server, reason }: Server & { reason: string }) =>
    `Server '${server}' did not say which tools it has: ${reason}`,
  'tools.noList': 'its answer holds no list of them',
  'tool.unknown': ({ server, tool }: Server & { tool: string }) => `Server '${server}' has no tool '${tool}'`,
  'tool.unknown.none': 'It offers no tools',
  'tool.unknown.many': ({ most }: { most: number }) => `It lists more tools than the ${most} that are used of a server`,
  'tool.unknown.known': ({ names, more }: Names) => `It offers: ${listed(names, more)}`,
  'tool.off': ({ server, tool }: Server & { tool: string }) => `Tool '${tool}' of server '${server}' is switched off`,
  'tool.off.hint': ({ server }: Server) => `The user can allow it in the configuration of '${server}'`,
  'server.unknown': ({ server }: Server) => `No server named '${server}' is configured`,
  'server.unknown.none': 'No server is configured; add one first',
  'server.unknown.known': ({ near, names, more }: Names & { near: string | null }) =>
    `${near === null ? '' : `${near} `}Configured: ${listed(names, more)}`,
  'server.off': ({ server }: Server) => `Server '${server}' is switched off`,
  'server.off.hint': 'The user can switch it on in Filebridge',
  'names.near': ({ names }: { names: readonly string[] }) => `Did you mean ${names.map((name) => `'${name}'`).join(' or ')}?`,
  'call.cancelled': 'The call was cancelled',
  'call.cancelledByPerson': 'The user cancelled this call in Filebridge',
  'call.cancelledByPerson.hint': 'Do not repeat it unless they ask for it',
  'call.nothingLeft': 'Nothing is left to send of this call, or Filebridge was restarted since',
  'call.cancelledOf': ({ tool }: { tool: string }) => `The call of '${tool}' was cancelled`,

  'http.signIn': ({ server }: Server) => `Server '${server}' asks for a sign-in that was not given (HTTP 401)`,
  'http.credentials.hint': ({ server }: Server) => `Check the Authorization header or token configured for '${server}'`,
  'http.signIn.hint': ({ how }: { how: string }) => `${how}. A server without such a sign-in wants a token in its headers`,
  'http.notMcp': ({ server }: Server) => `Server '${server}' answers, but not as an MCP server does`,
  'http.notMcp.hint': ({ server, type }: Server & { type: string }) =>
    `Check the URL of '${server}': it may lead to a web page. Many servers answer at /mcp or /sse; or try type "${type}"`,
  'http.elsewhere': ({ server, status }: Server & { status: number }) =>
    `Server '${server}' sends to another address (HTTP ${status})`,
  'http.elsewhere.hint': ({ server }: Server) => `Enter that address as the URL of '${server}'; it may also want a sign-in`,
  'http.forbidden': ({ server }: Server) => `Server '${server}' refused access (HTTP 403)`,
  'http.forbidden.hint': ({ server }: Server) => `Check that the token configured for '${server}' has the rights it needs`,
  'http.nothing': ({ server }: Server) => `Server '${server}' has nothing at this address (HTTP 404)`,
  'http.nothing.hint': ({ server }: Server) => `Check the URL of '${server}'; many servers answer at /mcp or /sse`,
  'http.otherKind': ({ server }: Server) => `Server '${server}' does not take this kind of connection (HTTP 405)`,
  'http.otherKind.hint': ({ server, type }: Server & { type: string }) => `Try type "${type}" for '${server}'`,
  'http.handshake': ({ server, status, reason }: Refused) =>
    `Server '${server}' did not understand the greeting (HTTP ${status}${after(reason)})`,
  'http.handshake.hint': ({ server, type }: Server & { type: string }) => `Check the URL of '${server}', or try type "${type}"`,
  'http.tooLarge': ({ server }: Server) => `Server '${server}' refused the call as too large (HTTP 413)`,
  'http.tooLarge.hint': ({ server }: Server) =>
    `Send less in one call: a list can go in several, with batch: {"max_bytes": 250000}; the user can lower maxMessageBytes of '${server}' in Filebridge to what the server takes`,
  'http.tooOften': ({ server }: Server) => `Server '${server}' is asked too often (HTTP 429)`,
  'http.tooOften.hint': 'Wait a little, then try again',
  'http.wait.hint': ({ wait }: { wait: number }) => `It asks to wait ${wait} s before the next try`,
  'http.unavailable': ({ server, status, reason }: Refused) =>
    `Server '${server}' is not available at the moment (HTTP ${status}${after(reason)})`,
  'http.unavailable.hint': ({ where }: At) => `Try again later, or see whether the server at ${where} is running`,
  'http.status': ({ server, status, reason }: Refused) => `Server '${server}' answered with HTTP ${status}${after(reason)}`,
  'http.log.hint': ({ where }: At) => `See the log of the server at ${where}`,

  'net.refused': ({ where }: At) => `nothing listens at ${where}`,
  'net.refused.hint': 'Start the server, or correct its URL',
  'net.unknownName': ({ where }: At) => `the name of ${where} is not known`,
  'net.unknownName.hint': 'Check the URL and the network connection',
  'net.noResponse': ({ where }: At) => `${where} does not respond`,
  'net.noResponse.hint': 'Check the network connection and whether a VPN is needed',
  'net.broken': ({ where }: At) => `${where} broke the connection`,
  'net.broken.hint': 'See the log of the server, or try https:// in the URL',
  'net.notHttps': ({ where }: At) => `${where} does not speak https`,
  'net.notHttps.hint': 'Try http:// in the URL',
  'net.certificate': ({ where }: At) => `the certificate of ${where} is not trusted`,
  'net.certificate.hint': 'Have the certificate renewed or corrected',
};

export interface Names {
  names: readonly string[];
  more: number;
}

const inBrackets = (text: string | null) => (text === null ? '' : ` (${text})`);
const after = (text: string | null) => (text === null ? '' : `: ${text}`);
const before = (text: string | null) => (text === null ? '' : `${text}. `);
const listed = (names: readonly string[], more: number) =>
  `${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
