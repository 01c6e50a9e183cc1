/** Messages of the command line: wrong usage, and failures of commands. */
export interface Option {
  option: string;
}

export const commandLine = {
  'usage.noCommand': 'Name a command',
  'usage.unknownCommand': ({ command }: { command: string }) => `There is no command '${command}'`,
  'usage.unknownOption': ({ option }: Option) => `Unknown option '${option}'`,
  'usage.noValue': ({ option }: Option) => `${option} needs a value`,
  'usage.dashValue': ({ option }: Option) => `${option} needs a value; one that begins with a dash is given as ${option}=-…`,
  'usage.valueUnused': ({ option }: Option) => `${option} takes no value`,
  'usage.port': ({ port }: { port: string }) => `--port must be a number from 0 to 65535, not '${port}'`,
  'usage.rows': ({ rows }: { rows: string }) => `--rows must be a number from 0 to 1000, not '${rows}'`,
  'usage.store': ({ store }: { store: string }) => `--store takes 'file', not '${store}'`,
  'usage.notJson': ({ option, reason }: Option & { reason: string }) => `${option} must be JSON: ${reason}`,
  'usage.oneFile': ({ command, given }: { command: string; given: number }) =>
    `${command} takes one FILE${given > 1 ? '. Put a path with spaces in quotes' : ''}`,
  'usage.oneServer': ({ command }: { command: string }) => `${command} needs the name of one server`,
  'usage.oneClient': 'connect takes one CLIENT',
  'usage.noClient': 'Name the CLIENT',
  'usage.unknownClient': ({ name, known }: { name: string; known: readonly string[] }) =>
    `There is no client '${name}'; known are ${known.join(', ')}`,
  'usage.undoAlone': '--undo goes alone',
  'usage.replaceConnect': '--replace goes with connecting',
  'usage.serve': 'serve needs either --stdio or --http',
  'usage.portWithHttp': '--port goes with --http',
  'usage.practice': 'practice-server takes no option but --tables',

  'file.checkPath': 'Check the path',
  'client.unchangeable': ({ client, problem }: { client: string; problem: string }) => `${client} cannot be changed. ${problem}`,
  'client.unchangeable.hint': 'Add the entry by hand',
  'signIn.program': ({ server }: { server: string }) =>
    `Server '${server}' is a program on this machine, which has no sign-in of this kind`,
  'signIn.program.hint': 'Its credentials are environment variables in its settings',
  'signIn.header': ({ server }: { server: string }) =>
    `Server '${server}' has an Authorization header in its settings, which is used instead`,
  'signIn.header.hint': 'Remove the header to sign in',
  'window.filesMissing': ({ folder }: { folder: string }) => `The window's files are missing from '${folder}'`,
  'window.pageMissing': ({ folder }: { folder: string }) => `The window's page is missing from '${folder}'`,
  'window.missing.hint': "Run 'npm run build'",
  'console.portTaken': ({ port }: { port: number }) => `The console cannot use port ${port}`,
  'console.portTaken.hint': 'Another program has it. Name another one with --port, or leave it out',
};
