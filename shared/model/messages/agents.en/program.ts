/** The program itself: configuration, problems, command line, window. */

export interface Option {
  option: string;
}

export interface WrongValue extends Wrong {
  found: string;
  expected: string;
}

export interface Wrong {
  key: string;
}

export interface MissingValue extends Wrong {
  expected: string;
}

export interface Bound {
  bound: 'atLeast' | 'moreThan' | 'atMost';
  limit: string;
}

export interface WrongKey extends Wrong {
  reason: string;
}

const effects = {
  disabled: 'is disabled',
  ignored: 'is ignored',
  default: 'is not valid, and a default is used instead',
};

const bounds = { atLeast: 'at least', moreThan: 'more than', atMost: 'at most' };

const also = (near: unknown): string => (near === null ? '' : `. ${near}`);

export const program = {
  'config.unreadable': ({ path }: { path: string }) => `The configuration '${path}' cannot be read`,
  'config.unreadable.hint': 'Check that it is a file and that you may read it',
  'config.notKept': ({ path }: { path: string }) => `The configuration '${path}' is broken and could not be kept aside`,
  'config.notKept.hint': 'Repair it or move it away; nothing was changed',
  'config.version': ({ version }: { version: number }) => `version must be a whole number; version ${version} is assumed`,
  'config.advised': ({ fault, hint }: { fault: string; hint: string }) => `${fault}. ${hint}`,
  'config.setAside': ({ aside, fault }: { aside: string; fault: string }) =>
    `The configuration was not valid; it is kept as '${aside}', and defaults are used: ${fault}`,
  'config.setAside.hint': 'Correct that file and let Filebridge read it again, or begin anew',
  'config.validNow': 'it is valid now',
  'config.edited': ({ fault }: { fault: string }) => `The edited configuration is not valid and was not taken over: ${fault}`,
  'config.edited.hint': 'What was in force before stays so. Correct the file, or let Filebridge write over it what is in force',
  'config.defaults': ({ file, fault }: { file: string; fault: string }) =>
    `The configuration '${file}' is not valid, and defaults are used: ${fault}`,
  'config.correct': 'Correct the file',
  'config.entry': ({ entry, effect, fault }: { entry: string; effect: 'disabled' | 'ignored' | 'default'; fault: string }) =>
    `'${entry}' in the configuration ${effects[effect]}: ${fault}`,
  'config.entry.hint': ({ file }: { file: string }) =>
    `Correct it in '${file}'. It stays there as it is, and everything else is in force`,
  'config.moreEntries': ({ entries }: { entries: number }) => `${entries} more entries of the configuration are not valid`,
  'config.moreEntries.hint': ({ file }: { file: string }) => `Correct them in '${file}'`,
  'config.unwatched': ({ fault }: { fault: string }) => `Edits of the configuration by other programs are not noticed: ${fault}`,
  'config.unwatched.hint': 'After such an edit, let Filebridge read the file again',
  'config.invalid': ({ file, fault }: { file: string; fault: string }) => `The configuration '${file}' is not valid: ${fault}`,
  'config.checkFolder': 'Check the folder and its permissions',
  'config.unchanged': ({ fault }: { fault: string }) => `${fault}. Nothing was changed`,
  'config.hiddenServer': ({ server }: { server: string }) =>
    `it has a server '${server}' already, which is disabled because of a fault`,

  'setting.several': ({ first, then }: { first: string; then: string }) => `${first}; ${then}`,
  'setting.more': ({ more }: { more: number }) => `and ${more} more`,
  'setting.wrong': ({ key, found, expected }: WrongValue) => `${key} is ${found}, but must be ${expected}`,
  'setting.missing': ({ key, expected }: MissingValue) => `${key} is missing; it must be ${expected}`,
  'setting.noForm': ({ key }: { key: string }) => `${key} fits none of its possible forms`,
  'setting.empty': ({ key }: { key: string }) => `${key} is empty`,
  'setting.bound': ({ bound, limit }: Bound) => `${bounds[bound]} ${limit}`,
  'setting.oneOf': ({ values }: { values: readonly string[] }) =>
    values.length < 2 ? (values[0] ?? 'nothing') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  'setting.unknown': ({ keys, known }: { keys: readonly string[]; known: readonly string[] }) =>
    `${keys.join(', ')} ${keys.length === 1 ? 'is no setting' : 'are no settings'}${known.length === 0 ? '' : ` (known here: ${known.join(', ')})`}`,
  'setting.name': ({ key, reason }: WrongKey) => `${key} is no possible name: ${reason}`,
  'setting.nameCharacters': 'other characters are needed',
  'setting.url': ({ key }: { key: string }) => `${key} must be an address such as https://example.com/mcp`,
  'setting.other': ({ key, reason }: WrongKey) => `${key}: ${reason}`,
  'setting.kind.string': 'a text in quotes',
  'setting.kind.number': 'a number',
  'setting.kind.int': 'a whole number',
  'setting.kind.boolean': 'true or false',
  'setting.kind.list': 'a list [ … ]',
  'setting.kind.group': 'a group { … }',

  'settings.login': 'Starting at login is set in the desktop app',
  'settings.login.hint': 'Install the desktop app, or use what your system offers for starting programs',
  'settings.noToken': ({ client }: { client: string }) => `There is no token for '${client}'`,
  'settings.answers': ({ folder, reason }: { folder: string; reason: string }) =>
    `'${folder}' cannot keep stored answers: ${reason}`,
  'settings.answers.hint': 'Choose another folder',
  'settings.answers.notFull': 'it is not a full path',
  'settings.answers.notFolder': 'it is not a folder',
  'settings.answers.notMade': 'it is not there and cannot be made',
  'settings.answers.notWritable': 'nothing may be written there',

  'allow.denied': ({ folder }: { folder: string }) => `The system does not let you use '${folder}'`,
  'allow.denied.hint': 'Check its permissions, or choose another folder',
  'allow.noFolder': ({ folder }: { folder: string }) => `There is no folder '${folder}'`,
  'allow.noFolder.hint': 'Check the name, or create the folder first',
  'allow.notFolder': ({ folder }: { folder: string }) => `'${folder}' is not a folder`,
  'allow.notFolder.hint': 'Choose the folder it is in',
  'allow.own': ({ folder }: { folder: string }) => `'${folder}' belongs to Filebridge itself`,
  'allow.own.hint': 'Its settings and secrets stay closed to agents; choose another folder',
  'allow.wholeDisk': ({ folder }: { folder: string }) => `'${folder}' is the whole disk`,
  'allow.wholeDisk.hint': 'Choose the folder with the files that agents need',
  'allow.allUsers': ({ folder }: { folder: string }) => `'${folder}' holds the folders of all users`,
  'allow.allUsers.hint': 'Choose a folder of yours',
  'allow.system': ({ folder }: { folder: string }) => `'${folder}' belongs to the system`,
  'allow.system.hint': 'Choose a folder with files of yours',
  'allow.wholeHome': 'That is your whole home folder',
  'allow.insideSystem': ({ folder }: { folder: string }) => `'${folder}' is a folder of the system`,
  'allow.asksFirst.hint':
    'Agents could read everything in it but known passwords and keys. Choose a folder with files of yours, or add it on the Folders page, which asks first',
  'allow.notThis': ({ path }: { path: string }) => `'${path}' is no file that can be allowed by itself`,
  'allow.homeWritten': 'Your whole home folder can be allowed for reading only',
  'allow.homeWritten.hint': 'Files in it start programs when you sign in. Choose a folder inside it to let agents write',
  'allow.already': ({ folder, holding }: { folder: string; holding: string }) =>
    `'${folder}' is allowed already, as part of '${holding}'`,
  'allow.already.hint': 'There is nothing to add; it can be listed apart to give it another access',
  'allow.notListed': ({ folder }: { folder: string }) => `'${folder}' is not among the allowed folders`,
  'allow.notListed.hint': 'It may have been removed already',
  'allow.fixed': 'The folders were named on the command line and cannot be changed here',
  'allow.fixed.hint': 'Start Filebridge without folders on its command line to choose them here',
  'allow.nothingThere': ({ path }: { path: string }) => `There is nothing at '${path}' any more`,
  'allow.nothingThere.hint': 'It may have been moved or deleted',

  'answers.refused': ({ folder, reason }: { folder: string; reason: string }) =>
    `Answers cannot be stored in '${folder}': ${reason}`,
  'answers.refused.hint': 'They go to the usual place meanwhile. Choose another folder for them in the settings',

  'problem.gone': 'This problem is gone already',
  'problem.gone.hint': 'Nothing needs to be done',
  'problem.otherRemedy': ({ remedy }: { remedy: string }) => `'${remedy}' does not fix this problem`,
  'problem.onPage': ({ remedy }: { remedy: string }) => `'${remedy}' is done on its page`,

  'port.inUse': ({ port, host }: { port: number; host: string }) => `Port ${port} is already in use on ${host}`,
  'port.notAllowed': ({ port, host }: { port: number; host: string }) => `Port ${port} may not be used on ${host}`,
  'port.closed': ({ port, host, reason }: { port: number; host: string; reason: string }) =>
    `Port ${port} cannot be opened (${reason}) on ${host}`,
  'port.hint': 'Filebridge may be running already. Otherwise choose another port with --port',
  'port.unreachable': 'Agents that connect by address cannot reach Filebridge, which may be running twice',

  'ledger.closed': 'The ledger was written after it had been closed',
  'ledger.gone': 'This call is not in the log any more',

  'usage.noCommand': 'Name a command',
  'usage.unknownCommand': ({ command, near }: { command: string; near: unknown }) =>
    `There is no command '${command}'${also(near)}`,
  'usage.unknownOption': ({ option, near }: Option & { near: unknown }) => `Unknown option '${option}'${also(near)}`,
  'usage.transformStep': ({ option, instead }: Option & { instead: string }) =>
    `Unknown option '${option}': it is a step of a transform. Give ${instead}`,
  'usage.noValue': ({ option }: Option) => `${option} needs a value`,
  'usage.dashValue': ({ option }: Option) => `${option} needs a value; one that begins with a dash is given as ${option}=-…`,
  'usage.valueUnused': ({ option }: Option) => `${option} takes no value`,
  'usage.port': ({ port }: { port: string }) => `--port must be a number from 0 to 65535, not '${port}'`,
  'usage.rows': ({ rows }: { rows: string }) => `--rows must be a number from 0 to 1000, not '${rows}'`,
  'usage.store': ({ store }: { store: string }) => `--store takes 'file', not '${store}'`,
  'usage.clientSecret': '--client-secret-env needs --client-id',
  'usage.clientSecretUnset': ({ variable }: { variable: string }) =>
    `--client-secret-env names the environment variable ${variable}, which is not set`,
  'usage.notJson': ({ option, reason }: Option & { reason: string }) => `${option} must be JSON: ${reason}`,
  'usage.oneFile': ({ command, given }: { command: string; given: number }) =>
    `${command} takes one FILE${given > 1 ? '. Put a path with spaces in quotes' : ''}`,
  'usage.oneFolder': ({ command }: { command: string }) => `${command} takes one DIR`,
  'usage.noArguments': ({ command }: { command: string }) => `${command} takes no argument`,
  'usage.serverText': 'add-server needs a command, an address, --file FILE, or one of these on standard input',
  'usage.oneServerText': 'add-server takes either a command or --file',
  'usage.env': '--env takes NAME=VALUE',
  'usage.serverQuotes': ({ fault }: { fault: string }) => `${fault}. Put the command in quotes, or -- before it`,
  'usage.nameTaken': ({ name, given }: { name: string; given: string }) =>
    `There is a server '${name}' already; 'filebridge remove-server ${name}${given}' removes it`,
  'usage.oneName': ({ servers }: { servers: readonly string[] }) =>
    `--name and --env go with one server, and there are several: ${servers.join(', ')}`,
  'usage.oneServer': ({ command }: { command: string }) => `${command} needs the name of one server`,
  'usage.foldersConnect': 'DIR goes with connecting',
  'usage.entryKept': ({ fault }: { fault: string }) =>
    `What the entry has cannot be kept: ${fault}. Take it out with --disconnect, and connect again`,
  'usage.noClient': 'Name the CLIENT',
  'usage.unknownClient': ({ name, known, near }: { name: string; known: readonly string[]; near: unknown }) =>
    `There is no client '${name}'${near === null ? `; known are ${known.join(', ')}` : also(near)}`,
  'usage.undoAlone': '--undo goes alone',
  'usage.replaceConnect': '--replace goes with connecting',
  'usage.serve': 'serve needs either --stdio or --http',
  'usage.portWithHttp': '--port goes with --http',

  'console.portTaken': ({ port }: { port: number }) => `The console cannot use port ${port}`,
  'console.portTaken.hint': 'Another program has it. Name another one with --port, or leave it out',

  'client.unchangeable': ({ client, problem }: { client: string; problem: string }) => `${client} cannot be changed. ${problem}`,
  'client.unchangeable.hint': 'Add the entry by hand',

  'window.filesMissing': ({ folder }: { folder: string }) => `The window's files are missing from '${folder}'`,
  'window.pageMissing': ({ folder }: { folder: string }) => `The window's page is missing from '${folder}'`,
  'window.missing.hint': "Run 'npm run build'",
  'window.operation': 'The name of an operation is a text',
  'window.foreign': 'Only the window of Filebridge may ask this',

  'welcome.half': 'Name both a server and its tool, or neither',

  'host.silent': 'Filebridge does not answer',
  'host.silent.hint': 'It may have been stopped',
  'host.noDialog': 'Filebridge cannot open a dialog from here',
  'host.noOpening': 'Filebridge cannot open a file in its app from here',
  'host.notOpened': ({ path }: { path: string }) => `'${path}' is of no format that Filebridge reads, and is not opened`,
  'host.noFileManager': 'Filebridge cannot show a file manager from here',
  'host.browser.hint': 'This page runs in a browser; the desktop app can do it',
};
