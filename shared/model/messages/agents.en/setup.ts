/** Adding servers (imported, pasted, from bundles) with their secrets, and connecting agents' apps. */

export interface Labelled {
  label: string;
}

export interface App {
  app: string;
}

export interface File {
  file: string;
}

/** Places from which the program was started and which go away. */
export type TemporaryPlace = 'diskImage' | 'translocated' | 'mount' | 'npxCache';

export interface Named {
  name: string;
}

export interface Server {
  server: string;
}

const temporaryPlaces: Readonly<Record<TemporaryPlace, string>> = {
  diskImage: 'its disk image',
  translocated: 'a copy that macOS makes of downloaded apps',
  mount: 'a temporary mount',
  npxCache: 'a cache of npx, pnpm or bunx, and its tarball is gone',
};

const moveApp = 'Move Filebridge to the Applications folder, open it from there';
const lastingPlaces: Readonly<Record<TemporaryPlace, string>> = {
  diskImage: moveApp,
  translocated: moveApp,
  mount: 'Keep the AppImage in a folder of your own, start it from there',
  npxCache: 'Keep the tarball in a folder of your own, run it from there',
};

type Placeholder = Server & Named & { placeholder: string; kind: string };

const unfilled = ({ server, placeholder, kind, name }: Placeholder) =>
  `Server '${server}' needs in ${kind === name ? kind : `${kind} '${name}'`} a value for ${placeholder}`;

export const setup = {
  'servers.fixed': 'The servers were named on the command line and cannot be changed here',
  'servers.fixed.hint': 'Change the file given with --upstreams, or start Filebridge without it',
  'servers.unknown': ({ server }: Server) => `There is no server '${server}'`,
  'servers.unknown.hint': 'It may have been renamed or removed meanwhile',
  'servers.taken': ({ server }: Server) => `There is a server '${server}' already`,
  'servers.taken.hint': 'Choose another name',
  'servers.toolsChanged': ({ server }: Server) => `The tools of '${server}' have changed again`,
  'servers.toolsChanged.hint': 'Look at the changes again',

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
  'entry.notProxy': 'The proxy is not the address of one',
  'entry.notProxy.hint': 'It begins with http://, https:// or socks5://; direct stands for none',
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
  'import.foreign': ({ reference }: { reference: string }) =>
    `it refers to '${reference}', which only the app it comes from can fill in`,

  'secret.variable': ({ server, variable, kind, name }: Server & Named & { variable: string; kind: string }) =>
    `Server '${server}' needs the environment variable ${variable} for ${kind} '${name}', and it is not set`,
  'secret.variable.hint': ({ variable }: { variable: string }) =>
    `Set ${variable} before starting Filebridge, or enter the value in its settings`,
  'placeholder.workspace': (at: Placeholder) => `${unfilled(at)}: Filebridge was not started in a project`,
  'placeholder.asked': (at: Placeholder) => `${unfilled(at)}, which the app it comes from asks for`,
  'placeholder.foreign': (at: Placeholder) => `${unfilled(at)}, which only the app it comes from knows`,
  'placeholder.hint': 'Write the value, or ${NAME} of an environment variable, in its place',
  'placeholder.address': ({ server }: Server) => `The address of server '${server}', its placeholders filled, is no address`,
  'placeholder.address.hint': 'Set the variables in it so that it begins with http:// or https://',
  'placeholder.envFile': ({ server, file }: Server & { file: string }) =>
    `Server '${server}' has its variables in the file '${file}', which cannot be read`,
  'placeholder.envFile.hint': 'Check the path, or take the file out of the settings of the server',
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

  'pasted.none': 'The pasted text has no servers in it',
  'pasted.invalid': ({ format, fault }: { format: string; fault: string }) => `The pasted text is not valid ${format}: ${fault}`,
  'pasted.hint':
    'Paste what the server\'s instructions give: its command, its address, an install link, or a block such as { "mcpServers": { … } }',
  'pasted.empty': 'Nothing was pasted',
  'pasted.unknown': 'The pasted text is not understood',
  'pasted.tooLong': 'The pasted text is longer than settings ever are',
  'pasted.tooLong.hint': 'Paste only the part with the server',
  'pasted.tooMany': ({ most }: { most: number }) => `The pasted text has more than ${most} servers in it`,
  'pasted.deep': 'The pasted text is nested too deeply',
  'pasted.openQuote': 'A quotation mark in the pasted line is not closed',
  'pasted.openQuote.hint': 'Copy the whole line',
  'pasted.shell': ({ part }: { part: string }) => `The pasted line needs a shell: it has '${part}' in it`,
  'pasted.shell.hint': 'Paste only the command that starts the server, with its arguments',
  'pasted.installs': 'The pasted line installs a server, and does not start one',
  'pasted.installs.hint': 'Run it in a terminal first, then paste the command that starts the server',
  'pasted.otherApp': 'The pasted line changes the settings of another app, and does not say how the server starts',
  'pasted.otherApp.hint': "Paste the server's own command or address, which its instructions give as well",
  'pasted.page': ({ host }: { host: string }) => `This address is a page of ${host} about a server, not the server itself`,
  'pasted.page.hint': 'Open the page, and copy the command or the address that it gives',
  'pasted.link': 'The install link is damaged',
  'pasted.link.hint': 'Copy it again: right-click the button, and copy its link',
  'pasted.download': 'This is an address where the bundle of a server can be downloaded',
  'pasted.download.hint': 'Download the file, and drop it on this window',
  'pasted.serverJson': ({ place }: { place: string }) => `The description of the server is not valid at '${place}'`,
  'pasted.serverJson.hint': 'It must follow the schema of server.json, version 2025-12-11',

  'bundle.unreadable': ({ path }: { path: string }) => `The file '${path}' does not exist or is not readable`,
  'bundle.unreadable.hint': 'Check the path',
  'bundle.relative': 'The path of the bundle is not a full path',
  'bundle.relative.hint': 'Drop the file on the window, or give its path from the root of the disk',
  'bundle.damaged': ({ reason }: { reason: string }) => `The bundle is damaged: ${reason}`,
  'bundle.damaged.hint': 'Download it again, or ask the people who made it',
  'bundle.notFile': 'it is not a file',
  'bundle.badManifest': ({ problem }: { problem: string }) => `its manifest.json is not valid JSON: ${problem}`,
  'bundle.twice': ({ name }: { name: string }) => `two of its files are called '${name}'`,
  'bundle.noManifest': 'The file is not a bundle of an MCP server: it has no manifest.json',
  'bundle.manifest': ({ place }: { place: string }) => `The manifest of the bundle is not valid at '${place}'`,
  'bundle.tooLarge': 'The bundle is larger than bundles may be',
  'bundle.tooLarge.hint': 'Install the server in another way',
  'bundle.escapes': 'The bundle has files that would be unpacked outside its folder',
  'bundle.changed': 'The bundle has changed since it was shown',
  'bundle.changed.hint': 'Look at what it would run now, and add it again',
  'bundle.platform': 'The bundle is not made for this system',
  'bundle.platform.hint': 'Look for one that is, or install the server in another way',

  'offer.missing': ({ server, label }: Labelled & { server: string }) => `The server '${server}' needs a value for '${label}'`,
  'offer.missing.hint': 'Enter its value',
  'offer.option': ({ server, names }: { server: string; names: readonly string[] }) =>
    `The server '${server}' needs a value for ${names.map((name) => `'${name}'`).join(', ')}`,
  'offer.option.hint': ({ name }: Named) => `Give each with --env, such as --env ${name}=VALUE`,
  'offer.optionSecret.hint': ({ name, variable }: Named & { variable: string }) =>
    `Only the desktop app keeps secrets. Here, set the environment variable ${variable} and give --env ${name}='\${${variable}}'`,
  'offer.single': ({ label }: Labelled) => `'${label}' takes one value`,
  'offer.number': ({ label }: Labelled) => `'${label}' is a number`,
  'offer.choice': ({ label, choices }: Labelled & { choices: readonly string[] }) =>
    `'${label}' takes one of: ${choices.join(', ')}`,
  'offer.transport': ({ type }: { type: string }) => `Servers that are reached by '${type}' are not supported`,
  'offer.otherWay': 'Choose another way to run it, if it has one',
  'offer.listens': ({ server }: { server: string }) => `'${server}' waits for connections, and must be started before`,
  'offer.package': ({ type }: { type: string }) => `Packages of the kind '${type}' are not supported`,
  'offer.gone': 'The pasted text or file has changed since it was shown',
  'offer.gone.hint': 'Look at what it would run now, and add it again',

  'catalogue.noLink': 'The catalogue has no page for this value',

  'agent.unknown': ({ id }: { id: string }) => `There is no agent '${id}'`,
  'agent.unknown.hint': ({ ids }: { ids: readonly string[] }) => `Known are ${ids.join(', ')}`,
  'agent.absent': ({ app }: App) => `${app} was not found on this computer`,
  'agent.absent.hint': ({ file }: File) => `Its settings would be in '${file}'. Start it once, and try again`,
  'agent.noLink': ({ app }: App) => `${app} has no link of this kind`,
  'agent.linkInApp': 'Links can only be opened by the desktop app',
  'agent.link.hint': 'Use Connect instead',
  'agent.otherLink': 'Filebridge does not open links of this kind',
  'agent.otherLink.hint': 'Only https links and links of known apps are opened',
  'agent.leftAlone': ({ app, reason }: App & { reason: string }) => `The settings of ${app} are left alone: ${reason}`,
  'agent.leftAlone.hint': ({ file }: File) => `Fix '${file}', or add the entry by hand`,
  'agent.unsafe': ({ app }: App) => `The settings of ${app} are written in a way that cannot be changed safely`,
  'agent.unsafe.hint': ({ file }: File) => `Change the entry in '${file}' by hand`,
  'agent.problemLeft': ({ reason }: { reason: string }) => `Its configuration is left alone: ${reason}`,
  'agent.problemLocked': ({ reason }: { reason: string }) => `Its configuration cannot be changed: ${reason}`,
  'agent.taken': ({ app, name }: App & { name: string }) => `${app} has an entry '${name}' that starts another program`,
  'agent.taken.hint': "Nothing was changed. '--replace' puts Filebridge in its place, after a backup; '--print' shows the change",
  'agent.temporary': ({ place }: { place: TemporaryPlace }) =>
    `Filebridge runs from ${temporaryPlaces[place]}, so no app can start it from there later`,
  'agent.temporary.hint': ({ place }: { place: TemporaryPlace }) =>
    `Nothing was changed. ${lastingPlaces[place]}, and connect again`,
  'agent.noBackup': ({ file }: File) => `There is no backup of '${file}'`,
  'agent.noBackup.hint': 'Filebridge has not changed it',
  'agent.changedSince': ({ file }: File) => `'${file}' was changed by another program after Filebridge, which an undo would lose`,
  'agent.changedSince.hint': ({ backup }: { backup: string }) =>
    `Disconnect takes out Filebridge's entry alone; the copy from before is '${backup}'`,
  'agent.changedNow': ({ file }: File) => `'${file}' was changed by another program at the same moment`,
  'agent.changedNow.hint': 'Try again',
  'agent.connectFirst': ({ app }: App) => `${app} is not connected to Filebridge, and would lose these servers`,
  'agent.connectFirst.hint': 'Connect it first. Nothing was changed',
  'agent.changedSinceShown': ({ file }: File) => `'${file}' or the servers here were changed after the difference was shown`,
  'agent.changedSinceShown.hint': 'Nothing was changed. Look at the new difference, and decide again',
  'agent.nothingTaken': ({ app }: App) => `Filebridge has no servers to put back into the settings of ${app}`,
  'agent.backupGone': ({ backup }: { backup: string }) => `The copy from before, '${backup}', is gone or cannot be read`,
  'agent.backupGone.hint': 'Nothing was changed. Add the servers in the app itself',
  'agent.nameTaken': ({ app, names }: App & { names: readonly string[] }) =>
    `The settings of ${app} were changed since: other entries are called ${names.map((name) => `'${name}'`).join(', ')} now`,
  'agent.nameTaken.hint': ({ backup }: { backup: string }) =>
    `Nothing was changed. Rename or remove those entries there, and try again; the copy from before is '${backup}'`,

  'agentEntry.other': ({ name }: { name: string }) =>
    `It has an entry '${name}' that does not start Filebridge. Connecting asks before it replaces it`,
  'agentEntry.off': ({ name }: { name: string }) => `Its entry '${name}' is switched off. Connecting switches it on`,
  'agentEntry.gone': ({ name, file }: File & { name: string }) =>
    `Its entry '${name}' starts '${file}', which is no longer there. Connecting renews it`,

  'agentFile.notFile': 'it is not a file',
  'agentFile.large': ({ megabytes }: { megabytes: number }) => `it has ${megabytes} MB, which is more than settings ever have`,
  'agentFile.notText': 'it is not UTF-8 text',
  'agentFile.link': 'it is a link to a file that is not there',
  'agentFile.denied': 'permission to read it was denied',
  'agentFile.readOnly': 'it is read-only',
  'agentFile.notWritable': 'this user may not write it',
  'agentFile.kind': ({ kind }: { kind: string }) => `it holds ${kind} instead of an object`,
  'agentFile.kindAt': ({ place, kind }: { place: string; kind: string }) => `'${place}' holds ${kind} instead of an object`,

  'agentNote.quit': ({ app }: App) => `Quit ${app} completely and open it again.`,
  'agentNote.session': ({ app }: App) => `Start a new session of ${app}.`,
  'agentNote.restart': ({ app }: App) => `Restart ${app}.`,
  'agentNote.trust': ({ app }: App) => `Restart ${app}. It asks once whether you trust the server.`,
  'agentNote.anew': ({ app }: App) => `Start ${app} anew.`,
  'agentNote.atOnce': ({ app }: App) => `${app} takes it over at once.`,
  'agentNote.chat': 'Switch Filebridge on in the chat where you want it.',
};
