/** Signing in to a server in the browser. */
export interface Server {
  server: string;
}

const howToSignIn = ({ server }: Server) =>
  `he person can choose “Sign in” on the Servers page of Filebridge, or run: filebridge sign-in ${/^[\w.-]+$/.test(server) ? server : `"${server}"`}`;

export const signIn = {
  'signIn.how': (named: Server) => `T${howToSignIn(named)}`,
  'signIn.expired': ({ server }: Server) => `The sign-in to '${server}' has expired`,
  'signIn.notRenewed': ({ server }: Server) => `The sign-in to '${server}' could not be renewed`,
  'signIn.notRenewed.hint': (named: Server) =>
    `Check the network connection, then try again; t${howToSignIn(named)} if it keeps failing`,
  'signIn.cancelled': 'The sign-in was cancelled',
  'signIn.unfinished': ({ server }: Server) => `The sign-in to '${server}' was not finished in the browser`,
  'signIn.startAgain': 'Start it again',
  'signIn.failed': ({ server, reason }: Server & { reason: string }) => `The sign-in to '${server}' failed: ${reason}`,
  'signIn.failed.hint': 'Start it again; if it keeps failing, ask the operator of the server',
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
};
