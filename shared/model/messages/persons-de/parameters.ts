/** Was an den Parametern eines Werkzeugs von Filebridge nicht stimmt. */
import type { parameters as english, ValueKind } from '../agents/parameters.ts';
import type { Table } from '../table.ts';

const kinds: Record<ValueKind, string> = {
  null: 'null',
  nothing: 'nichts',
  list: 'eine Liste',
  object: 'ein Objekt',
  text: 'ein Text',
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'ein Wahrheitswert',
  other: 'etwas anderes',
};
const units = { value: '', characters: ' Zeichen', items: ' Einträge' };

export const parameters: Table<typeof english> = {
  'parameter.several': ({ faults }) => faults.join('. '),
  'parameter.hints': ({ hints }) => hints.join('. '),
  'parameter.unknown': ({ name }) => `Den Parameter „${name}“ gibt es nicht`,
  'parameter.unknown.hint': ({ near, known, forTool }) => {
    if (near !== null) return forTool === null ? near : `${near} Gehört er zum Werkzeug selbst, kommt er in ${forTool}`;
    return `${forTool === null ? '' : `Die Argumente des Werkzeugs kommen in ${forTool}. `}Es gibt: ${known.join(', ')}`;
  },
  'parameter.missing': ({ name }) => `Der Parameter „${name}“ fehlt`,
  'parameter.example': ({ example }) => `Zum Beispiel ${example}`,
  'parameter.jobExample': ({ example }) => `Ein Aufruf mit background: true antwortet mit seiner job_id. Zum Beispiel ${example}`,
  'parameter.kind': ({ name, wanted, given }) =>
    `${name === null ? 'Für die Argumente' : `Für den Parameter „${name}“`} ist ${wanted.map((each) => ('kind' in each ? kinds[each.kind] : each.values.join(', '))).join(' oder ')} nötig, angegeben ist ${kinds[given]}`,
  'parameter.quoted': 'Geben Sie JSON an, keinen Text, der JSON enthält',
  'parameter.values': ({ name, values }) =>
    `Für den Parameter „${name}“ gibt es ${values.length > 1 ? 'diese Werte' : 'nur'}: ${values.join(', ')}`,
  'parameter.bounds': ({ name, least, most, of }) =>
    `Der Parameter „${name}“ ist ungültig: Nötig sind ${[least === null ? [] : `mindestens ${least}${units[of]}`, most === null ? [] : `höchstens ${most}${units[of]}`].flat().join(' und ')}`,
  'parameter.invalid': ({ name, reason }) => `Der Parameter „${name}“ ist ungültig: ${reason}`,
  'parameter.oneSource': ({ parameter, name, missing }) =>
    `${missing ? 'Es fehlt' : 'Doppelt angegeben ist'} „${parameter}“: Nötig ist genau eines von ${name} und ${name}_base64`,
  'parameter.base64': ({ name }) => `Der Parameter „${name}“ ist kein gültiges Base64`,
  'parameter.base64.hint': 'Verwenden Sie das übliche Alphabet mit Füllzeichen, ohne Zeilenumbrüche und Leerzeichen',
  'tool.gone': ({ name }) => `Das Werkzeug „${name}“ gibt es nicht mehr`,
  'operation.unknown': ({ name }) => `Die Anfrage „${name}“ gibt es nicht`,
  'operation.input': ({ name, reason }) => `Die Anfrage „${name}“ ist falsch: ${reason}`,
  'operation.answer': ({ name }) => `Die Antwort auf „${name}“ ist anders, als diese Seite sie erwartet`,
  'operation.answer.hint': 'Laden Sie die Seite neu: Sie ist vielleicht älter als das Programm',
  'host.silent': 'Filebridge antwortet nicht',
  'host.silent.hint': 'Vielleicht wurde es beendet',
  'question.closed': 'Dieser Aufruf wartet nicht mehr auf eine Antwort',
  'question.closed.hint': 'Wiederholen Sie den Aufruf',
  'question.late': 'Die Frage wurde nicht rechtzeitig beantwortet',
  'question.many': 'Zu viele Aufrufe dieser App warten auf eine Antwort',
  'question.token': 'Der Zugangsschlüssel gilt nicht mehr',
  'question.closing': 'Filebridge wird beendet',
};
