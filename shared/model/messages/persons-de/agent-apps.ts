/** Agenten auf diesem Computer: ihre Einstellungen, und ihre Verbindung mit Filebridge. */
import type { agentApps as english } from '../agents/agent-apps.ts';
import type { Table } from '../table.ts';

const temporaryPlaces = {
  diskImage: 'seinem Disk-Image',
  translocated: 'einer Kopie, die macOS von geladenen Programmen anlegt',
  mount: 'einem vorübergehend eingehängten Verzeichnis',
} as const;

export const agentApps: Table<typeof english> = {
  'agent.unknown': ({ id }) => `Einen Agenten „${id}“ gibt es nicht`,
  'agent.unknown.hint': ({ ids }) => `Bekannt sind ${ids.join(', ')}`,
  'agent.absent': ({ app }) => `${app} wurde auf diesem Computer nicht gefunden`,
  'agent.absent.hint': ({ file }) =>
    `Die Einstellungen wären in „${file}“. Starten Sie das Programm einmal, und versuchen Sie es erneut`,
  'agent.noLink': ({ app }) => `${app} hat keinen solchen Link`,
  'agent.linkInApp': 'Nur die Desktop-App kann Links öffnen',
  'agent.link.hint': 'Wählen Sie stattdessen „Verbinden“',
  'agent.otherLink': 'Links dieser Art öffnet Filebridge nicht',
  'agent.otherLink.hint': 'Geöffnet werden nur https-Links und Links bekannter Apps',
  'agent.leftAlone': ({ app, reason }) => `Die Einstellungen von ${app} bleiben unverändert: ${reason}`,
  'agent.leftAlone.hint': ({ file }) => `Berichtigen Sie „${file}“, oder fügen Sie den Eintrag von Hand hinzu`,
  'agent.unsafe': ({ app }) => `Die Einstellungen von ${app} sind so geschrieben, dass sie nicht sicher geändert werden können`,
  'agent.unsafe.hint': ({ file }) => `Ändern Sie den Eintrag in „${file}“ von Hand`,
  'agent.problemLeft': ({ reason }) => `Die Konfiguration bleibt unverändert: ${reason}`,
  'agent.problemLocked': ({ reason }) => `Die Konfiguration kann nicht geändert werden: ${reason}`,
  'agent.taken': ({ app, name }) => `In ${app} gibt es einen Eintrag „${name}“, der ein anderes Programm startet`,
  'agent.taken.hint': 'Nichts wurde geändert. Sehen Sie sich die Änderung an, und ersetzen Sie ihn dort',
  'agent.temporary': ({ place }) =>
    `Filebridge läuft aus ${temporaryPlaces[place]}, und diese Stelle verschwindet wieder: Keine App kann es von dort starten`,
  'agent.temporary.hint': ({ place }) =>
    place === 'mount'
      ? 'Es wurde nichts geändert. Legen Sie das AppImage in einen eigenen Ordner, starten Sie es von dort, und verbinden Sie erneut'
      : 'Es wurde nichts geändert. Bewegen Sie Filebridge in den Ordner „Programme“, öffnen Sie es von dort, und verbinden Sie erneut',
  'agent.noBackup': ({ file }) => `Von „${file}“ gibt es keine Sicherung`,
  'agent.noBackup.hint': 'Filebridge hat die Datei nicht geändert',
  'agent.changedSince': ({ file }) =>
    `„${file}“ wurde nach Filebridge von einem anderen Programm geändert. Diese Änderung ginge verloren`,
  'agent.changedSince.hint': ({ backup }) =>
    `„Trennen“ entfernt nur den Eintrag von Filebridge. Die frühere Fassung ist „${backup}“`,
  'agent.changedNow': ({ file }) => `„${file}“ wurde gleichzeitig von einem anderen Programm geändert`,
  'agent.changedNow.hint': 'Versuchen Sie es erneut',

  'agentFile.notFile': 'Das ist keine Datei',
  'agentFile.large': ({ megabytes }) => `Sie hat ${megabytes} MB, mehr als Einstellungen je haben`,
  'agentFile.notText': 'Das ist kein UTF-8-Text',
  'agentFile.link': 'Das ist ein Link auf eine Datei, die es nicht gibt',
  'agentFile.denied': 'Das Recht zum Lesen fehlt',
  'agentFile.readOnly': 'Sie ist schreibgeschützt',
  'agentFile.notWritable': 'Dieser Benutzer darf sie nicht schreiben',
  'agentFile.kind': ({ kind }) => `Sie enthält kein Objekt (${kind})`,
  'agentFile.kindAt': ({ place, kind }) => `„${place}“ ist kein Objekt (${kind})`,

  'agentEntry.other': ({ name }) => `Der Eintrag „${name}“ startet nicht Filebridge. Vor dem Ersetzen werden Sie gefragt`,
  'agentEntry.off': ({ name }) => `Der Eintrag „${name}“ ist ausgeschaltet. Beim Verbinden wird er eingeschaltet`,
  'agentEntry.gone': ({ name, file }) =>
    `Der Eintrag „${name}“ startet „${file}“, das es nicht mehr gibt. Beim Verbinden wird er erneuert`,

  'agentNote.quit': ({ app }) => `Beenden Sie ${app} ganz, und öffnen Sie es wieder.`,
  'agentNote.session': ({ app }) => `Beginnen Sie eine neue Sitzung von ${app}.`,
  'agentNote.restart': ({ app }) => `Starten Sie ${app} neu.`,
  'agentNote.trust': ({ app }) => `Starten Sie ${app} neu. Es fragt einmal, ob Sie dem Server vertrauen.`,
  'agentNote.anew': ({ app }) => `Starten Sie ${app} noch einmal.`,
  'agentNote.atOnce': ({ app }) => `${app} übernimmt es sofort.`,
  'agentNote.chat': 'Schalten Sie Filebridge in dem Chat ein, in dem Sie es brauchen.',
};
