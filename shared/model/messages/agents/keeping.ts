/** Messages about failures of the ledger and of the window's requests. */
export const keeping = {
  'ours.writtenAfterEnd': ({ path }: { path: string }) => `File '${path}' was written after its end`,
  'ours.readAfterEnd': ({ path }: { path: string }) => `File '${path}' was read after it had been closed`,
  'config.version': ({ version }: { version: number }) => `version must be a whole number; version ${version} is assumed`,
  'config.advised': ({ fault, hint }: { fault: string; hint: string }) => `${fault}. ${hint}`,

  'ledger.closed': 'The ledger was written after it had been closed',
  'ledger.gone': 'This call is not in the log any more',

  'window.operation': 'The name of an operation is a text',
  'window.foreign': 'Only the window of Filebridge may ask this',
  'server.notReady': ({ server, seconds }: { server: string; seconds: number }) =>
    `Server '${server}' was not ready after ${seconds} s`,
  'server.notReady.hint': 'Try again: what it had to fetch may be there by then',
  'signIn.noLink': 'The sign-in ended without a link',
  'welcome.half': 'Name both a server and its tool, or neither',
};
