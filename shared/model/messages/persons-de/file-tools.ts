/** Was die Dateiwerkzeuge ablehnen, und die eigenen Dateien von Filebridge. */
import type { fileTools as english, LargeThing } from '../agents/file-tools.ts';
import type { Table } from '../table.ts';
import { inBytes } from './numbers.ts';

const things: Record<LargeThing, (path: string) => string> = {
  file: (path) => `Die Datei „${path}“`,
  utf16: (path) => `Die UTF-16-Datei „${path}“`,
  part: (path) => `Dieser Teil von „${path}“`,
  list: (path) => `Die Liste von „${path}“`,
  all: () => 'Alles zusammen',
};

const readLess = 'Lesen Sie weniger davon, oder geben Sie die Datei mit ihrem Pfad an ein Werkzeug';

export const fileTools: Table<typeof english> = {
  'tool.outside': ({ path, folders, link }) =>
    link
      ? `„${path}“ führt aus den erlaubten Ordnern hinaus (erlaubt: ${folders})`
      : `„${path}“ liegt außerhalb der erlaubten Ordner (erlaubt: ${folders})`,
  'tool.windowsPath': ({ path }) => `„${path}“ ist ein Windows-Pfad, den es auf diesem System nicht gibt`,
  'tool.destinationExists': ({ path }) => `Das Ziel gibt es schon: ${path}`,
  'tool.noParent': ({ path }) => `Den Ordner darüber gibt es nicht: ${path}`,
  'tool.twoNames': ({ name }) => `Der Name „${name}“ passt auf mehrere Dateien`,
  'tool.mediaTooLarge.hint': 'Geben Sie die Datei mit ihrem Pfad an ein Werkzeug, als Base64',
  'tool.editTooLarge.hint':
    'Größere Dateien werden nicht stückweise geändert: Schreiben Sie eine neue, oder erhöhen Sie limits.maxFileBytes',
  'tool.answerTooLarge': ({ thing, path, bytes, most }) =>
    `${things[thing](path)} hat ${bytes === null ? '' : `${inBytes(bytes)}, `}mehr als die ${inBytes(most)}, die in eine Antwort passen`,
  'tool.readLess': readLess,
  'tool.readLess.from': ({ line, at }) => `${readLess}. Zeile ${line} beginnt bei ${inBytes(at)}`,
  'tool.readAlone': 'Lesen Sie diese Datei allein, oder nur einen Teil davon',
  'tool.listLess': 'Nennen Sie einen Ordner darin, oder suchen Sie genauer',
  'tool.walkTooMuch': ({ path }) => `„${path}“ enthält zu viel, um alles zu durchsuchen`,
  'tool.walkTooMuch.hint': 'Nennen Sie einen Ordner darin',
  'tool.longPattern': 'Das Muster ist zu lang',
  'tool.slowPatterns': 'Die Muster brauchen zu viel Zeit',
  'tool.slowPatterns.hint': 'Verwenden Sie weniger Platzhalter oder Klammern, oder durchsuchen Sie einen kleineren Ordner',
  'tool.headAndTail': 'head und tail gehen nicht zusammen',
  'tool.linesAndHead': 'Ein Bereich von Zeilen geht nicht zusammen mit head oder tail',
  'tool.linesOrder': ({ first, last }) => `start_line ${first} liegt hinter end_line ${last}`,
  'tool.linesPastEnd': ({ path, first, lines }) =>
    `start_line ${first} liegt hinter dem Ende: „${path}“ hat ${lines === 1 ? 'eine Zeile' : `${lines} Zeilen`}`,
  'tool.editGrows': ({ bytes, most }) => `Die Datei würde ${inBytes(bytes)} groß, erlaubt sind ${inBytes(most)}`,
  'tool.editGrows.hint': 'Ersetzen Sie weniger, oder erhöhen Sie limits.maxFileBytes',
  'tool.editNotFound': ({ text }) => `Der Text, der ersetzt werden soll, kommt nicht vor:${text}`,
  'tool.editAmbiguous': ({ count, text }) => `Der Text, der ersetzt werden soll, kommt ${count}-mal vor: ${text}`,
  'tool.editAmbiguous.hint': 'Geben Sie mehr vom Text darum herum an, oder ersetzen Sie mit replaceAll alle',
  'tool.editMany': ({ most, text }) => `Der Text, der ersetzt werden soll, kommt mehr als ${most}-mal vor: ${text}`,
  'tool.editMany.hint': 'Geben Sie mehr vom Text darum herum an',
  'tool.editEmpty': 'oldText ist leer',
  'tool.editEmpty.hint': 'Geben Sie den Text an, der ersetzt werden soll. write_file mit append fügt am Ende an',
  'tool.editEncoding': 'Die Datei ist nicht in UTF-8, und der neue Text hat Zeichen, die ihre Kodierung nicht kennt',
  'tool.editEncoding.hint': 'Geben Sie die Bytes selbst an, mit newText_base64',
  'tool.otherDisk': ({ what }) => `Zwischen zwei Laufwerken lässt sich das nicht verschieben (EXDEV, ${what})`,
  'tool.otherDisk.hint': 'Kopieren Sie die Datei, und löschen Sie danach die alte',
  'tool.moveGains': ({ path, name }) =>
    `„${path}“ kann Dateien wie „${name}“ enthalten, die am neuen Ort gelesen werden dürften, am alten aber nicht`,
  'tool.moveGains.hint': 'Verschieben Sie einzeln, was gebraucht wird',
  'tool.moveAllowed': ({ path }) => `„${path}“ enthält einen Ordner, den Sie eigens erlaubt haben, und bleibt deshalb, wo es ist`,
  'tool.noTrash': ({ path }) => `Für „${path}“ gibt es keinen Papierkorb`,
  'tool.noTrash.hint': 'Die Datei ist unverändert. Löschen Sie sie selbst',
  'tool.changedSinceAsked': ({ path }) => `Die Datei „${path}“ hat sich nach der Frage an Sie geändert und blieb, wie sie ist`,
  'tool.changedSinceAsked.hint': 'Wiederholen Sie den Aufruf, damit Sie die Datei sehen, wie sie jetzt ist',
  'tool.busy': ({ path }) => `Ein anderes Filebridge ändert „${path}“ immerzu`,
  'tool.busy.hint': 'Versuchen Sie es gleich noch einmal',
  'tool.unfinished': ({ path, copies }) =>
    `Ein Schreiben in „${path}“ ist nicht fertig oder läuft noch: Die Datei kann Altes und Neues gemischt enthalten. Der alte Inhalt steht ganz in ${copies.map((copy) => `„${copy}“`).join(', ')}`,
  'tool.unfinished.hint':
    'Vergleichen Sie beide, schreiben Sie den richtigen Inhalt ganz in die Datei, und löschen Sie dann die Kopie',

  'tokens.unreadable': ({ path }) => `Die Datei „${path}“ mit den Zugangsschlüsseln der Apps lässt sich nicht lesen`,
  'tokens.invalid': ({ path }) => `Die Datei „${path}“ mit den Zugangsschlüsseln der Apps ist beschädigt`,
  'tokens.invalid.hint': 'Löschen Sie sie, dann werden neue Schlüssel erzeugt. Verbinden Sie danach die Apps neu',
  'config.unreadable': ({ path }) => `Die Konfiguration „${path}“ lässt sich nicht lesen`,
  'config.unreadable.hint': 'Prüfen Sie, ob sie eine Datei ist und ob Sie sie lesen dürfen',
  'config.notKept': ({ path }) => `Die Konfiguration „${path}“ ist beschädigt und konnte nicht zur Seite gelegt werden`,
  'config.notKept.hint': 'Berichtigen oder verschieben Sie sie. Geändert wurde nichts',
  'lock.held': ({ path }) => `„${path}“ ist schon zu lange gesperrt`,
  'lock.held.hint':
    'Vielleicht hängt ein anderes Filebridge: Beenden Sie es, und löschen Sie die Sperrdatei, wenn sie dann noch da ist',
  'receipt.running': ({ id }) => `Der Aufruf des Belegs „${id}“ läuft noch`,
  'receipt.running.hint': () => 'Warten Sie, bis er fertig ist, oder brechen Sie ihn ab',
};
