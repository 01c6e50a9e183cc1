/** Was Aufrufen im Weg steht. */
import type { calls as english } from '../agents/calls.ts';
import type { Table } from '../table.ts';
import { contents } from './binding.ts';
import { inBytes } from './numbers.ts';

export const calls: Table<typeof english> = {
  'arguments.batchOrLimit': () => 'Senden Sie die Datensätze in mehreren Aufrufen, oder nehmen Sie weniger davon',
  'arguments.correctFile': () => 'Berichtigen Sie die Datei, oder ändern Sie ihre Werte mit Typen oder einer Umformung',
  'arguments.noParameter': ({ given, tool, known }) =>
    `„${given}“ ist kein Parameter von ${tool}. Es gibt: ${known.join(', ')}. Wählen Sie den, der die Datei nimmt`,
  'arguments.asText': ({ holds }) =>
    `Übergeben Sie ${holds === 'list' ? 'die Datensätze als CSV, als Markdown oder ' : ''}die Datei als Text, oder als Base64 für ihre Bytes`,
  'arguments.eachRecord': () =>
    'Das Werkzeug nimmt einen einzelnen Datensatz. Ein Agent kann mit batch: {"each": true} für jeden einen Aufruf machen',
  'arguments.leaveOutAs': () => 'Das Werkzeug nimmt die Datensätze selbst: Wählen Sie „Automatisch“',
  'arguments.intoMember': ({ key }) => `Wählen Sie als Ziel „${key}“`,
  'arguments.emptyCell': ({ column, isText }) =>
    `Füllen Sie die Zelle aus, oder lassen Sie Datensätze ohne „${column}“ weg${isText ? ', oder lesen Sie die Spalte als Text: dann wird ein leerer Text gesendet' : ''}`,
  'arguments.missing': () => 'Ergänzen Sie die fehlenden Argumente',

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
    `Damit der Server einen wiederholten Aufruf erkennt, setzen Sie ${argument} in tool_args auf ${key}`,
  'idempotency.added': ({ argument }) =>
    `Jeder Aufruf erhält einen Schlüssel in ${argument}, an dem der Server eine Wiederholung erkennt`,
  'idempotency.eachCall': ({ argument }) =>
    `Jeder Aufruf hat einen anderen Schlüssel in ${argument}, an dem der Server eine Wiederholung erkennt`,

  'batch.noList': ({ kind }) => `Mehrere Aufrufe brauchen eine Liste von Datensätzen, die Datei enthält aber ${contents[kind]}`,
  'batch.noList.hint': () => 'Senden Sie die Datei in einem Aufruf, oder wandeln Sie sie zuerst in eine Liste um',
  'batch.eachAndSize': 'Mit einem Aufruf je Datensatz gelten batch.size und batch.max_bytes nicht',
  'batch.eachAndSize.hint': () => 'Lassen Sie eines von beiden weg',
  'batch.inRecord': ({ error, record }) => `Datensatz ${record}: ${error}`,
  'batch.size': ({ size, most }) => `${size} Datensätze sind mehr als die ${most}, die das Werkzeug in einem Aufruf nimmt`,
  'batch.size.hint': ({ most }) => `Wählen Sie höchstens ${most} Datensätze`,
  'batch.onePlace': 'Mehrere Aufrufe gehen nur mit einer Liste an einer Stelle der Argumente',
  'batch.onePlace.hint': () => 'Geben Sie eine einzige Liste als Datei, oder senden Sie sie in einem Aufruf',
  'batch.sameCall': () => 'Machen Sie denselben Aufruf wie zuvor, mit batch.resume',
  'batch.sameArguments': () => 'Machen Sie denselben Aufruf mit denselben Argumenten wie zuvor, mit batch.resume',
  'batch.sameFile': () =>
    'Setzen Sie mit der ursprünglichen Datei fort, oder senden Sie die geänderte als neuen Aufruf, mit batch.ranges, wenn einige Datensätze schon da sind',

  'transform.noList': ({ step, kind }) => `${step} braucht eine Liste von Datensätzen, die Datei enthält aber: ${kind}`,
  'transform.noList.hint': () => 'Verwenden Sie einen Ausdruck, der mit jedem Wert geht, oder lassen Sie die Umformung weg.',
  'convert.outOfMemory': 'Das Umwandeln der Datei brauchte mehr Speicher, als dafür da ist',
  'convert.outOfMemory.hint': () =>
    'Nehmen Sie eine kleinere Datei, oder weniger davon. YAML, XML und Ausdrücke brauchen alles im Speicher',

  'companion.formats': () =>
    'Eine Liste oder ein Objekt wird aus JSON, JSON Lines, CSV, YAML oder XML gelesen, wie es der Name der Datei oder das Format sagt; anderer Text kann nur für einen Text stehen',

  'file.which': ({ error, path }) => `${error}, in „${path}“`,
  'file.exists': ({ path }) => `Die Datei „${path}“ gibt es schon`,
  'file.exists.name': 'Wählen Sie einen anderen Namen, oder erlauben Sie, sie zu ersetzen',
  'file.exists.asks': 'In diesem Ordner wird vor dem Überschreiben gefragt: Wählen Sie einen anderen Namen',
  'file.exists.filename': 'Wählen Sie einen anderen Namen, oder erlauben Sie, sie zu ersetzen',
};
