/** German for agents.en/calls.ts. */
import type { calls as english } from '../agents.en/calls.ts';
import type { Table } from '../message.ts';
import { contents, inBytes } from './phrases.ts';

function spell(seconds: number): string {
  if (seconds % 60 !== 0) return seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`;
  return seconds === 60 ? 'einer Minute' : `${seconds / 60} Minuten`;
}

const changes: Readonly<Record<string, string>> = {
  delete: 'eine Datei löscht',
  overwrite: 'eine Datei überschreibt oder ändert',
  move: 'eine Datei verschiebt oder umbenennt',
};

export const calls: Table<typeof english> = {
  'request.twoPaths': 'Die Datei ist zweimal genannt, mit verschiedenen Pfaden',
  'request.twoPaths.hint': 'Nennen Sie sie einmal',
  'request.noFile': 'Es ist keine Datei genannt',
  'request.pathAndFiles': 'Die Dateien sind auf zwei Arten genannt',
  'request.pathOrFiles': 'Nennen Sie eine Datei oder eine Liste, oder für jede Stelle eine Datei, aber nicht beides',
  'request.keyInFiles': 'Von mehreren Dateien braucht jede ihre eigene Stelle in den Argumenten',
  'request.keyInFiles.hint': 'Nennen Sie die Stelle bei jeder Datei, oder senden Sie eine einzige',
  'request.notJoined': ({ path, kind }) => `Nur Listen können verbunden werden, „${path}“ enthält aber: ${kind}`,
  'request.notJoined.hint': 'Senden Sie die Dateien als Liste, oder jede an eine eigene Stelle',
  'request.recordsUnused': 'Der Aufruf sagt, was von der Antwort gespeichert wird, aber sie wird nicht gespeichert',
  'request.recordsUnused.hint': 'Geben Sie auch an, wohin oder als was sie gespeichert wird',
  'request.noTemplate': 'Das Ausgabeformat „custom“ braucht eine Vorlage',
  'request.noTemplate.hint': 'Geben Sie eine Vorlage an, oder wählen Sie ein anderes Ausgabeformat',
  'request.templateUnused': ({ format }) => `Eine Vorlage gehört zum Ausgabeformat „custom“, nicht zu „${format}“`,
  'request.templateUnused.hint': 'Lassen Sie die Vorlage weg, oder wählen Sie das Ausgabeformat „custom“',
  'request.noServer': 'Es ist kein eingerichteter Server genannt',
  'request.noServer.hint': 'Die Seite Server zeigt ihre Namen',
  'request.otherArguments': 'Die übrigen Argumente sind kein JSON-Objekt',
  'request.otherArguments.hint': 'Schreiben Sie sie in { }, jedes mit Name und Wert, oder lassen Sie sie weg',
  'request.agentCannot': ({ refusal }) => `Ein Agent kann diesen Aufruf nicht machen: ${refusal}`,

  'batch.noList': ({ kind }) => `Mehrere Aufrufe brauchen eine Liste von Datensätzen, die Datei enthält aber ${contents[kind]}`,
  'batch.noList.hint': () => 'Senden Sie die Datei in einem Aufruf, oder wandeln Sie sie zuerst in eine Liste um',
  'batch.eachAndSize': 'Mit einem Aufruf je Datensatz gilt keine Anzahl oder Größe der Datensätze in einem Aufruf',
  'batch.eachAndSize.hint': () => 'Lassen Sie eines von beiden weg',
  'batch.inRecord': ({ error, record }) => `Datensatz ${record}: ${error}`,
  'batch.size': ({ size, most }) => `${size} Datensätze sind mehr als die ${most}, die das Werkzeug in einem Aufruf nimmt`,
  'batch.size.hint': ({ most }) => `Wählen Sie höchstens ${most} Datensätze`,
  'batch.onePlace': 'Mehrere Aufrufe gehen nur mit einer Liste an einer Stelle der Argumente',
  'batch.onePlace.hint': () => 'Geben Sie eine einzige Liste als Datei, oder senden Sie sie in einem Aufruf',
  'batch.sameCall': () => 'Setzen Sie denselben Aufruf fort',
  'batch.sameArguments': () => 'Setzen Sie denselben Aufruf fort, mit denselben Argumenten wie zuvor',
  'batch.sameFile': () =>
    'Setzen Sie mit der ursprünglichen Datei fort, oder senden Sie die geänderte als neuen Aufruf, ohne die Datensätze, die schon da sind',
  'batch.startPastEnd': ({ start, records }) =>
    `Der Aufruf beginnt bei Datensatz ${start}, hinter dem Ende: Es sind ${records} Datensätze`,
  'batch.rangesAndStart': 'Der Aufruf sagt auf zwei Arten, welche Datensätze gesendet werden',
  'batch.rangesOrder': ({ first, last }) => `Die Bereiche der Datensätze steigen bei ${first} bis ${last} nicht an`,
  'batch.rangesPastEnd': ({ last, records }) => `Die Bereiche enden bei Datensatz ${last}, es sind aber nur ${records}`,
  'batch.ranges.hint':
    'Jeder Bereich hat einen ersten und einen letzten Datensatz, beide eingeschlossen, ab 0 gezählt, wie der Beleg sie nennt',

  'receipt.running': ({ id }) => `Der Aufruf des Belegs „${id}“ läuft noch`,
  'receipt.running.hint': () => 'Warten Sie, bis er fertig ist, oder brechen Sie ihn ab',
  'receipt.resendAlone': 'Unklare Datensätze lassen sich nur zusammen mit einem Beleg erneut senden',
  'receipt.resumeAlone': 'Ein Aufruf, der einen früheren fortsetzt, kann seine Datensätze nicht auch noch wählen',
  'receipt.partlySent': ({ path, accepted, total, unknown, file }) =>
    `Nichts wurde gesendet: Von „${path}“${{ same: '', changed: ', wie die Datei vor ihrer Änderung war,', among: ' und den Dateien, die dabei waren,' }[file]} hat dieses Werkzeug früher ${accepted} von ${total} Datensätzen angenommen${unknown === 0 ? '' : `; bei ${unknown} ist es unklar`}`,
  'receipt.partlySent.hint': ({ id }) => `Setzen Sie mit dem Beleg „${id}“ fort, oder senden Sie alles noch einmal`,
  'receipt.partlySent.otherwise': ({ id }) =>
    `Damals wurde die Datei anders umgewandelt oder anders eingesetzt: Setzen Sie jenen Aufruf mit dem Beleg „${id}“ fort, oder senden Sie alles noch einmal`,
  'receipt.partlySent.changed': () => 'Senden Sie nur die fehlenden Datensätze, oder alles noch einmal',
  'receipt.unfinishedOther': ({ path, accepted, total, id }) =>
    `Ein Aufruf mit denselben Argumenten blieb vorher stehen: ${accepted} von ${total} Datensätzen aus „${path}“ wurden angenommen (Beleg ${id})`,
  'receipt.madeBefore': ({ path, time, id }) =>
    `Nichts wurde gesendet: Derselbe Aufruf mit „${path}“ (${time}, Beleg ${id}) läuft noch, oder sein Ausgang ist nicht bekannt`,
  'receipt.madeBefore.hint': 'Prüfen Sie auf dem Server, ob er ausgeführt wurde, oder senden Sie alles noch einmal',
  'receipt.stillSending': ({ path }) => `Nichts wurde gesendet: Ein anderer Aufruf sendet „${path}“ gerade an dieses Werkzeug`,
  'receipt.stillSending.hint': () => 'Warten Sie, bis er fertig ist, oder senden Sie alles noch einmal',
  'receipt.resumeAlone.hint': 'Der Beleg sagt, welche Datensätze fehlen',
  'receipt.unknown': ({ id }) => `Zu „${id}“ gibt es hier keinen Beleg`,
  'receipt.unknown.hint': 'Geben Sie die Kennung an, die auf dem Beleg steht',
  'receipt.otherTool': ({ id, its, given }) => `Der Beleg „${id}“ gehört zu ${its}, nicht zu ${given}`,
  'receipt.otherContent': ({ id, given, its }) =>
    `Die Datei hat nicht den Inhalt, den der Beleg „${id}“ nennt: Ihr SHA-256 ist ${given}, auf dem Beleg steht ${its}`,
  'receipt.otherCall': ({ id, inArguments }) =>
    inArguments
      ? `Der Aufruf hat andere Argumente als der des Belegs „${id}“`
      : `Der Aufruf wandelt die Datei anders um als der des Belegs „${id}“`,
  'receipt.movedOn': ({ id }) => `Ein anderer Aufruf hat inzwischen mit dem Beleg „${id}“ fortgesetzt`,
  'receipt.movedOn.hint': 'Wiederholen Sie den Aufruf: Der Beleg sagt, was noch fehlt',

  'job.notRunning': ({ id }) => `Kein Auftrag „${id}“ läuft: sein Aufruf ist beendet`,
  'job.notRunning.hint': 'Auf der Seite „Aktivität“ steht, was daraus wurde',
  'job.unknown': ({ id }) => `Einen Hintergrundauftrag „${id}“ gibt es nicht`,
  'job.unknown.none': 'Diese App hat keinen Auftrag begonnen und keinen Beleg mit dieser Kennung',
  'job.unknown.known': ({ known }) => `Bekannte Aufträge: ${known.join(', ')}`,
  'job.running': ({ id }) => `Der Auftrag „${id}“ läuft noch`,
  'job.running.hint': 'Warten Sie, bis er fertig ist, oder brechen Sie ihn ab',
  'job.many': ({ most }) => `Diese App hat ${most} Hintergrundaufträge zugleich: Mehr sind nicht erlaubt`,
  'job.many.hint': 'Warten Sie, bis einer fertig ist, oder brechen Sie einen ab',
  'job.follow': ({ id }) => `Seine Kennung ist ${id}. Auf der Seite „Aktivität“ steht, was daraus wird`,

  'call.mayHaveRun': ({ repeat, hint }) =>
    ['Der Aufruf ist vielleicht ausgeführt worden: Prüfen Sie das, bevor Sie ihn wiederholen', repeat, hint]
      .filter((part) => part !== null)
      .join('. '),
  'call.cancelled': 'Der Aufruf wurde abgebrochen',
  'call.cancelledByPerson': 'Sie haben diesen Aufruf abgebrochen',
  'call.cancelledByPerson.hint': 'Der Agent soll ihn nicht von sich aus wiederholen',
  'call.nothingLeft': 'Von diesem Aufruf ist nichts mehr zu senden',
  'call.cancelledOf': ({ tool }) => `Der Aufruf von „${tool}“ wurde abgebrochen`,

  'calls.many': ({ most }) => `Diese App hat ${most} Aufrufe zugleich: Mehr sind nicht erlaubt`,
  'calls.many.hint': 'Gesendet wurde nichts. Warten Sie auf Antworten, und wiederholen Sie dann den Aufruf',
  'calls.waiting': ({ ofClient, inAll }) =>
    `Der Aufruf wartet auf andere mit Dateien: ${ofClient} von dieser App, ${inAll} insgesamt`,

  'approval.longOnes': 'Der Aufruf braucht eine Freigabe, und andere mit langen Argumenten warten schon darauf',
  'approval.longOnes.hint': 'Beantworten Sie zuerst diese',
  'approval.many': ({ open, of }) =>
    `Der Aufruf braucht eine Freigabe, und ${open} Aufrufe ${of === 'all' ? 'aller Agenten' : 'dieses Agenten'} warten schon darauf`,
  'approval.many.hint': 'Beantworten Sie zuerst diese',
  'approval.notThroughWindow': ({ name }) =>
    `Der Aufruf von ${name} braucht eine Freigabe im offenen Fenster von Filebridge, und diese Verbindung läuft nicht darüber`,
  'approval.notThroughWindow.hint':
    'Verbinden Sie diesen Agenten neu, solange das Fenster offen ist, über dessen Adresse oder mit denselben Einstellungen',
  'approval.toolChanged': ({ server, tool }) =>
    `Der Server „${server}“ oder sein Werkzeug „${tool}“ hat sich geändert, während der Aufruf auf seine Freigabe wartete. Es wurde nichts gesendet`,
  'approval.toolChanged.hint': 'Beim nächsten Aufruf werden Sie danach gefragt, wie es jetzt ist',
  'approval.waiting': 'Der Aufruf wartet auf Ihre Freigabe',
  'approval.noCompletions': 'Vervollständigungen brauchen hier eine Erlaubnis, und für jede einzelne wird nicht gefragt',
  'approval.closed': 'Diese Frage ist nicht mehr offen',
  'approval.answering': 'Sie wird gerade beantwortet',
  'approval.over': 'Der Aufruf wurde abgebrochen, oder niemand hat rechtzeitig geantwortet',
  'approval.onceOnly': 'Eine Änderung an Dateien wird nur einmal erlaubt',
  'approval.onceOnly.hint': 'Auf der Seite „Ordner“ steht, was in jedem Ordner eine Freigabe braucht',
  'approval.nobodyAnswered': ({ name, seconds }) =>
    `Der Aufruf von ${name} braucht Ihre Zustimmung, und in ${spell(seconds)} kam keine Antwort`,
  'approval.nobodyAnswered.hint': 'Wiederholen Sie den Aufruf, und antworten Sie im Fenster von Filebridge',
  'approval.personOnly': ({ name }) => `Der Aufruf von ${name} braucht Ihre Zustimmung, die Sie nur in Filebridge geben können`,
  'approval.personOnly.hint': ({ silence }) =>
    `Starten Sie Filebridge, und lassen Sie den Aufruf wiederholen${silence === null ? '' : `. Oder: ${silence}`}`,
  'approval.nobody': ({ name }) => `Der Aufruf von ${name} braucht eine Zustimmung, und niemand kann gefragt werden`,
  'approval.nobody.hint': ({ silence }) =>
    `Verbinden Sie die App mit Filebridge über die Adresse, oder verwenden Sie eine App, die fragen kann. Oder: ${silence}`,
  'approval.tooLong': ({ name }) =>
    `Der Aufruf von ${name} braucht eine Zustimmung, und was er sendet, ist zu lang, um es in der App ganz zu zeigen`,
  'approval.tooLong.hint':
    'Öffnen Sie das Fenster von Filebridge, und stimmen Sie dort zu, wenn der Aufruf wiederholt wird. Lange Argumente gehen auch als Datei',
  'approval.unreadable': ({ name, bytes }) =>
    `Der Aufruf von ${name} braucht eine Zustimmung, aber seine Argumente haben mehr als ${inBytes(bytes)}: zu viel, um es zu lesen`,
  'approval.unreadable.newFile': 'Lassen Sie stattdessen eine neue Datei daneben schreiben',
  'approval.unreadable.asFile': 'Lassen Sie den Agenten den langen Inhalt als Datei senden',
  'approval.silence.server': ({ server }) =>
    `Wählen Sie auf der Seite „Server“ bei „${server}“ für „Vor einem Aufruf fragen“ die Antwort „Nie“`,
  'approval.silence.folder': ({ folder, change }) =>
    `Schalten Sie auf der Seite „Ordner“ bei „${folder}“ die Frage aus: „Mich fragen, bevor ein Agent … ${changes[change] ?? change}“`,
  'approval.refused': ({ name }) => `Sie haben den Aufruf von ${name} abgelehnt`,
  'approval.refused.hint': 'Sagen Sie dem Agenten, was Sie stattdessen möchten',
  'approval.fileChanged': ({ path }) =>
    `${path === null ? 'Eine Datei des Aufrufs' : `Die Datei „${path}“`} hat sich geändert, während der Aufruf auf Ihre Zustimmung wartete. Gesendet wurde nichts`,
  'approval.fileChanged.hint': 'Wiederholen Sie den Aufruf, damit Sie die Datei sehen, wie sie jetzt ist',

  'message.tooLarge.hint': ({ instead, server }) =>
    `${instead}. Nimmt der Server mehr an, erhöhen Sie die größte Nachricht von „${server}“ in Filebridge`,
  'message.callTooLarge': ({ bytes, server, allowed }) =>
    `Der Aufruf hätte ${inBytes(bytes)}, aber der Server „${server}“ nimmt höchstens ${inBytes(allowed)} an`,
  'message.sentTooLarge': ({ bytes, server, allowed }) =>
    `Die Nachricht des Aufrufs hat ${inBytes(bytes)}, aber der Server „${server}“ nimmt höchstens ${inBytes(allowed)} an`,
  'message.recordTooLarge': ({ record, bytes, server, line }) =>
    `Datensatz ${record} hat ${inBytes(bytes)}, mehr als in eine Nachricht an den Server „${server}“ passt${line === undefined ? '' : ` (Zeile ${line})`}`,
  'message.sendLess': () => 'Senden Sie weniger in einem Aufruf: Eine Liste kann in mehreren Aufrufen gehen',
  'message.fewerFiles': () => 'Senden Sie die Dateien in mehreren Aufrufen, oder weniger von jeder',
  'message.batch': () => 'Senden Sie die Datensätze in mehreren Aufrufen, oder weniger davon',
  'message.expression': () => 'Senden Sie nur das Nötige, mit einem Ausdruck in der Umformung',
  'message.wholeText': 'Ein Text geht ganz in einen Aufruf: Teilen Sie die Datei, und machen Sie für jeden Teil einen Aufruf',
  'message.smallerRecord': () => 'Lassen Sie Teile der Datensätze weg, oder den Datensatz selbst',

  'idempotency.repeat': ({ argument, key }) =>
    `Damit der Server einen wiederholten Aufruf erkennt, geben Sie ${key} als Argument „${argument}“ an`,
  'idempotency.added': ({ argument }) =>
    `Jeder Aufruf erhält einen Schlüssel in ${argument}, an dem der Server eine Wiederholung erkennt`,
  'idempotency.eachCall': ({ argument }) =>
    `Jeder Aufruf hat einen anderen Schlüssel in ${argument}, an dem der Server eine Wiederholung erkennt`,

  'sending.lineBreak': 'Die Argumente enthalten einen Zeilenumbruch, mit dem sie nicht gesendet werden können',
  'sending.fileChanged': 'Die Datei hat sich geändert, während sie gesendet wurde',
  'sending.fileChanged.hint': 'Der Server hat nichts angenommen. Machen Sie den Aufruf noch einmal',

  'answer.notStored': ({ reason }) => `Die Antwort konnte nicht wie gewünscht gespeichert werden: ${reason}`,
  'answer.overLimit': ({ tokens, limit }) =>
    `Die Antwort hat ${tokens.toLocaleString('de')} Token, mehr als die ${limit.toLocaleString('de')} bei „Antworten speichern ab“ in den Einstellungen, und wurde deshalb gespeichert:`,
  'answer.notATable': ({ format, wished, file, lists, records }) => {
    const named = lists.filter((list) => list !== '').join(', ');
    const none = lists.length === 0 ? 'keine Liste von Datensätzen' : `mehrere Listen (${named})`;
    const why = records === undefined ? none : `keine Liste bei „${records}“${named === '' ? '' : `, nur bei ${named},`}`;
    return `Die Antwort hat ${why} und wurde deshalb ${format === wished ? 'ganz' : `als ${format}`} gespeichert${format === wished ? '' : `, nicht als ${wished}`}: ${file}`;
  },
  'answer.leftOut': ({ lists, file }) => `In ${file} fehlen die kürzeren Listen der Antwort: ${lists.join(', ')}`,
  'answer.serverSaid': ({ reason }) => `Der Server meldete: ${reason}`,
  'answer.doubtful': ({ words }) => `Der Server meldete keinen Fehler, berichtet aber von Fehlschlägen: ${words}`,
  'answer.moreRecords': ({ records, more }) =>
    `Die Antwort ist eine Seite einer längeren Liste: ${records} Datensätze sind in der Datei; der Server meldet ${more.join(', ')}`,
  'preview.rowsLeftOut': ({ left, limit }) => `${left} Zeilen haben in ${limit} Token keinen Platz`,
  'answer.readRecords': () => 'Der Agent kann die Datensätze in Teilen lesen',
  'answer.readText': 'Der Agent kann in der Datei weiterlesen',
  'answer.notWritten': ({ extension, format, known }) =>
    `Als ${extension} werden Antworten nicht geschrieben: Diese wurde als ${format} gespeichert. Es gibt ${known.join(', ')}`,
  'answer.blocksLeftOut': ({ format, blocks }) =>
    `Als ${format} ist die Antwort reiner Text, ohne ${blocks.join(', ')}. Eine gespeicherte Antwort behält ihre Dateien`,
  'answer.shownBeside': ({ index }) => `Bild oder Ton ${index} neben diesem JSON`,
  'answer.notNamed': ({ filename, files }) =>
    `Keine Datei der Antwort heißt ${filename}, weil keine von dieser Art ist oder der Name vergeben ist: ${files.join(', ')}`,
  'answer.templateHoles': ({ holes }) => `Die Antwort hat nichts für ${holes.join(', ')}`,
  'answer.noReason': 'Der Server nennt keinen Grund',
  'answer.failed': ({ tool, reason }) => `Das Werkzeug „${tool}“ meldet einen Fehler: ${reason}`,
  'answer.notObject': ({ tool }) => `Das Werkzeug „${tool}“ ist gescheitert: Seine Antwort ist kein Objekt`,
  'answer.nested': ({ tool, levels }) =>
    `Das Werkzeug „${tool}“ ist gescheitert: Seine Antwort ist tiefer als ${levels} Ebenen verschachtelt`,
  'answer.nested.hint': 'Kein Programm könnte diese Antwort lesen. Verlangen Sie weniger',
  'answer.notJsonRpc': ({ bytes, reason }) => `Die Antwort des Servers (${inBytes(bytes)}) ist kein gültiges JSON-RPC: ${reason}`,
  'answer.notJsonRpc.hint': 'Kein Teil der Antwort ist lesbar',
  'answer.overSize': ({ most }) =>
    `Der Server hat mehr als die ${inBytes(most)} gesendet, die von einer Antwort angenommen werden`,
  'answer.overSize.hint': 'Verlangen Sie weniger auf einmal',
  'answer.overMemory': ({ bytes }) =>
    `Die Antwort des Servers (${inBytes(bytes)}) hat zu viele Werte für den Arbeitsspeicher von Filebridge`,
  'answer.overMemory.hint': 'Verlangen Sie weniger auf einmal',

  'resource.tooLarge': ({ bytes, most }) => `Die Ressource hat ${inBytes(bytes)}; gelesen werden höchstens ${inBytes(most)}`,
  'resource.tooLarge.hint': 'Lesen Sie sie in Teilen von ihrem Pfad',
  'resource.unknown': ({ uri }) => `Die Ressource „${uri}“ gibt es nicht`,
  'resource.unknown.hint': 'Lesbar sind die Antworten, die diese App gespeichert hat; Dateien lesen die Dateiwerkzeuge',

  'sent.before': ({ path, earlierPath, time, receipt }) =>
    `Der Inhalt von „${path}“ ging schon einmal an dieses Werkzeug${earlierPath === null ? '' : `, als „${earlierPath}“`}: ${time}, ${receipt === null ? 'von einer anderen App' : `Beleg ${receipt}`}.`,

  'list.starting': ({ server, seconds }) => `Der Server „${server}“ ist nach ${seconds} s noch nicht bereit`,
  'list.starting.hint': 'Versuchen Sie es gleich noch einmal. Die anderen Server gehen schon',
  'list.noServers': 'Es ist kein Server eingerichtet. Fügen Sie auf der Seite Server einen hinzu',
  'list.nothingFound': ({ query, offered }) =>
    `Kein Werkzeug enthält alle Wörter von ${JSON.stringify(query)}. Ohne Suche ${offered === 1 ? 'ist eines' : `sind ${offered}`} zu sehen`,
  'list.noFolders': 'Es ist noch kein Ordner erlaubt. Erlauben Sie einen auf der Seite Ordner',

  paused: 'Filebridge ist angehalten',
  'paused.hint': 'Setzen Sie Filebridge fort, und wiederholen Sie den Aufruf',

  'preview.closed': 'Diese Vorschau ist nicht mehr offen',
  'preview.closed.hint': 'Öffnen Sie die Datei noch einmal',
};
