/** Settings of servers: entered in the window, imported from agents' apps and pasted text, read from files; their secrets. */
export interface Server {
  server: string;
}
export interface Named {
  name: string;
}

export const serverSettings = {
  'entry.noCommand': 'The server has no command',
  'entry.noCommand.hint': 'Give the program that starts it, such as npx',
  'entry.nulInCommand': 'The command contains a NUL character',
  'entry.nulInCommand.hint': 'Leave it out',
  'entry.folder': ({ folder }: { folder: string }) => `The working folder '${folder}' is not a full path`,
  'entry.folder.hint': 'Begin it at the root of the disk, or leave it empty',
  'entry.noAddress': 'The server has no address',
  'entry.noAddress.hint': 'Enter its URL',
  'entry.notUrl': 'The URL is not the address of a server',
  'entry.notUrl.hint': 'It begins with https:// or http://',
  'entry.twice': ({ kind, name }: Named & { kind: 'variable' | 'header' }) => `The ${kind} '${name}' is there twice`,
  'entry.twice.hint': 'Keep one of them',
  'entry.badName': ({ kind, name }: Named & { kind: 'variable' | 'header' }) => `'${name}' cannot be the name of a ${kind}`,
  'entry.badName.hint': 'Use letters, digits, dashes and underscores',
  'entry.byNumber': ({ name }: Named) => `'${name}' refers to a stored secret by its number`,
  'entry.byNumber.hint': 'Enter the value itself',
  'entry.unsendable': ({ name }: Named) => `The value of '${name}' contains characters that cannot be sent`,
  'entry.unsendable.hint': 'Copy it again, in one line',
  'entry.otherTarget': ({ name, kind }: Named & { kind: 'command' | 'address' }) =>
    `The value of '${name}' was entered for another ${kind}`,
  'entry.otherVariable': ({ name, variable }: Named & { variable: string }) =>
    `The value of '${name}' was entered before '${variable}' was set as it is now`,
  'entry.otherTarget.hint': 'Enter it again if this one should have it',
  'entry.noValue': ({ name }: Named) => `No value is stored for '${name}'`,
  'entry.noValue.hint': 'Enter its value',

  'servers.fixed': 'The servers were named on the command line and cannot be changed here',
  'servers.fixed.hint': 'Change the file given with --upstreams, or start Filebridge without it',
  'servers.unknown': ({ server }: Server) => `There is no server '${server}'`,
  'servers.unknown.hint': 'It may have been renamed or removed meanwhile',
  'servers.taken': ({ server }: Server) => `There is a server '${server}' already`,
  'servers.taken.hint': 'Choose another name',
  'servers.toolsChanged': ({ server }: Server) => `The tools of '${server}' have changed again`,
  'servers.toolsChanged.hint': 'Look at the changes again',

  'import.changed': ({ server }: Server) => `The server '${server}' has changed since it was shown`,
  'import.changed.hint': 'Look at what it would run now, and import it again',
  'import.gone': ({ server }: Server) => `The server '${server}' is no longer there`,
  'import.gone.hint': 'Look for servers again',
  'import.itself': 'This is Filebridge itself, which would call itself',
  'import.itself.hint': 'Leave it out',
  'import.noServer': ({ name }: Named) => `'${name}' is not a server: it has neither 'command' nor 'url'`,
  'import.noServer.hint': 'Correct its entry',
  'import.unreadable': ({ server }: Server) => `The server '${server}' cannot be read`,
  'import.there': ({ server, as }: Server & { as: string }) => `The server '${server}' is there already, as '${as}'`,
  'import.secrets': ({ server, secrets, reason }: Server & { secrets: readonly string[]; reason: string }) =>
    `The server '${server}' has secrets (${secrets.join(', ')}) that cannot be kept here: ${reason}`,
  'import.secrets.hint': 'Set environment variables and write ${NAME} in place of the values, or import it in the Filebridge app',
  'import.refused': ({ server, reason }: Server & { reason: string }) => `The server '${server}' cannot be taken over: ${reason}`,
  'import.refused.hint': 'Add it by hand with the value, or set an environment variable and write ${NAME} in its place',
  'import.envFile': ({ file }: { file: string }) => `its environment is in the file '${file}', which is not read`,
  'import.foreign': ({ reference }: { reference: string }) =>
    `it refers to '${reference}', which only the app it comes from can fill in`,
  'import.notFilled': ({ place, reference }: { place: 'address' | 'command line' | 'working folder'; reference: string }) =>
    `its ${place} refers to '${reference}', and Filebridge fills in variables and headers only`,

  'serversFile.invalid': ({ file, fault }: { file: string; fault: string }) =>
    `The servers file '${file}' is not valid: ${fault}`,
  'serversFile.unreadable': 'it does not exist or is not readable',
  'serversFile.unreadable.hint': 'Check the path',
  'serversFile.correct': 'Correct the file',
  'serversFile.noBlock': "it has no block 'mcpServers', 'mcp_servers' or 'servers'",
  'serversFile.noBlock.hint': 'Name a file with such a block',
  'serversFile.name': ({ name, fault }: Named & { fault: string }) => `server name '${name}': ${fault}`,
  'serversFile.name.hint': 'Rename it',
  'serversFile.notObject': ({ server }: Server) => `server '${server}' is not an object`,
  'serversFile.entry': ({ server, fault }: Server & { fault: string }) => `server '${server}': ${fault}`,
  'serversFile.correctPlace': ({ place }: { place: string }) => `Correct ${place}`,
  'serversFile.correctEntry': ({ name }: Named) => `Correct the entry '${name}'`,
  'serversFile.neither': "it has neither 'command' nor 'url'",
  'serversFile.type': ({ type }: { type: string }) => `type: '${type}' is not one of stdio, http, streamable-http, sse`,

  'secret.variable': ({ server, variable, kind, name }: Server & Named & { variable: string; kind: string }) =>
    `Server '${server}' needs the environment variable ${variable} for ${kind} '${name}', and it is not set`,
  'secret.variable.hint': ({ variable }: { variable: string }) =>
    `Set ${variable} before starting Filebridge, or enter the value in its settings`,
  'secret.stored': ({ server, kind, name, reason }: Server & Named & { kind: string; reason: string }) =>
    `Server '${server}' needs the stored secret for ${kind} '${name}'. ${reason}`,
  'secret.again.hint': 'Enter the secret again',
  'secret.keepsNone': 'this program keeps none',
  'secret.desktopOnly': 'Secrets are kept in the system keychain, which only the desktop app can use',
  'secret.noKeyring':
    'This desktop has no keyring that is open. Install GNOME Keyring or KWallet, log in again, and start Filebridge anew',
  'secret.macKeychain': 'The macOS keychain did not let Filebridge in. Unlock it and allow Filebridge to use it',
  'secret.windowsKey': 'Windows did not give Filebridge its key for this user. Log in again',
  'secret.notHere': ({ reason }: { reason: string }) => `A secret cannot be kept or read here: ${reason}`,
  'secret.notHere.hint': 'Open the Filebridge app, or refer to an environment variable as ${NAME}',
  'secret.unreadable': ({ reason }: { reason: string }) => `A secret cannot be kept or read: ${reason}`,
  'secret.unreadable.hint': 'Unlock the keychain, or enter the secret again',
  'secret.fileInvalid': ({ file }: { file: string }) => `the file '${file}' is not valid`,
  'secret.fileUnreadable': ({ file }: { file: string }) => `the file '${file}' cannot be read`,
  'secret.notStored': 'it is not stored on this computer',
  'secret.notSealed': 'the system keychain refused to seal it',
  'secret.otherUser': 'it was sealed by another user or computer, or the keychain is locked',
  'secret.otherTarget': 'It was stored for another command or address',
  'secret.otherTarget.hint': 'Enter the secret again if this server should have it',
  'secret.targets': ({ file }: { file: string }) => `The file '${file}', which says where secrets may go, is not valid`,
  'secret.targets.hint': 'Delete it and enter the secrets again',
};
