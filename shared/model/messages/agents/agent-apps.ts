/** Agents' apps: their settings, and connecting Filebridge to them. */
export interface App {
  app: string;
}
export interface File {
  file: string;
}

/** Places from which the program was started and which go away. */
export type TemporaryPlace = 'diskImage' | 'translocated' | 'mount';
const temporaryPlaces: Readonly<Record<TemporaryPlace, string>> = {
  diskImage: 'its disk image',
  translocated: 'a copy that macOS makes of downloaded apps',
  mount: 'a temporary mount',
};

export const agentApps = {
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
    `Filebridge runs from ${temporaryPlaces[place]}, which goes away, so no app can start it from there`,
  'agent.temporary.hint': ({ place }: { place: TemporaryPlace }) =>
    place === 'mount'
      ? 'Nothing was changed. Keep the AppImage in a folder of your own, start it from there, and connect again'
      : 'Nothing was changed. Move Filebridge to the Applications folder, open it from there, and connect again',
  'agent.noBackup': ({ file }: File) => `There is no backup of '${file}'`,
  'agent.noBackup.hint': 'Filebridge has not changed it',
  'agent.changedSince': ({ file }: File) => `'${file}' was changed by another program after Filebridge, which an undo would lose`,
  'agent.changedSince.hint': ({ backup }: { backup: string }) =>
    `Disconnect takes out Filebridge's entry alone; the copy from before is '${backup}'`,
  'agent.changedNow': ({ file }: File) => `'${file}' was changed by another program at the same moment`,
  'agent.changedNow.hint': 'Try again',

  'agentFile.notFile': 'it is not a file',
  'agentFile.large': ({ megabytes }: { megabytes: number }) => `it has ${megabytes} MB, which is more than settings ever have`,
  'agentFile.notText': 'it is not UTF-8 text',
  'agentFile.link': 'it is a link to a file that is not there',
  'agentFile.denied': 'permission to read it was denied',
  'agentFile.readOnly': 'it is read-only',
  'agentFile.notWritable': 'this user may not write it',
  'agentFile.kind': ({ kind }: { kind: string }) => `it holds ${kind} instead of an object`,
  'agentFile.kindAt': ({ place, kind }: { place: string; kind: string }) => `'${place}' holds ${kind} instead of an object`,

  'agentEntry.other': ({ name }: { name: string }) =>
    `It has an entry '${name}' that does not start Filebridge. Connecting asks before it replaces it`,
  'agentEntry.off': ({ name }: { name: string }) => `Its entry '${name}' is switched off. Connecting switches it on`,
  'agentEntry.gone': ({ name, file }: File & { name: string }) =>
    `Its entry '${name}' starts '${file}', which is no longer there. Connecting renews it`,

  'agentNote.quit': ({ app }: App) => `Quit ${app} completely and open it again.`,
  'agentNote.session': ({ app }: App) => `Start a new session of ${app}.`,
  'agentNote.restart': ({ app }: App) => `Restart ${app}.`,
  'agentNote.trust': ({ app }: App) => `Restart ${app}. It asks once whether you trust the server.`,
  'agentNote.anew': ({ app }: App) => `Start ${app} anew.`,
  'agentNote.atOnce': ({ app }: App) => `${app} takes it over at once.`,
  'agentNote.chat': 'Switch Filebridge on in the chat where you want it.',
};
