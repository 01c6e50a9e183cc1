/** Ob Agenten einen Pfad verwenden dürfen. Sätze, mit Punkt. */
import type { pathCheck as english } from '../agents/path-check.ts';
import type { Table } from '../table.ts';

export const pathCheck: Table<typeof english> = {
  'path.answers': 'Die Datei liegt in dem Ordner, in dem Filebridge Antworten für Agenten speichert.',
  'path.directory': ({ folder, writable }) =>
    writable
      ? `Agenten dürfen Dateien darin lesen und neue schreiben: Er gehört zu „${folder}“.`
      : `Agenten dürfen Dateien darin lesen: Er gehört zu „${folder}“, der nur zum Lesen erlaubt ist.`,
  'path.file': ({ folder, writable }) =>
    writable
      ? `Die Datei liegt in „${folder}“: Agenten dürfen dort lesen und schreiben.`
      : `Die Datei liegt in „${folder}“, der nur zum Lesen erlaubt ist.`,
  'path.link': ({ what, place }) => `${what} Der Pfad führt zu „${place}“.`,
  'path.own': 'Die Datei gehört zu Filebridge selbst, das seine Einstellungen und Geheimnisse verschlossen hält.',
  'path.sensitive': ({ name }) =>
    `Der Name „${name}“ sieht nach einem Passwort oder Schlüssel aus. Solche Dateien bleiben verschlossen.`,
  'path.sensitive.fixed': 'In Ordnern, die auf der Befehlszeile genannt sind, kann das nicht erlaubt werden.',
  'path.sensitive.allow': ({ name }) =>
    `Brauchen Agenten die Datei trotzdem, ergänzen Sie in der Konfigurationsdatei beim Ordner "allowSensitive": ["${name}"].`,
  'path.notRegular': ({ kind }) => `Das ist keine Datei${kinds[kind] ? `, ${kinds[kind]}` : ''}.`,
  'path.notRegular.hint': 'Agenten können nur gewöhnliche Dateien lesen.',
  'path.refused': ({ reason }) => `${reason}.`,
  'path.relative': 'Das ist kein vollständiger Pfad, und in keinem erlaubten Ordner liegt eine solche Datei.',
  'path.relative.hint': 'Geben Sie den ganzen Pfad an.',
  'path.kernel': 'Was dort liegt, erzeugt das System selbst. Es wird nie geöffnet.',
  'path.folderGone': ({ folder }) => `Den Ordner „${folder}“ gibt es zurzeit nicht.`,
  'path.folderGone.hint': 'Vielleicht wurde er verschoben, oder sein Laufwerk ist nicht verbunden.',
  'path.leadsOut': ({ place }) => `Der Pfad führt aus den erlaubten Ordnern hinaus, zu „${place}“.`,
  'path.outside': 'Die Datei liegt in keinem erlaubten Ordner.',
  'path.noFolder': 'Es ist noch kein Ordner erlaubt.',
  'path.allow': ({ folder, fixed }) => {
    const which = folder === null ? 'den Ordner, in dem sie liegt' : `den Ordner „${folder}“`;
    return fixed
      ? `Nennen Sie ${which} auf der Befehlszeile, wenn Agenten sie lesen sollen.`
      : `Erlauben Sie ${which}, wenn Agenten sie lesen sollen.`;
  },
  'path.noPermission': 'Das System lässt Filebridge die Datei nicht lesen.',
  'path.noPermission.hint': 'Ändern Sie ihre Berechtigungen.',
  'path.absent': ({ path }) => `Die Datei „${path}“ gibt es nicht.`,
  'path.absentEnd': ({ place }) => `Eine solche Datei gibt es nicht: Der Pfad führt zu „${place}“, und dort ist nichts.`,
  'path.absent.hint': 'Prüfen Sie den Namen, auch Groß- und Kleinschreibung.',
};

const kinds: Readonly<Record<string, string>> = {
  'a directory': 'sondern ein Ordner',
  'a named pipe': 'sondern eine benannte Pipe',
  'a socket': 'sondern ein Socket',
  'a link': 'sondern eine Verknüpfung',
  'a device': 'sondern ein Gerät',
};
