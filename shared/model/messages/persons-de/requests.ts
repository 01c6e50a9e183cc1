/** Anfragen, die so nicht ausgeführt werden können: Aufrufe, Teilaufrufe, Belege, Hintergrundaufträge, gespeicherte Antworten. */
import type { requests as english } from '../agents/requests.ts';
import type { Table } from '../table.ts';
import { inBytes } from './numbers.ts';

export const requests: Table<typeof english> = {
  'request.twoPaths': 'path und file_path sind zwei Namen desselben Parameters, haben aber verschiedene Werte',
  'request.twoPaths.hint': 'Geben Sie nur path an',
  'request.noFile': 'Es ist keine Datei genannt',
  'request.pathAndFiles': 'path und files sind beide angegeben',
  'request.pathOrFiles': 'Geben Sie path für eine Datei oder eine Liste an, oder files für mehrere Stellen, aber nicht beides',
  'request.keyInFiles': 'data_key gehört in jeden Eintrag von files',
  'request.keyInFiles.hint': 'Setzen Sie data_key in files[…], oder verwenden Sie path',
  'request.notJoined': ({ path, kind }) => `Nur Listen können verbunden werden, „${path}“ enthält aber: ${kind}`,
  'request.notJoined.hint': 'Setzen Sie combine: "list", oder verwenden Sie files mit je einem data_key',
  'request.noTemplate': 'Das Ausgabeformat „custom“ braucht eine Vorlage',
  'request.noTemplate.hint': 'Geben Sie template an, zum Beispiel "{{meta.records}} rows: {{text}}"',
  'request.templateUnused': ({ format }) => `Eine Vorlage gehört zum Ausgabeformat „custom“, nicht zu „${format}“`,
  'request.templateUnused.hint': 'Lassen Sie template weg, oder wählen Sie das Ausgabeformat „custom“',
  'request.noServer': 'Es ist kein eingerichteter Server genannt',
  'request.noServer.hint': 'Die Seite Server zeigt ihre Namen',
  'request.otherArguments': 'Die übrigen Argumente sind kein JSON-Objekt',
  'request.otherArguments.hint': 'Schreiben Sie sie wie {"table": "users"}, oder lassen Sie sie weg',
  'request.agentCannot': ({ refusal }) => `Ein Agent kann diesen Aufruf nicht machen: ${refusal}`,
  paused: 'Filebridge ist angehalten',
  'paused.hint': 'Setzen Sie Filebridge fort, und wiederholen Sie den Aufruf',
  'preview.closed': 'Diese Vorschau ist nicht mehr offen',
  'preview.closed.hint': 'Öffnen Sie die Datei noch einmal',

  'approval.nobodyAnswered': ({ name, seconds }) =>
    `Der Aufruf von ${name} braucht Ihre Zustimmung, und in ${spell(seconds)} kam keine Antwort`,
  'approval.nobodyAnswered.hint': 'Wiederholen Sie den Aufruf, und antworten Sie im Fenster von Filebridge',
  'approval.personOnly': ({ name }) =>
    `Der Aufruf von ${name} braucht eine Zustimmung, die nur eine Person in Filebridge geben kann`,
  'approval.personOnly.hint': ({ confirm, silence }) =>
    `Starten Sie Filebridge oder „filebridge console“, und wiederholen Sie den Aufruf. Mit "approvals": {"throughClient": "${confirm}"} in der Konfiguration darf stattdessen die App des Agenten fragen und antworten${silence === null ? '' : `. Oder: ${silence}`}`,
  'approval.silence.server': ({ server }) => `Setzen Sie "confirm": "never" beim Server „${server}“`,
  'approval.silence.folder': ({ folder, change }) =>
    `Setzen Sie in der Konfiguration beim Ordner „${folder}“ "approve": {"${change}": false}`,
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
  'approval.unreadable.asFile': 'Der lange Inhalt kann als Datei gesendet werden, mit call_tool_with_file_content',
  'approval.refused': ({ name }) => `Sie haben den Aufruf von ${name} abgelehnt`,
  'approval.refused.hint': 'Sagen Sie dem Agenten, was Sie stattdessen möchten',
  'approval.fileChanged': ({ path }) =>
    `${path === null ? 'Eine Datei des Aufrufs' : `Die Datei „${path}“`} hat sich geändert, während der Aufruf auf Ihre Zustimmung wartete. Gesendet wurde nichts`,
  'approval.fileChanged.hint': 'Wiederholen Sie den Aufruf, damit Sie die Datei sehen, wie sie jetzt ist',

  'batch.startPastEnd': ({ start, records }) => `batch.start ${start} liegt hinter dem Ende: Es sind ${records} Datensätze`,
  'batch.rangesAndStart': 'batch.ranges und batch.start schließen einander aus',
  'batch.rangesOrder': ({ first, last }) => `Die Bereiche in batch.ranges steigen bei [${first}, ${last}] nicht an`,
  'batch.rangesPastEnd': ({ last, records }) => `batch.ranges endet bei Datensatz ${last}, es sind aber nur ${records}`,
  'batch.ranges.hint':
    'Jeder Bereich ist [erster, letzter], beide eingeschlossen, ab 0 gezählt und aufsteigend, wie der Beleg sie nennt',
  'receipt.resumeAlone': 'batch.resume schließt batch.start und batch.ranges aus',
  'receipt.resumeAlone.hint': 'Der Beleg sagt, welche Datensätze fehlen',
  'receipt.unknown': ({ id }) => `Zu „${id}“ gibt es hier keinen Beleg`,
  'receipt.unknown.hint': 'Geben Sie die Kennung an, die auf dem Beleg steht',
  'receipt.otherTool': ({ id, its, given }) => `Der Beleg „${id}“ gehört zu ${its}, nicht zu ${given}`,
  'receipt.otherContent': ({ id, given, its }) =>
    `Die Datei hat nicht den Inhalt, den der Beleg „${id}“ nennt: Ihr SHA-256 ist ${given}, auf dem Beleg steht ${its}`,
  'receipt.otherCall': ({ id }) => `Der Aufruf hat andere Argumente als der des Belegs „${id}“, oder wandelt die Datei anders um`,
  'receipt.movedOn': ({ id }) => `Ein anderer Aufruf hat inzwischen mit dem Beleg „${id}“ fortgesetzt`,
  'receipt.movedOn.hint': 'Wiederholen Sie den Aufruf: Der Beleg sagt, was noch fehlt',

  'job.unknown': ({ id }) => `Einen Hintergrundauftrag „${id}“ gibt es nicht`,
  'job.unknown.none': 'Diese App hat keinen Auftrag begonnen und keinen Beleg mit dieser Kennung',
  'job.unknown.known': ({ known }) => `Bekannte Aufträge: ${known.join(', ')}`,
  'job.running': ({ id }) => `Der Auftrag „${id}“ läuft noch`,
  'job.running.hint': 'Warten Sie, bis er fertig ist, oder brechen Sie ihn ab',
  'job.many': ({ most }) => `Diese App hat ${most} Hintergrundaufträge zugleich: Mehr sind nicht erlaubt`,
  'job.many.hint': 'Warten Sie, bis einer fertig ist, oder brechen Sie einen ab',
  'job.follow': ({ id }) => `Verfolgen Sie ihn mit job_status {"job_id": "${id}"}`,
  'calls.many': ({ most }) => `Diese App hat ${most} Aufrufe zugleich: Mehr sind nicht erlaubt`,
  'calls.many.hint': 'Gesendet wurde nichts. Warten Sie auf Antworten, und wiederholen Sie dann den Aufruf',
  'calls.waiting': ({ ofClient, inAll }) =>
    `Der Aufruf wartet auf andere mit Dateien: ${ofClient} von dieser App, ${inAll} insgesamt`,

  'list.starting': ({ server, seconds }) => `Der Server „${server}“ ist nach ${seconds} s noch nicht bereit`,
  'list.starting.hint': 'Versuchen Sie es gleich noch einmal. Die anderen Server gehen schon',
  'list.noServers': 'Es ist kein Server eingerichtet. Fügen Sie auf der Seite Server einen hinzu',
  'list.nothingFound': ({ query, offered }) =>
    `Kein Werkzeug enthält alle Wörter von ${JSON.stringify(query)}. Ohne Suche ${offered === 1 ? 'ist eines' : `sind ${offered}`} zu sehen`,
  'list.noFolders': 'Es ist noch kein Ordner erlaubt. Erlauben Sie einen auf der Seite Ordner',

  'answer.notStored': ({ reason }) => `Die Antwort konnte nicht wie gewünscht gespeichert werden: ${reason}`,
  'answer.overLimit': ({ tokens, limit }) =>
    `Die Antwort hat ${tokens.toLocaleString('de')} Token, mehr als die Grenze von ${limit.toLocaleString('de')} (responses.spillOverTokens), und wurde deshalb gespeichert:`,
  'answer.notATable': ({ format, wished }) =>
    `Die Antwort ist keine Liste von Datensätzen und wurde deshalb als ${format} gespeichert, nicht als ${wished}`,
  'answer.notWritten': ({ extension, format, known }) =>
    `Als ${extension} werden Antworten nicht geschrieben: Diese wurde als ${format} gespeichert. Es gibt ${known.join(', ')}`,
  'answer.templateHoles': ({ holes }) => `Die Antwort hat nichts für ${holes.join(', ')}`,
  'answer.noReason': 'Der Server nennt keinen Grund',
  'answer.failed': ({ tool, reason }) => `Das Werkzeug „${tool}“ meldet einen Fehler: ${reason}`,
  'resource.tooLarge': ({ bytes, most }) => `Die Ressource hat ${inBytes(bytes)}; gelesen werden höchstens ${inBytes(most)}`,
  'resource.tooLarge.hint': 'Lesen Sie sie in Teilen von ihrem Pfad',
  'resource.unknown': ({ uri }) => `Die Ressource „${uri}“ gibt es nicht`,
  'resource.unknown.hint': 'Lesbar sind die Antworten, die diese App gespeichert hat; Dateien lesen die Dateiwerkzeuge',
  'sent.before': ({ path, earlierPath, time, receipt }) =>
    `Der Inhalt von „${path}“ ging schon einmal an dieses Werkzeug${earlierPath === null ? '' : `, als „${earlierPath}“`}: ${time}, ${receipt === null ? 'von einer anderen App' : `Beleg ${receipt}`}.`,
};

function spell(seconds: number): string {
  if (seconds % 60 !== 0) return seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`;
  return seconds === 60 ? 'einer Minute' : `${seconds / 60} Minuten`;
}
