/** Was an der Umgebung des Programms nicht stimmt: Konfiguration, Port, Ordner, Server. */
import type { problems as english } from '../agents/problems.ts';
import type { Table } from '../table.ts';

export const problems: Table<typeof english> = {
  'config.setAside': ({ aside, fault }) =>
    `Die Konfiguration war ungültig. Sie liegt jetzt unter „${aside}“, und es gelten die Voreinstellungen: ${fault}`,
  'config.setAside.hint': 'Berichtigen Sie diese Datei und lassen Sie Filebridge sie neu lesen, oder beginnen Sie von vorn',
  'config.validNow': 'sie ist jetzt gültig',
  'config.edited': ({ fault }) => `Die geänderte Konfiguration ist ungültig und wurde nicht übernommen: ${fault}`,
  'config.edited.hint':
    'Die vorherigen Einstellungen gelten weiter. Berichtigen Sie die Datei, oder lassen Sie Filebridge sie mit den geltenden Einstellungen überschreiben',
  'config.defaults': ({ file, fault }) =>
    `Die Konfiguration „${file}“ ist ungültig, und es gelten die Voreinstellungen: ${fault}`,
  'config.correct': 'Berichtigen Sie die Datei',
  'config.entry': ({ entry, effect, fault }) => `„${entry}“ in der Konfiguration ${effects[effect]}: ${fault}`,
  'config.entry.hint': ({ file }) => `Berichtigen Sie den Eintrag in „${file}“. Er bleibt dort stehen, und alles andere gilt`,
  'config.moreEntries': ({ entries }) => `${entries} weitere Einträge der Konfiguration sind ungültig`,
  'config.moreEntries.hint': ({ file }) => `Berichtigen Sie sie in „${file}“`,
  'config.unwatched': ({ fault }) => `Änderungen anderer Programme an der Konfiguration werden nicht bemerkt: ${fault}`,
  'config.unwatched.hint': 'Lassen Sie Filebridge die Datei nach einer Änderung neu lesen',
  'config.invalid': ({ file, fault }) => `Die Konfiguration „${file}“ ist ungültig: ${fault}`,
  'config.checkFolder': 'Prüfen Sie den Ordner und seine Rechte',

  'port.inUse': ({ port, host }) => `Port ${port} auf ${host} ist schon belegt`,
  'port.notAllowed': ({ port, host }) => `Port ${port} auf ${host} darf nicht verwendet werden`,
  'port.closed': ({ port, host, reason }) => `Port ${port} auf ${host} lässt sich nicht öffnen (${reason})`,
  'port.hint': 'Vielleicht läuft Filebridge schon. Wählen Sie sonst einen anderen Port mit --port',
  'port.unreachable': 'Agenten, die sich über die Adresse verbinden, erreichen Filebridge nicht. Vielleicht läuft es zweimal',

  'answers.refused': ({ folder, reason }) => `Antworten können nicht in „${folder}“ gespeichert werden: ${reason}`,
  'answers.refused.hint': 'Bis ein anderer Ordner gewählt ist, kommen Antworten an den üblichen Ort',

  'folder.missing': ({ folder }) => `Den Ordner „${folder}“ gibt es nicht`,
  'folder.missing.hint': 'Vielleicht liegt er auf einem Laufwerk, das nicht verbunden ist. Agenten bekommen nichts daraus.',
  'folder.notCreated': ({ folder }) => `Der Ordner „${folder}“ konnte nicht angelegt werden`,
  'folder.notCreated.hint': 'Legen Sie ihn selbst an, oder nehmen Sie ihn von der Liste',

  'server.failing': ({ server }) => `Der Server „${server}“ geht nicht`,
  'server.failing.hint': ({ error, hint }) => (hint === null ? error : `${error}. ${hint}`),

  'problem.gone': 'Dieses Problem besteht nicht mehr',
  'problem.gone.hint': 'Es ist nichts zu tun',
  'problem.otherRemedy': ({ remedy }) => `„${remedy}“ behebt dieses Problem nicht`,
  'problem.onPage': ({ remedy }) => `„${remedy}“ geschieht auf der zugehörigen Seite`,
};

const effects = {
  disabled: 'ist abgeschaltet',
  ignored: 'wird nicht beachtet',
  default: 'ist ungültig, und es gilt die Voreinstellung',
};
