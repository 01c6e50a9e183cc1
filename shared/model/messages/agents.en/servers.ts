/** Failures of servers: start, connection, HTTP, sign-in, tools. */
import { type Installation, type Resource, seconds } from '../phrases.ts';

export interface Server {
  server: string;
}

export interface At {
  where: string;
}

export interface Names {
  names: readonly string[];
  more: number;
}

export interface Refused extends Server {
  status: number;
  reason: string | null;
}

/** The file that the command started, where the command is a bare name. */
export interface Started {
  program: string | null;
}

/** The folders in which a command was looked for. */
export interface Searched {
  searched: readonly string[];
}

const inBrackets = (text: string | null) => (text === null ? '' : ` (${text})`);

const before = (text: string | null) => (text === null ? '' : `${text}. `);

const listed = (names: readonly string[], more: number) =>
  `${names.map((name) => `'${name}'`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;

const after = (text: string | null) => (text === null ? '' : `: ${text}`);

/** `given`: options that the command needs too, at a terminal. */
type SignIn = Server & { given?: string };

const howToSignIn = ({ server, given = '' }: SignIn) =>
  `he person can choose “Sign in” on the Servers page of Filebridge, or run: filebridge sign-in ${/^[\w.-]+$/.test(server) ? server : `"${server}"`}${given}`;

const resources: Record<Resource, string> = { files: 'open files', processes: 'processes', memory: 'memory' };

const looked = (searched: readonly string[]) =>
  searched.length === 0 ? 'PATH names no folder to look in' : `it is in none of the folders of PATH: ${searched.join(', ')}`;

const steps = { start: ', and start it', python3: '; where it is there already, the command may be python3' };

export const servers = {
  'server.notReady': ({ server, seconds }: { server: string; seconds: number }) =>
    `Server '${server}' was not ready after ${seconds} s`,
  'server.notReady.hint': 'Try again: what it had to fetch may be there by then',
  'server.failing': ({ server }: { server: string }) => `The server '${server}' does not work`,
  'server.failing.hint': ({ error, hint }: { error: string; hint: string | null }) =>
    hint === null ? error : `${error}. ${hint}`,
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
  'server.noSubscriptions': ({ server }: Server) => `Server '${server}' does not announce changes of resources`,
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
  'server.unknown': ({ server }: Server) => `No server named '${server}' is configured`,
  'server.unknown.none': 'No server is configured; add one first',
  'server.unknown.known': ({ near, names, more }: Names & { near: string | null }) =>
    `${near === null ? '' : `${near} `}Configured: ${listed(names, more)}`,
  'server.off': ({ server }: Server) => `Server '${server}' is switched off`,
  'server.off.hint': 'The user can switch it on in Filebridge',
  'server.notStarted': ({ server, reason }: { server: string; reason: string }) =>
    `Server '${server}' could not be started: ${reason}`,
  'server.said': ({ lines }: { lines: readonly string[] }) => `It said: ${lines.join(' / ')}`,
  'server.wrote': ({ lines }: { lines: readonly string[] }) => `It wrote: ${lines.join(' / ')}`,

  'start.npmPackage': ({ name }: { name: string }) => `the npm registry has no package '${name}'`,
  'start.pythonPackage': ({ name }: { name: string }) => `the Python registry has no package '${name}'`,
  'start.image': ({ name }: { name: string }) => `there is no Docker image '${name}' that may be used`,
  'start.name.hint': 'Check its name in the arguments',
  'start.npmRegistry': 'npx could not reach the npm registry to fetch it',
  'start.npmRegistry.hint': 'Check the network connection, and whether a proxy is needed',
  'start.docker': 'Docker is installed but does not run',
  'start.docker.hint': 'Start Docker Desktop, then try again',
  'start.program': ({ by, file }: { by: string; file: string }) => `${by} did not find the program '${file}'`,
  'start.program.hint': 'Check the path in the arguments',
  'start.folder': ({ command }: { command: string }) => `'${command}' is a folder, not a program`,
  'start.folder.hint': 'Give the path of a program in it',
  'start.notExecutable': ({ command }: { command: string }) => `command '${command}' may not be run`,
  'start.notExecutable.hint': 'Check that the file is executable',
  'start.short': ({ resource, code }: { resource: Resource; code: string }) =>
    `this computer is short of ${resources[resource]} (${code})`,
  'start.short.hint': 'Switch off servers that are not needed, or end other programs',
  'start.noWorkingFolder': ({ cwd }: { cwd: string }) => `its working folder '${cwd}' does not exist`,
  'start.workingFile': ({ cwd }: { cwd: string }) => `its working folder '${cwd}' is not a folder`,
  'start.workingFolder.hint': ({ server }: { server: string }) => `Correct cwd of '${server}'`,
  'start.notFound': ({ command }: { command: string }) => `command '${command}' was not found`,
  'start.noFile.hint': 'There is no such file; check the path',
  'start.arguments.hint': ({ command, args }: { command: string; args: readonly string[] }) =>
    `Give '${command}' as the command, and '${args.join("', '")}' as its arguments`,
  'start.install.hint': ({ searched }: Searched) => `Install it, or give its full path: ${looked(searched)}`,
  'start.near.hint': ({ meant, searched }: Searched & { meant: string }) =>
    `Did you mean '${meant}'? If not, install it, or give its full path: ${looked(searched)}`,
  'start.installFrom.hint': ({ product, from, bundled, also, searched }: Installation & Searched) =>
    `${bundled ? `It comes with ${product}: install that` : `Install ${product}`} from ${from}${also === undefined ? '' : steps[also]}. If it is installed, give its full path: ${looked(searched)}`,
  'start.ended': ({ program, exit }: Started & { exit: string }) => `${program ?? 'it'} ended before it was ready (${exit})`,
  'start.ended.hint': ({ command }: { command: string }) => `Run '${command}' in a terminal to see what is wrong`,
  'start.stray': ({ program }: Started) => `${program ?? 'it'} does not speak MCP over its standard output`,
  'start.stray.hint': ({ wrote }: { wrote: string }) => `Check that the command is an MCP server of type stdio. ${wrote}`,
  'start.slow': ({ server, ms }: { server: string; ms: number }) =>
    `Server '${server}' did not finish starting within ${seconds(ms)}`,

  'net.refused': ({ where }: At) => `nothing listens at ${where}`,
  'net.refused.hint': 'Start the server, or correct its URL',
  'net.unknownName': ({ where }: At) => `the name of ${where} is not known`,
  'net.unknownName.hint': 'Check the URL, the network connection, and whether a proxy is needed (HTTPS_PROXY)',
  'net.noResponse': ({ where }: At) => `${where} does not respond`,
  'net.noResponse.hint': 'Check the network connection, and whether a VPN or a proxy (HTTPS_PROXY) is needed',
  'net.broken': ({ where }: At) => `${where} broke the connection`,
  'net.broken.hint': 'See the log of the server, or try https:// in the URL',
  'net.notHttps': ({ where }: At) => `${where} does not speak https`,
  'net.notHttps.hint': 'Try http:// in the URL',

  'proxy.badAddress': ({ address }: { address: string }) => `The proxy '${address}' is no address`,
  'proxy.badAddress.hint':
    'Correct the proxy of the server, HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, as in http://proxy.example:8080',
  'proxy.notReached': ({ proxy, reason }: { proxy: string; reason: string | null }) =>
    `the proxy ${proxy} was not reached${after(reason)}`,
  'proxy.notReached.hint':
    'Check the proxy of the system and of the server, and HTTPS_PROXY, HTTP_PROXY and ALL_PROXY. A company may have it in its own network only',
  'proxy.refused': ({ proxy, status, where }: At & { proxy: string; status: number }) =>
    `the proxy ${proxy} does not let connections to ${where} through (HTTP ${status})`,
  'proxy.refused.hint': 'Have it allowed there, or name the host in NO_PROXY if it can be reached without the proxy',
  'proxy.signIn': 'the proxy asks for a user and a password',
  'proxy.signIn.hint': 'Put them into its address: HTTPS_PROXY=http://user:password@proxy.example:8080, or proxy of the server',

  'certificate.expired': ({ where }: At) => `the certificate of ${where} has expired`,
  'certificate.expired.hint': "Check this computer's clock; if it is right, the server's operator has to renew the certificate",
  'certificate.otherName': ({ where }: At) => `the certificate of ${where} is for another name`,
  'certificate.otherName.hint': 'Check the URL: it has to have the name that the certificate has',
  'certificate.unknown': ({ where }: At) => `the certificate of ${where} is vouched for by nobody that this computer knows`,
  'certificate.unknown.hint':
    'A company, or a virus scanner, that reads connections has an authority of its own. Name its file (PEM) in network.certificates of the configuration, or in NODE_EXTRA_CA_CERTS',
  'certificates.unreadable': ({ file, reason }: { file: string; reason: string | null }) =>
    `The certificates in '${file}' cannot be read${inBrackets(reason)}`,
  'certificates.unreadable.hint': 'It has to be a PEM file, with -----BEGIN CERTIFICATE-----. Correct network.certificates',

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

  'signIn.program': ({ server }: { server: string }) =>
    `Server '${server}' is a program on this machine, which has no sign-in of this kind`,
  'signIn.program.hint': 'Its credentials are environment variables in its settings',
  'signIn.header': ({ server }: { server: string }) =>
    `Server '${server}' has an Authorization header in its settings, which is used instead`,
  'signIn.header.hint': 'Remove the header to sign in',
  'signIn.noLink': 'The sign-in ended without a link',
  'signIn.how': (named: SignIn) => `T${howToSignIn(named)}`,
  'signIn.expired': ({ server }: Server) => `The sign-in to '${server}' has expired`,
  'signIn.notRenewed': ({ server }: Server) => `The sign-in to '${server}' could not be renewed`,
  'signIn.notRenewed.hint': (named: SignIn) =>
    `Check the network connection, then try again; t${howToSignIn(named)} if it keeps failing`,
  'signIn.cancelled': 'The sign-in was cancelled',
  'signIn.unfinished': ({ server }: Server) => `The sign-in to '${server}' was not finished in the browser`,
  'signIn.startAgain': 'Start it again',
  'signIn.failed': ({ server, reason }: Server & { reason: string }) => `The sign-in to '${server}' failed: ${reason}`,
  'signIn.failed.hint': 'Start it again; if it keeps failing, ask the operator of the server',
  'signIn.scopes': ({ server, scopes }: Server & { scopes: string }) =>
    `Server '${server}' wants more permission for this call: ${scopes}`,
  'signIn.notNeeded': ({ server }: Server) => `Server '${server}' answers without a sign-in`,
  'signIn.notNeeded.hint': 'There is nothing to do: use it',
  'signIn.noProofs': 'its sign-in does not offer the protection that tokens need here (PKCE with S256)',
  'signIn.nowhere': ({ server }: Server) => `Server '${server}' wants credentials, and does not say where to sign in`,
  'signIn.nowhere.hint': 'It may want a token of yours: put it into the headers of the server, as Authorization: Bearer …',
  'signIn.noRegistration': ({ server }: Server) =>
    `The sign-in of '${server}' wants a client id: it registers no program by itself`,
  'signIn.noRegistration.hint': ({ server, redirects }: Server & { redirects: readonly string[] }) =>
    `Register an app with its operator, with the redirect addresses ${redirects.join(', ')}, then give its client id: in Filebridge beside *Sign in*, or with filebridge sign-in '${server}' --client-id ID`,
  'signIn.clientRefused': ({ server }: Server) => `The sign-in of '${server}' refused the client id or its secret`,
  'signIn.clientRefused.hint': ({ redirects }: { redirects: readonly string[] }) =>
    `Check both, and that these redirect addresses are registered: ${redirects.join(', ')}`,
  'signIn.notOpened': ({ protocol }: { protocol: string }) =>
    `its sign-in page has an address that is not opened ('${protocol}')`,
  'signIn.badLink': 'This is no address of a sign-in page',
  'signIn.badLink.hint': 'Only http and https links are opened',
  'signIn.stopped': ({ address, reason }: { address: string; reason: string }) =>
    `The sign-in was stopped: the server names ${address}, and ${reason}`,
  'signIn.stopped.hint': 'Check the address of the server; if it is right, tell its operator',
  'signIn.onlyScheme': ({ schemes }: { schemes: readonly string[] }) => `only ${schemes.join(' and ')} is allowed`,
  'signIn.privateNetwork': 'it leads into a private network',
  'signIn.noPort': ({ ports }: { ports: readonly number[] }) =>
    `The browser cannot come back: the ports ${ports.join(', ')} are all taken`,
  'signIn.noPort.hint': 'End other sign-ins that are under way, then try again',
  'signIn.ownCredentials': ({ server }: Server) => `Server '${server}' takes its credentials from its settings`,
  'signIn.ownCredentials.hint': 'Change them there',
  'signIn.unreadable': ({ file }: { file: string }) => `The sign-ins in '${file}' cannot be read`,
  'signIn.unreadable.hint': 'Check its permissions',
  'signIn.sealed': ({ reason }: { reason: string }) => `The stored sign-in cannot be read here: ${reason}`,
  'signIn.sealed.hint': 'Open the Filebridge app',

  'tools.slow': ({ server, ms }: Server & { ms: number }) =>
    `Server '${server}' did not say within ${seconds(ms)} which tools it has`,
  'tools.slow.hint': 'Restart it; where it stays silent, its own instructions may tell what it waits for',
  'tools.ended': ({ server, exit }: Server & { exit: string }) => `Server '${server}' ended when asked for its tools (${exit})`,
  'tools.failed': ({ server, reason }: Server & { reason: string }) =>
    `Server '${server}' did not say which tools it has: ${reason}`,
  'tools.noList': 'its answer holds no list of them',

  'names.near': ({ names }: { names: readonly string[] }) => `Did you mean ${names.map((name) => `'${name}'`).join(' or ')}?`,

  'tool.unknown': ({ server, tool }: Server & { tool: string }) => `Server '${server}' has no tool '${tool}'`,
  'tool.unknown.none': 'It offers no tools',
  'tool.unknown.many': ({ most }: { most: number }) => `It lists more tools than the ${most} that are used of a server`,
  'tool.unknown.known': ({ names, more }: Names) => `It offers: ${listed(names, more)}`,
  'tool.off': ({ server, tool }: Server & { tool: string }) => `Tool '${tool}' of server '${server}' is switched off`,
  'tool.off.hint': ({ server }: Server) =>
    `Ask the user to allow it at “Tools and approvals” of '${server}' on the Servers page of Filebridge`,
};
