/** Warum eine Datei nicht geöffnet, gelesen oder geschrieben wird. */
import type { files as english } from '../agents/files.ts';
import { type FileKind, type ListedFolders, listedFolders } from '../phrases.ts';
import type { Table } from '../table.ts';

export const files: Table<typeof english> = {
  'file.outside': ({ path }) => `Die Datei „${path}“ liegt in keinem freigegebenen Ordner`,
  'file.outside.hint': ({ folders }) => `Freigegeben sind: ${listed(folders)}`,
  'file.outside.none': 'Es ist noch kein Ordner freigegeben. Fügen Sie einen auf der Seite „Ordner“ hinzu',
  'file.unreadable': ({ path }) => `Die Datei „${path}“ gibt es nicht, oder sie ist nicht lesbar`,
  'file.unreadable.hint': ({ reason, folders }) =>
    folders === null ? reason : `${reason}. Freigegeben sind: ${listed(folders)}`,
  'file.checkName': 'Prüfen Sie den Namen, auch groß- und kleingeschriebene Buchstaben',
  'file.noPermission': 'Das System erlaubt das Lesen nicht. Prüfen Sie die Rechte der Datei',
  'file.tooManyOpen': 'Es sind zu viele Dateien offen. Versuchen Sie es gleich noch einmal',
  'file.diskError': 'Das Laufwerk meldet einen Fehler. Prüfen Sie es',
  'file.notRegular': ({ path, kind }) => `„${path}“ ist ${kinds[kind]}, keine Datei`,
  'file.directory.hint': 'Wählen Sie eine Datei darin',
  'file.notRegular.hint': 'Nur gewöhnliche Dateien können gelesen und geschrieben werden',
  'file.copyDirectory.hint': 'Kopieren Sie die Dateien darin einzeln',
  'file.credential': ({ path, name }) => `„${path}“ wird abgelehnt, weil „${name}“ nach Zugangsdaten aussieht`,
  'file.credential.never': 'Solche Dateien werden nicht geschrieben, verschoben oder gelöscht, auch wenn das Lesen erlaubt ist',
  'file.credential.allow': ({ name }) =>
    `Das Lesen lässt sich in der Konfiguration von Filebridge erlauben: "allowSensitive": ["${name}"] beim Ordner`,
  'file.credential.configure': ({ name }) =>
    `Das Lesen lässt sich nur bei einem Ordner der Konfiguration von Filebridge erlauben, mit "allowSensitive": ["${name}"]`,
  'file.runs': ({ path, name }) =>
    `„${path}“ wird nicht geschrieben, verschoben oder gelöscht, weil Programme ausführen, was in „${name}“ steht`,
  'file.programs': ({ path, name }) =>
    `„${path}“ wird nicht geschrieben, verschoben oder gelöscht, weil Programme in „${name}“ ihre eigenen Dateien haben`,
  'file.programs.hint': 'Erlauben Sie den Ordner dieser Datei eigens, oder wählen Sie einen anderen',
  'file.private': ({ path, name }) =>
    `„${path}“ wird abgelehnt, weil Programme in „${name}“ ihre eigenen Dateien haben, auch Anmeldungen und Verläufe`,
  'file.private.hint': ({ name }) =>
    `Erlauben Sie den Ordner dieser Datei eigens, oder den Namen „${name}“ in den Einstellungen des Ordners`,
  'file.runs.hint': 'Ändern Sie die Datei selbst',
  'file.own': ({ path }) => `„${path}“ wird abgelehnt, weil es Filebridge selbst gehört`,
  'file.own.hint': 'Die Einstellungen ändern Sie in Filebridge',
  'file.otherClient': ({ path }) => `„${path}“ wird abgelehnt, weil es für einen anderen Agenten gespeichert wurde`,
  'file.otherClient.hint':
    'Jener Agent kann die Antwort in einem Ordner speichern, der für beide freigegeben ist. Oder wiederholen Sie den Aufruf',
  'file.readOnly': ({ path }) => `„${path}“ liegt in einem Ordner, der nur zum Lesen freigegeben ist`,
  'file.readOnly.hint': ({ folders }) => `Schreiben ist erlaubt in: ${listed(folders)}`,
  'file.readOnly.none': 'Kein Ordner ist zum Schreiben freigegeben. Das lässt sich auf der Seite „Ordner“ ändern',

  'file.changed': ({ path, how }) => `Die Datei „${path}“ hat sich geändert, während sie gelesen wurde: ${how}`,
  'file.changed.hint': 'Warten Sie, bis das andere Programm fertig ist, und versuchen Sie es erneut',
  'changed.gone': 'Sie wurde gelöscht oder verschoben',
  'changed.goneOrReplaced': 'Sie wurde gelöscht oder ersetzt',
  'changed.replaced': 'Sie wurde ersetzt',
  'changed.replacedOpening': 'Sie wurde beim Öffnen ersetzt',
  'changed.attributes': 'Ihre Attribute oder Namen wurden geändert',
  'changed.grew': ({ from, to }) => `Sie wuchs von ${from} auf ${to} Bytes`,
  'changed.shrank': ({ from, to }) => `Sie schrumpfte von ${from} auf ${to} Bytes`,
  'changed.rewritten': 'Ihr Inhalt wurde neu geschrieben',
  'changed.contentOrAttributes': 'Ihr Inhalt oder ihre Attribute wurden geändert',
  'changed.ended': ({ at, size }) => `Sie endete nach ${at} von ${size} Bytes`,
  'changed.longer': ({ size }) => `Sie hat mehr als die ${size} Bytes vom Anfang`,
  'changed.written': 'Ein anderes Programm hat in sie geschrieben',

  'file.notWritten': ({ path, reason }) => `Die Datei „${path}“ konnte nicht geschrieben werden: ${reason}`,
  'ours.notWritten': ({ path, reason }) => `„${path}“ konnte nicht geschrieben werden: ${reason}`,
  'system.code': ({ code }) => `Das System meldet ${code}`,
  'system.code.hint': 'Prüfen Sie den Ordner, und versuchen Sie es erneut',
  'system.diskFull': 'Das Laufwerk ist voll',
  'system.quota': 'Der zugeteilte Speicherplatz ist aufgebraucht',
  'system.free.hint':
    'Schaffen Sie Platz, oder wählen Sie einen Ordner auf einem anderen Laufwerk. Es ist nichts zurückgeblieben',
  'system.freeOurs.hint': 'Schaffen Sie Platz, und versuchen Sie es erneut. Was da war, ist unverändert',
  'system.fileSize': 'Das Dateisystem fasst keine Dateien dieser Größe',
  'system.otherDisk.hint': 'Wählen Sie einen Ordner auf einem anderen Laufwerk',
  'system.readOnly': 'Das Laufwerk ist nur zum Lesen eingebunden',
  'system.readOnlyOurs.hint': 'Binden Sie es zum Schreiben ein, oder legen Sie diese Dateien auf ein anderes Laufwerk',
  'system.denied': 'Das Recht dazu fehlt',
  'system.denied.hint': 'Prüfen Sie die Rechte des Ordners',
  'system.openElsewhere': 'ein anderes Programm hat sie geöffnet',
  'system.openElsewhere.hint':
    'Schließen Sie sie dort (Excel zum Beispiel sperrt geöffnete Dateien), und versuchen Sie es erneut',
  'system.disk': 'Das Laufwerk meldet einen Fehler',
  'system.disk.hint': 'Prüfen Sie das Laufwerk',
  'system.longName': 'Der Name ist zu lang',
  'system.longName.hint': 'Wählen Sie einen kürzeren Namen',
  'system.manyFiles': 'Es sind zu viele Dateien offen',
  'system.manyFiles.hint': 'Versuchen Sie es gleich noch einmal',
  'system.folderGone': 'Ihr Ordner ist nicht mehr da',
  'system.notFolder': 'Ein Teil des Pfads ist kein Ordner',
  'system.linked': 'Ein Teil des Pfads wurde durch einen Link ersetzt',
  'system.path.hint': 'Prüfen Sie den Pfad, und versuchen Sie es erneut',

  'folder.file': ({ folder }) => `„${folder}“ ist kein Ordner`,
  'folder.file.hint': 'Wählen Sie einen Ordner',
  'folder.closed': ({ folder }) => `Das System lässt Sie nicht in „${folder}“ sehen`,
  'folder.closed.hint': 'Wählen Sie einen anderen Ordner, oder ändern Sie seine Rechte',
  'folder.absent': ({ folder }) => `Den Ordner „${folder}“ gibt es nicht`,
  'folder.absent.hint':
    'Vielleicht wurde er verschoben oder umbenannt, oder er liegt auf einem Laufwerk, das nicht angeschlossen ist',

  'path.empty': 'Der Pfad ist leer',
  'path.empty.hint': 'Geben Sie den Pfad einer Datei an',
  'path.notWhole': ({ path }) => `„${path}“ ist kein vollständiger Pfad`,
  'path.notWhole.hint': 'Geben Sie den Pfad vom Stamm an, oder wählen Sie die Datei in einem Dialog',
  'path.notHere': ({ path, reason }) => `„${path}“ bezeichnet keine Datei auf diesem Computer: ${reason}`,
  'path.notHere.hint': 'Geben Sie den Pfad selbst an, oder eine URL wie file:///ordner/name.txt',
  'path.query': '? und # in einem Namen werden %3F und %23 geschrieben',
  'path.space': 'Leerraum in einem Namen wird %20, %09, %0A oder %0D geschrieben',
  'path.machine': ({ machine }) => `Er nennt den Computer „${machine}“`,
  'path.noUrl': 'Das ist keine gültige Datei-URL',
  'path.nulInUrl': 'Er enthält ein NUL-Zeichen',

  'name.refused': ({ name, reason }) => `Der Dateiname „${name}“ kann nicht verwendet werden: ${reason}`,
  'name.refused.hint': 'Geben Sie einen einfachen Dateinamen wie „bericht.json“ an; der Ordner wird getrennt angegeben',
  'name.empty': 'Er ist leer',
  'name.folder': 'Er bezeichnet einen Ordner',
  'name.separator': 'Er enthält ein Trennzeichen für Ordner',
  'name.control': 'Er enthält ein Steuerzeichen',
  'name.long': ({ bytes }) => `Er ist länger als ${bytes} Bytes`,
  'name.device': 'Windows verwendet diesen Namen für ein Gerät',
  'name.windows': 'Er enthält ein Zeichen, das Windows nicht erlaubt',
  'name.end': 'Er endet mit einem Punkt oder Leerzeichen, was Windows weglässt',
};

const kinds: Record<FileKind, string> = {
  'a directory': 'ein Ordner',
  'a named pipe': 'eine Named Pipe',
  'a socket': 'ein Socket',
  'a link': 'ein Link',
  'a device': 'ein Gerät',
};

const listed = (folders: ListedFolders) =>
  listedFolders(folders, {
    read: 'lesen',
    'read-write': 'lesen und schreiben',
    absent: 'nicht da',
    more: 'weitere',
    and: 'und',
  });
