/** German for agents.en/files.ts. */
import type { files as english } from '../agents.en/files.ts';
import type { Table } from '../message.ts';
import { type FileKind, type ListedFolders, listedFolders } from '../phrases.ts';
import { inBytes, limitName } from './phrases.ts';

const listed = (folders: ListedFolders) =>
  listedFolders(folders, {
    read: 'lesen',
    'read-write': 'lesen und schreiben',
    absent: 'nicht da',
    silent: 'antwortet nicht',
    more: 'weitere',
    and: 'und',
  });

const kinds: Record<FileKind, string> = {
  'a directory': 'ein Ordner',
  'a named pipe': 'eine Named Pipe',
  'a socket': 'ein Socket',
  'a link': 'ein Link',
  'a device': 'ein Gerät',
};

const otherThan: Readonly<Record<string, string>> = {
  'a directory': 'sondern ein Ordner',
  'a named pipe': 'sondern eine benannte Pipe',
  'a socket': 'sondern ein Socket',
  'a link': 'sondern eine Verknüpfung',
  'a device': 'sondern ein Gerät',
};

const raise = `erhöhen Sie „${limitName('maxFileBytes')}“ in den Einstellungen`;

const allowing = 'Erlauben Sie diese eine Datei in der Vorschau, oder auf der Seite „Ordner“, wo ihr Pfad geprüft wird';

export const files: Table<typeof english> = {
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
  'path.sensitive.allow': () => `Brauchen Agenten die Datei trotzdem: ${allowing}.`,
  'path.notRegular': ({ kind }) => `Das ist keine Datei${otherThan[kind] ? `, ${otherThan[kind]}` : ''}.`,
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
  'path.closed':
    'Der Ordner, in dem sie liegt, bleibt für Agenten geschlossen: Er gehört dem System oder Filebridge, oder er enthält zu viel.',
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
  'path.nul': 'Der Pfad enthält ein NUL-Zeichen',
  'path.nul.hint': 'Geben Sie den Pfad ohne dieses Zeichen an',
  'path.notFull': ({ path }) => `„${path}“ ist kein vollständiger Pfad`,
  'path.notFull.hint': 'Beginnen Sie mit dem Stamm des Laufwerks',

  'folder.file': ({ folder }) => `„${folder}“ ist kein Ordner`,
  'folder.file.hint': 'Wählen Sie einen Ordner',
  'folder.closed': ({ folder }) => `Das System lässt Sie nicht in „${folder}“ sehen`,
  'folder.closed.hint': 'Wählen Sie einen anderen Ordner, oder ändern Sie seine Rechte',
  'folder.absent': ({ folder }) => `Den Ordner „${folder}“ gibt es nicht`,
  'folder.absent.hint':
    'Vielleicht wurde er verschoben oder umbenannt, oder er liegt auf einem Laufwerk, das nicht angeschlossen ist',
  'folder.missing': ({ folder }) => `Den Ordner „${folder}“ gibt es nicht`,
  'folder.silent': ({ folder }) => `Das Laufwerk des Ordners „${folder}“ antwortet nicht`,
  'folder.silent.hint': 'Prüfen Sie die Verbindung zu ihm. Die anderen Ordner gehen weiter',
  'folder.missing.hint': 'Vielleicht liegt er auf einem Laufwerk, das nicht verbunden ist. Agenten bekommen nichts daraus.',
  'folder.notCreated': ({ folder }) => `Der Ordner „${folder}“ konnte nicht angelegt werden`,
  'folder.notCreated.hint': 'Legen Sie ihn selbst an, oder nehmen Sie ihn von der Liste',

  'file.which': ({ error, path }) => `${error}, in „${path}“`,
  'file.exists': ({ path }) => `Die Datei „${path}“ gibt es schon`,
  'file.exists.name': 'Wählen Sie einen anderen Namen, oder erlauben Sie, sie zu ersetzen',
  'file.exists.asks': 'In diesem Ordner wird vor dem Überschreiben gefragt: Wählen Sie einen anderen Namen',
  'file.exists.filename': 'Wählen Sie einen anderen Namen, oder erlauben Sie, sie zu ersetzen',
  'file.checkPath': 'Prüfen Sie den Pfad',
  'file.changedSinceApproval': ({ name, from, to }) =>
    `Die Datei „${name}“ hat sich seit Ihrer Zustimmung geändert: Die Bytes ${from} bis ${to} sind andere`,
  'file.changedSinceApproval.hint':
    'Der Aufruf wurde abgebrochen. Wiederholen Sie ihn, damit Sie die Datei sehen, wie sie jetzt ist',
  'file.differsNow': 'Die Datei ist beim zweiten Lesen länger oder kürzer als beim ersten',
  'file.differsNow.hint': 'Versuchen Sie es noch einmal. Geschieht es mit dieser Datei immer, melden Sie es bitte',
  'file.outside': ({ path }) => `Die Datei „${path}“ liegt in keinem freigegebenen Ordner`,
  'file.outside.hint': ({ folders }) => `Freigegeben sind: ${listed(folders)}`,
  'file.outside.none': 'Es ist noch kein Ordner freigegeben. Fügen Sie einen auf der Seite „Ordner“ hinzu',
  'file.unreadable': ({ path }) => `Die Datei „${path}“ gibt es nicht, oder sie ist nicht lesbar`,
  'file.unreadable.hint': ({ reason, folders }) =>
    folders === null ? reason : `${reason}. Freigegeben sind: ${listed(folders)}`,
  'file.near': ({ names, hint }) =>
    `Meinten Sie ${names.map((name) => `„${name}“`).join(' oder ')}?${hint === null ? '' : ` ${hint}`}`,
  'file.checkName': 'Prüfen Sie den Namen, auch groß- und kleingeschriebene Buchstaben',
  'file.notNow': ({ path }) => `Die Datei „${path}“ lässt sich jetzt nicht lesen`,
  'file.privacy':
    'macOS lässt Programme nicht in diesen Ordner; erlauben Sie es Filebridge in den Systemeinstellungen unter Datenschutz & Sicherheit, Dateien und Ordner',
  'file.openElsewhere': 'Ein anderes Programm hat sie für sich allein geöffnet; schließen Sie sie dort',
  'file.inCloud':
    'Sie liegt in einer Cloud (etwa iCloud oder OneDrive) und ist nicht heruntergeladen; öffnen Sie sie einmal, und versuchen Sie es noch einmal',
  'file.noAnswer':
    'Der Datenträger, die Freigabe oder die Cloud hat nicht rechtzeitig geantwortet; prüfen Sie die Verbindung, oder öffnen Sie die Datei einmal, damit sie heruntergeladen wird',
  'file.stale': 'Die Freigabe hat die Datei inzwischen ersetzt; versuchen Sie es noch einmal',
  'file.disconnected':
    'Der Datenträger oder die Freigabe ist nicht verbunden; verbinden Sie sie, und versuchen Sie es noch einmal',
  'file.longName': 'Ihr Name oder Pfad ist länger, als der Datenträger es zulässt',
  'file.noPermission': 'Das System erlaubt das Lesen nicht. Prüfen Sie die Rechte der Datei',
  'file.tooManyOpen': 'Es sind zu viele Dateien offen. Versuchen Sie es gleich noch einmal',
  'file.diskError': 'Das Laufwerk meldet einen Fehler. Prüfen Sie es',
  'file.notRegular': ({ path, kind }) => `„${path}“ ist ${kinds[kind]}, keine Datei`,
  'file.directory.hint': 'Wählen Sie eine Datei darin',
  'file.notRegular.hint': 'Nur gewöhnliche Dateien können gelesen und geschrieben werden',
  'file.copyDirectory.hint': 'Kopieren Sie die Dateien darin einzeln',
  'file.credential': ({ path, name }) => `„${path}“ wird abgelehnt, weil „${name}“ nach Zugangsdaten aussieht`,
  'file.credential.never': 'Solche Dateien werden nicht geschrieben, verschoben oder gelöscht, auch wenn das Lesen erlaubt ist',
  'file.credential.allow': `Sollen Agenten sie trotzdem lesen: ${allowing}`,
  'file.credential.configure': () =>
    `Das Lesen lässt sich nur in einem Ordner der Seite „Ordner“ erlauben. Sollen Agenten sie trotzdem lesen: ${allowing}`,
  'file.runs': ({ path, name }) =>
    `„${path}“ wird nicht geschrieben, verschoben oder gelöscht, weil Programme ausführen, was in „${name}“ steht`,
  'file.programs': ({ path, name }) =>
    `„${path}“ wird nicht geschrieben, verschoben oder gelöscht, weil Programme in „${name}“ ihre eigenen Dateien haben`,
  'file.programs.hint': 'Erlauben Sie den Ordner dieser Datei eigens, oder wählen Sie einen anderen',
  'file.private': ({ path, name }) =>
    `„${path}“ wird abgelehnt, weil Programme in „${name}“ ihre eigenen Dateien haben, auch Anmeldungen und Verläufe`,
  'file.private.hint': () => 'Erlauben Sie den Ordner dieser Datei eigens',
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
  'file.notWritten': ({ path, reason }) => `Die Datei „${path}“ konnte nicht geschrieben werden: ${reason}`,

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

  'ours.notWritten': ({ path, reason }) => `„${path}“ konnte nicht geschrieben werden: ${reason}`,
  'ours.writtenAfterEnd': ({ path }) => `In die Datei „${path}“ wurde nach ihrem Ende noch geschrieben`,
  'ours.readAfterEnd': ({ path }) => `Die Datei „${path}“ wurde nach dem Schließen noch gelesen`,

  'lock.held': ({ path }) => `„${path}“ ist schon zu lange gesperrt`,
  'lock.held.hint':
    'Vielleicht hängt ein anderes Filebridge: Beenden Sie es, und löschen Sie die Sperrdatei, wenn sie dann noch da ist',

  'tokens.unreadable': ({ path }) => `Die Datei „${path}“ mit den Zugangsschlüsseln der Apps lässt sich nicht lesen`,
  'tokens.invalid': ({ path }) => `Die Datei „${path}“ mit den Zugangsschlüsseln der Apps ist beschädigt`,
  'tokens.invalid.hint': 'Löschen Sie sie, dann werden neue Schlüssel erzeugt. Verbinden Sie danach die Apps neu',

  'tool.outside': ({ path, folders, link }) =>
    link
      ? `„${path}“ führt aus den erlaubten Ordnern hinaus (erlaubt: ${folders})`
      : `„${path}“ liegt außerhalb der erlaubten Ordner (erlaubt: ${folders})`,
  'tool.windowsPath': ({ path }) => `„${path}“ ist ein Windows-Pfad, den es auf diesem System nicht gibt`,
  'tool.destinationExists': ({ path }) => `Das Ziel gibt es schon: ${path}`,
  'tool.noParent': ({ path }) => `Den Ordner darüber gibt es nicht: ${path}`,
  'tool.noParent.hint': 'Legen Sie den Ordner zuerst an',
  'tool.twoNames': ({ name }) => `Der Name „${name}“ passt auf mehrere Dateien`,
  'tool.mediaTooLarge.hint': 'Geben Sie die Datei mit ihrem Pfad an ein Werkzeug, als Base64',
  'tool.mediaTooLong': ({ path, tokens }) => `„${path}“ hat als Base64 mehr als die ${tokens} Token, die in eine Antwort passen`,
  'tool.editTooLarge.hint': `Größere Dateien werden nicht stückweise geändert: Schreiben Sie eine neue, oder ${raise}`,
  'tool.utf16TooLarge': ({ path, bytes, most }) =>
    `Die UTF-16-Datei „${path}“ hat ${inBytes(bytes)}, als Text lesbar sind höchstens ${inBytes(most)}`,
  'tool.utf16TooLarge.hint': 'Sehen Sie sie in der Vorschau an, oder geben Sie die Datei mit ihrem Pfad an ein Werkzeug',
  'tool.readOn': ({ tokens }) => `Gekürzt auf ${tokens} Token. Der Agent kann dort weiterlesen`,
  'tool.listCut': ({ left, all }) =>
    `${left} von ${all} Einträgen fehlen hier, es sind zu viele für eine Antwort. Nennen Sie einen Ordner darin, oder suchen Sie genauer`,
  'tool.treeCut': ({ closed, left, all }) =>
    `Hier fehlen ${left} von ${all} Einträgen und der Inhalt von ${closed} Ordnern, es ist zu viel für eine Antwort. Nennen Sie einen Ordner darin`,
  'tool.tooDeep': ({ levels, path, others }) =>
    `Ordner, die mehr als ${levels} Ebenen tief liegen, wurden nicht durchsucht: „${path}“${others === 0 ? '' : ` und ${others} weitere`}`,
  'tool.unreadable': ({ paths, others }) =>
    `Nicht lesbar: ${paths.map((path) => `„${path}“`).join(', ')}${others === 0 ? '' : ` und ${others} weitere`}`,
  'tool.diffCut': ({ left, dryRun }) =>
    `${left === null ? 'Der Vergleich' : `Der Rest des Vergleichs, ${left} Zeilen,`} ist zu lang für eine Antwort. ${dryRun ? 'Alle Änderungen passen; geben Sie weniger auf einmal an, um jede zu sehen' : 'Alle Änderungen sind gemacht'}`,
  'tool.controlsEscaped': 'Steuerzeichen stehen in diesem Vergleich als \\xNN',
  'tool.pathWritten': ({ path }) => `Geschrieben wurde der Pfad „${path}“ selbst, nicht der Inhalt dieser Datei`,
  'tool.offsetAlone': 'Der Agent hat auf zwei Arten gesagt, welcher Teil der Datei gelesen wird',
  'tool.offsetPastEnd': ({ path, offset, bytes }) => `Byte ${offset} liegt hinter dem Ende: „${path}“ hat ${bytes} Bytes`,
  'tool.binary': ({ path }) => `„${path}“ ist kein Text`,
  'tool.binary.hint':
    'Sehen Sie eine Tabelle oder ein Dokument in der Vorschau an, oder geben Sie die Datei mit ihrem Pfad an ein Werkzeug',
  'tool.answerFull': ({ tokens }) => `Nicht gelesen: Eine Antwort hat höchstens ${tokens} Token`,
  'tool.readAlone': 'Lesen Sie diese Datei allein, oder nur einen Teil davon',
  'tool.walkTooMuch': ({ path }) => `„${path}“ enthält zu viel, um alles zu durchsuchen`,
  'tool.walkTooMuch.hint': 'Nennen Sie einen Ordner darin',
  'tool.longPattern': 'Das Muster ist zu lang',
  'tool.slowPatterns': 'Die Muster brauchen zu viel Zeit',
  'tool.slowPatterns.hint': 'Verwenden Sie weniger Platzhalter oder Klammern, oder durchsuchen Sie einen kleineren Ordner',
  'tool.headAndTail': 'Die ersten und die letzten Zeilen lassen sich nicht zugleich lesen',
  'tool.linesAndHead': 'Ein Bereich von Zeilen geht nicht zusammen mit den ersten oder letzten Zeilen',
  'tool.linesOrder': ({ first, last }) => `Zeile ${first}, die erste, liegt hinter Zeile ${last}, der letzten`,
  'tool.linesPastEnd': ({ path, first, lines }) =>
    `Zeile ${first} liegt hinter dem Ende: „${path}“ hat ${lines === 1 ? 'eine Zeile' : `${lines} Zeilen`}`,
  'tool.editGrows': ({ bytes, most }) => `Die Datei würde ${inBytes(bytes)} groß, erlaubt sind ${inBytes(most)}`,
  'tool.editGrows.hint': `Ersetzen Sie weniger, oder ${raise}`,
  'tool.editNotFound': ({ text }) => `Der Text, der ersetzt werden soll, kommt nicht vor:${text}`,
  'tool.editIndent':
    'Der Text steht nur mit anderer Einrückung in der Datei, und nicht in allen Zeilen um gleich viel verschoben',
  'tool.editIndent.hint': ({ text }) => `Geben Sie den Text so eingerückt an, wie er in der Datei steht: ${text}`,
  'tool.editAmbiguous': ({ count, text }) => `Der Text, der ersetzt werden soll, kommt ${count}-mal vor: ${text}`,
  'tool.editAmbiguous.hint': 'Geben Sie mehr vom Text darum herum an, oder ersetzen Sie alle Stellen',
  'tool.editMany': ({ most, text }) => `Der Text, der ersetzt werden soll, kommt mehr als ${most}-mal vor: ${text}`,
  'tool.editMany.hint': 'Geben Sie mehr vom Text darum herum an',
  'tool.editEmpty': 'Der Text, der ersetzt werden soll, ist leer',
  'tool.editEmpty.hint': 'Geben Sie den Text an, der ersetzt werden soll',
  'tool.editEncoding': 'Die Datei ist nicht in UTF-8, und der neue Text hat Zeichen, die ihre Kodierung nicht kennt',
  'tool.editEncoding.hint': 'Speichern Sie die Datei zuerst als UTF-8',
  'tool.otherDisk': ({ what }) => `Zwischen zwei Laufwerken lässt sich das nicht verschieben (EXDEV, ${what})`,
  'tool.otherDisk.hint': 'Kopieren Sie die Datei, und löschen Sie danach die alte',
  'tool.moveGains': ({ path, name }) =>
    `„${path}“ kann Dateien wie „${name}“ enthalten, die am neuen Ort gelesen werden dürften, am alten aber nicht`,
  'tool.moveGains.hint': 'Verschieben Sie einzeln, was gebraucht wird',
  'tool.moveAllowed': ({ path }) => `„${path}“ enthält einen Ordner, den Sie eigens erlaubt haben, und bleibt deshalb, wo es ist`,
  'tool.noTrash': ({ path }) => `Für „${path}“ gibt es keinen Papierkorb`,
  'tool.noTrash.hint': 'Die Datei ist unverändert. Löschen Sie sie selbst',
  'tool.permanent.hint': ({ hint, asks }) =>
    `${hint === null ? '' : `${hint}. `}Die Datei kann auch in den Papierkorb kommen${asks ? ', auch danach werden Sie gefragt' : ''}`,
  'undo.changedSince': ({ path }) => `„${path}“ wurde seither geändert und blieb, wie es ist`,
  'undo.changedSince.hint':
    'Machen Sie erst die späteren Änderungen rückgängig, wenn sie aufgeführt sind, oder ändern Sie die Datei in ihrer eigenen App',
  'undo.goneSince': ({ path }) => `„${path}“ ist nicht mehr da`,
  'undo.goneSince.hint': 'Die Datei wurde seither gelöscht oder verschoben. Es gibt nichts mehr rückgängig zu machen',
  'undo.gone': 'Diese Änderung lässt sich nicht mehr rückgängig machen',
  'undo.gone.hint': 'Änderungen werden 30 Tage lang aufgehoben, außer wenn es sehr viele oder sehr große sind',
  'tool.changedSinceAsked': ({ path }) => `Die Datei „${path}“ hat sich nach der Frage an Sie geändert und blieb, wie sie ist`,
  'tool.changedSinceAsked.hint': 'Wiederholen Sie den Aufruf, damit Sie die Datei sehen, wie sie jetzt ist',
  'tool.busy': ({ path }) => `Ein anderes Filebridge ändert „${path}“ immerzu`,
  'tool.busy.hint': 'Versuchen Sie es gleich noch einmal',
  'tool.unfinished': ({ path, copies }) =>
    `Ein Schreiben in „${path}“ ist nicht fertig oder läuft noch: Die Datei kann Altes und Neues gemischt enthalten. Der alte Inhalt steht ganz in ${copies.map((copy) => `„${copy}“`).join(', ')}`,
  'tool.unfinished.hint':
    'Vergleichen Sie beide, schreiben Sie den richtigen Inhalt ganz in die Datei, und löschen Sie dann die Kopie',
};
