/** Messages about problems of the environment: configuration, port, folders, servers. */
export const problems = {
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

  'port.inUse': ({ port, host }: { port: number; host: string }) => `Port ${port} is already in use on ${host}`,
  'port.notAllowed': ({ port, host }: { port: number; host: string }) => `Port ${port} may not be used on ${host}`,
  'port.closed': ({ port, host, reason }: { port: number; host: string; reason: string }) =>
    `Port ${port} cannot be opened (${reason}) on ${host}`,
  'port.hint': 'Filebridge may be running already. Otherwise choose another port with --port',
  'port.unreachable': 'Agents that connect by address cannot reach Filebridge, which may be running twice',

  'answers.refused': ({ folder, reason }: { folder: string; reason: string }) =>
    `Answers cannot be stored in '${folder}': ${reason}`,
  'answers.refused.hint': 'They go to the usual place meanwhile. Choose another folder for them in the settings',

  'folder.missing': ({ folder }: { folder: string }) => `The folder '${folder}' is not there`,
  'folder.missing.hint': 'It may be on a drive that is not connected. Agents get nothing from it',
  'folder.notCreated': ({ folder }: { folder: string }) => `The folder '${folder}' could not be created`,
  'folder.notCreated.hint': 'Create it yourself, or take it off the list',

  'server.failing': ({ server }: { server: string }) => `The server '${server}' does not work`,
  'server.failing.hint': ({ error, hint }: { error: string; hint: string | null }) =>
    hint === null ? error : `${error}. ${hint}`,

  'problem.gone': 'This problem is gone already',
  'problem.gone.hint': 'Nothing needs to be done',
  'problem.otherRemedy': ({ remedy }: { remedy: string }) => `'${remedy}' does not fix this problem`,
  'problem.onPage': ({ remedy }: { remedy: string }) => `'${remedy}' is done on its page`,
};

const effects = {
  disabled: 'is disabled',
  ignored: 'is ignored',
  default: 'is not valid, and a default is used instead',
};
