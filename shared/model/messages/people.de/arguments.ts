/** German for agents.en/arguments.ts. */
import type { Candidate, argumentWords as english, ValueKind } from '../agents.en/arguments.ts';
import type { Table } from '../message.ts';
import { counted } from '../phrases.ts';
import { contents } from './phrases.ts';

const kinds = {
  list: 'eine Liste',
  object: 'ein Objekt',
  string: 'ein Text',
  number: 'eine Zahl',
  boolean: 'ein Wahrheitswert',
  null: 'null',
};

const listed = (candidates: readonly Candidate[]): string =>
  candidates
    .map(({ key, types: taken }) => `${key} (${taken === null ? 'jeder Typ' : taken.join(' oder ') || 'kein Typ'})`)
    .join(', ');

const types: Record<string, string> = {
  array: 'eine Liste',
  object: 'ein Objekt',
  string: 'ein Text',
  number: 'eine Zahl',
  integer: 'eine ganze Zahl',
  boolean: 'true oder false',
};

const comparisons: Record<string, string> = {
  '>=': 'mindestens',
  '<=': 'höchstens',
  '>': 'größer sein als',
  '<': 'kleiner sein als',
};

const things = { items: 'Einträge', characters: 'Zeichen', properties: 'Felder' };

const valueKinds: Record<ValueKind, string> = {
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

export const argumentWords: Table<typeof english> = {
  'arguments.batchOrLimit': () => 'Senden Sie die Datensätze in mehreren Aufrufen, oder nehmen Sie weniger davon',
  'arguments.correctFile': () => 'Berichtigen Sie die Datei, oder ändern Sie ihre Werte mit Typen oder einer Umformung',
  'arguments.noRecords':
    'Die Datei gibt keine Datensätze her: Sehen Sie sie in der Vorschau an, und prüfen Sie den Filter, falls es einen gibt',
  'arguments.beside': 'Der Fehler liegt in den anderen Argumenten, nicht in der Datei',
  'arguments.leaveOutAs': () => 'Das Werkzeug nimmt die Datensätze selbst: Wählen Sie „Automatisch“',
  'arguments.intoMember': ({ key }) => `Wählen Sie als Ziel „${key}“`,
  'arguments.emptyCell': ({ column, isText }) =>
    `Füllen Sie die Zelle aus, oder lassen Sie Datensätze ohne „${column}“ weg${isText ? ', oder lesen Sie die Spalte als Text: dann wird ein leerer Text gesendet' : ''}`,
  'arguments.noParameter': ({ given, tool, known }) =>
    `„${given}“ ist kein Parameter von ${tool}. Es gibt: ${known.join(', ')}. Wählen Sie den, der die Datei nimmt`,
  'arguments.asText': ({ holds }) =>
    `Übergeben Sie ${holds === 'list' ? 'die Datensätze als CSV, als Markdown oder ' : ''}die Datei als Text, oder als Base64 für ihre Bytes`,
  'arguments.eachRecord': () => 'Das Werkzeug nimmt einen einzelnen Datensatz. Ein Agent kann für jeden einen Aufruf machen',
  'arguments.listOfExpression':
    'Der Ausdruck findet einen Wert, und das Werkzeug nimmt eine Liste: Setzen Sie den Ausdruck in [ ]',
  'arguments.strayOption': ({ name, tool }) => `Nichts wurde gesendet: „${name}“ ist kein Parameter von ${tool}`,
  'arguments.strayOption.hint': ({ name }) => `„${name}“ gehört zu den Angaben zur Datei`,
  'arguments.pathAsBytes': ({ name, path }) =>
    `Nichts wurde gesendet: „${name}“ nimmt Base64, und ${path} ist der Pfad einer Datei`,
  'arguments.pathAsBytes.hint': ({ name }) => `Geben Sie die Datei selbst an „${name}“`,
  'arguments.notEach': () => 'Das Werkzeug nimmt die ganze Liste: Senden Sie die Datensätze nicht einzeln',
  'arguments.missing': () => 'Ergänzen Sie die fehlenden Argumente',

  'dataKey.invalid': ({ key, reason, character }) =>
    `Die Stelle „${key}“ für die Datei ist kein Pfad: ${reason}, bei Zeichen ${character}`,
  'dataKey.invalid.hint':
    'Schreiben Sie ihn wie records, config.users oder files[0].content, mit \\. für einen Punkt in einem Namen',
  'dataKey.strayClosing': '„]“ ohne „[“',
  'dataKey.noClosing': '„[“ ohne „]“',
  'dataKey.escape': 'ein \\ vor einem Zeichen, das keines braucht',
  'dataKey.emptyName': 'ein leerer Name',
  'dataKey.nameRefused': ({ name }) => `der Name „${name}“, der nicht erlaubt ist`,
  'dataKey.indexNotWhole': 'ein Index, der keine ganze Zahl ist',
  'dataKey.indexZero': 'ein Index, der mit einer Null beginnt',
  'dataKey.indexHigh': ({ most }) => `ein Index über ${most}`,
  'dataKey.afterClosing': 'Text nach „]“',
  'dataKey.misfit': ({ key, above, is, wanted }) =>
    `An die Stelle „${key}“ passt die Datei nicht: ${above === null ? 'Die Argumente sind' : `„${above}“ in den Argumenten ist`} ${kinds[is]} ohne Platz für ${typeof wanted === 'number' ? `den Eintrag [${wanted}]` : `ein Feld „${wanted}“`}`,
  'dataKey.misfit.item': ({ example }) => `Nennen Sie einen Eintrag der Liste, wie ${example}`,
  'dataKey.misfit.other': 'Wählen Sie eine andere Stelle',
  'dataKey.gap': ({ key, before }) =>
    `Die Stelle „${key}“ für die Datei lässt eine Lücke: Die Liste hat davor ${counted(before, 'Eintrag', 'Einträge')}`,
  'dataKey.gap.hint': ({ first }) => `Beginnen Sie bei ${first}`,

  'binding.twoFiles': ({ key }) => `Für „${key}“, oder für Stellen ineinander, sind zwei Dateien angegeben`,
  'binding.twoFiles.hint': 'Geben Sie jeder Datei eine eigene Stelle',
  'binding.fileAndArgument': ({ key }) => `„${key}“ kommt sowohl aus der Datei als auch aus den anderen Argumenten`,
  'binding.fileAndArgument.hint': 'Lassen Sie es in den anderen Argumenten weg',
  'binding.several': ({ holds, candidates }) =>
    `Die Datei enthält ${contents[holds]}, und mehrere Argumente könnten das annehmen: ${listed(candidates)}`,
  'binding.noneFits': ({ holds, candidates }) =>
    `Die Datei enthält ${contents[holds]}, und kein freies Argument des Werkzeugs nimmt das an: ${listed(candidates)}`,
  'binding.noneFree': ({ holds }) =>
    `Die Datei enthält ${contents[holds]}, und das Schema des Werkzeugs nennt kein Argument, das noch frei ist`,
  'binding.ambiguous.hint': 'Wählen Sie, wohin die Datei gehört',
  'binding.list.hint': ({ text }) =>
    `Wählen Sie, wohin die Datei gehört. Ein Agent kann für jeden Datensatz einen Aufruf machen${text ? ', oder die Datensätze als Text übergeben' : ''}`,

  'companion.takesNoFile': ({ parameter, key }) => `${parameter} nimmt keine Datei, deshalb gibt es ${key} nicht`,
  'companion.takesNoFile.hint': ({ parameter }) => `Geben Sie ${parameter} selbst an`,
  'companion.notBoth': ({ parameter, key }) => `geben Sie entweder ${parameter} oder ${key} an, nicht beides`,
  'companion.either': ({ parameter, key }) => `geben Sie ${parameter} oder ${key} an`,
  'companion.addressAsValue': ({ parameter, key }) =>
    `„${parameter}“ ist die Adresse einer Datei, nicht ihr Inhalt: Geben Sie „${key}“ an`,
  'companion.addressAsValue.hint': ({ parameter, key }) =>
    `„${key}“ sendet den Inhalt der Datei. Soll „${parameter}“ nur diese Adresse enthalten, beenden Sie sie mit einem Zeilenumbruch`,
  'companion.pathOfFile': ({ key }) => `${key} muss der Pfad einer Datei sein`,
  'companion.at': ({ place, item, what }) => `${place}${item === null ? '' : ` „${item}“`}: ${what}`,
  'companion.valueOrFile.hint': ({ parameter }) =>
    `Geben Sie ${parameter} als Wert an, oder den Pfad einer Datei mit diesem Wert`,
  'companion.optionsOnly': () => 'Der Aufruf bestimmt, wie Dateien gelesen werden, hat aber keine Datei',
  'companion.optionsOnly.hint': () => 'Nennen Sie eine Datei, oder lassen Sie weg, wie sie gelesen wird',
  'companion.noTool': ({ server, tool }) => `Der Server „${server}“ hat hier kein Werkzeug mit dem Namen „${tool}“`,
  'companion.pathAsValue': ({ parameter, companion }) =>
    `${parameter} hat einen Pfad als Wert; um die Datei zu übergeben, geben Sie sie in ${companion} an`,
  'companion.formats': () =>
    'Eine Liste oder ein Objekt wird aus JSON, JSON Lines, CSV, YAML oder XML gelesen, wie es der Name der Datei oder das Format sagt; anderer Text kann nur für einen Text stehen',

  'schema.mismatch': ({ problems, more, atLeast }) =>
    `Die Argumente passen nicht zum Schema des Werkzeugs: ${problems.join('; ')}${more > 0 ? `; und ${atLeast ? 'mindestens ' : ''}${more} weitere` : ''}`,
  'schema.problem': ({ problem, line, column, columnName, record }) =>
    `${record === undefined ? '' : `Datensatz ${record}: `}${problem}${line === null ? '' : ` in Zeile ${line}${columnName !== null ? `, Spalte „${columnName}“` : column !== null ? `, Spalte ${column}` : ''}`}`,
  'schema.at': ({ place, what }) => `${place === '' ? 'Die Argumente' : place}: ${what}`,
  'schema.unchecked': ({ reason }) => `nicht mit dem Schema des Werkzeugs geprüft: ${reason}`,
  'schema.tooSlow': 'das hat zu lange gedauert',
  'schema.asynchronous': 'es verlangt eine asynchrone Prüfung',
  'schema.type': ({ types: allowed, given }) =>
    `muss ${allowed.map((type) => types[type] ?? type).join(' oder ')} sein${given === undefined || given === null ? '' : `, nicht ${given}`}`,
  'schema.notEmpty': 'ein Wert muss darin sein',
  'schema.emptyCell': ({ what }) => `Die Zelle ist leer, aber: ${what}`,
  'schema.required': ({ member }) => `„${member}“ fehlt`,
  'schema.requiredWith': ({ members, beside }) => `neben „${beside}“ muss auch ${members.join(', ')} angegeben sein`,
  'schema.notAllowed': ({ member, near }) => `„${member}“ ist nicht erlaubt${typeof near === 'string' ? ` (${near})` : ''}`,
  'schema.notKnown': ({ member, near }) => `haben „${member}“, das das Werkzeug nicht nennt${near === null ? '' : ` (${near})`}`,
  'arguments.refused': ({ problems }) => `Nach dem Schema des Werkzeugs: ${problems.join('; ')}`,
  'schema.memberName': 'ein Feld hat einen Namen, der nicht erlaubt ist',
  'schema.enum': ({ values, more }) => `muss einer dieser Werte sein: ${values.join(', ')}${more ? ', …' : ''}`,
  'schema.const': ({ value }) => `muss ${value} sein`,
  'schema.bound': ({ comparison, limit }) =>
    comparison === '>' || comparison === '<'
      ? `muss ${comparisons[comparison]} ${limit}`
      : `muss ${comparisons[comparison] ?? comparison} ${limit} sein`,
  'schema.multipleOf': ({ factor }) => `muss ein Vielfaches von ${factor} sein`,
  'schema.pattern': ({ pattern }) => `muss zum Muster „${pattern}“ passen`,
  'schema.format': ({ format }) => `muss das Format „${format}“ haben`,
  'schema.tooMany': ({ of, limit }) => `darf höchstens ${limit} ${things[of]} haben`,
  'schema.tooFew': ({ of, limit }) => `muss mindestens ${limit} ${things[of]} haben`,
  'schema.tooManyInFile': ({ most, given }) => `darf höchstens ${most} Einträge haben, aber die Datei hat ${given}`,
  'schema.duplicates': ({ first, second }) => `darf keine gleichen Einträge haben (${first} und ${second} sind gleich)`,
  'schema.contains': ({ least, most }) =>
    `muss mindestens ${least}${most === null ? '' : ` und höchstens ${most}`} passende Einträge enthalten`,
  'schema.anyOf': 'hat keine der Formen, die das Werkzeug nimmt',
  'schema.oneOf': 'muss genau eine der Formen haben, die das Werkzeug nimmt',
  'schema.not': 'passt zu einem Schema, zu dem es nicht passen darf',
  'schema.never': 'das Schema erlaubt hier keinen Wert',
  'schema.rule': ({ rule }) => `verletzt die Regel „${rule}“`,

  'parameter.several': ({ faults }) => faults.join('. '),
  'parameter.hints': ({ hints }) => hints.join('. '),
  'parameter.unknown': ({ name }) => `Den Parameter „${name}“ gibt es nicht`,
  'parameter.unknown.hint': ({ near, known, forTool }) => {
    if (near !== null) return forTool === null ? near : `${near} Gehört er zum Werkzeug selbst, kommt er in ${forTool}`;
    return `${forTool === null ? '' : `Die Argumente des Werkzeugs kommen in ${forTool}. `}Es gibt: ${known.join(', ')}`;
  },
  'parameter.missing': ({ name }) => `Der Parameter „${name}“ fehlt`,
  'parameter.example': () => 'Der Agent hat ein Beispiel bekommen',
  'parameter.jobExample': () => 'Der Agent bekommt die Kennung des Auftrags, wenn er einen Aufruf im Hintergrund macht',
  'parameter.kind': ({ name, wanted, given }) =>
    `${name === null ? 'Für die Argumente' : `Für den Parameter „${name}“`} ist ${wanted.map((each) => ('kind' in each ? valueKinds[each.kind] : each.values.join(', '))).join(' oder ')} nötig, angegeben ist ${valueKinds[given]}`,
  'parameter.form': ({ name }) => `Der Agent hat erfahren, wie „${name}“ geschrieben wird`,
  'parameter.inside': ({ key, inside }) => `„${key}“ gehört in ${inside}`,
  'warning.pathAsContent': ({ name, path }) =>
    `„${name}“ wurde als der Text ${path} gesendet, der Pfad einer Datei, und nicht mit ihrem Inhalt`,
  'parameter.elsewhere': ({ key, tools, forTool }) =>
    `„${key}“ ist ein Parameter von ${tools.join(', ')}${forTool === null ? '' : `. Ist er für das Werkzeug selbst, gehört er in ${forTool}`}`,
  'parameter.batchSize': ({ size }) => `Aufrufe mit je ${size} Datensätzen werden anders angegeben, wie der Agent erfahren hat`,
  'parameter.quoted': 'Geben Sie JSON an, keinen Text, der JSON enthält',
  'parameter.values': ({ name, values }) =>
    `Für den Parameter „${name}“ gibt es ${values.length > 1 ? 'diese Werte' : 'nur'}: ${values.join(', ')}`,
  'parameter.bounds': ({ name, least, most, of }) =>
    `Der Parameter „${name}“ ist ungültig: Nötig sind ${[least === null ? [] : `mindestens ${least}${units[of]}`, most === null ? [] : `höchstens ${most}${units[of]}`].flat().join(' und ')}`,
  'parameter.invalid': ({ name, reason }) => `Der Parameter „${name}“ ist ungültig: ${reason}`,
  'parameter.oneSource': ({ parameter, missing }) =>
    missing ? `Es fehlt „${parameter}“` : `„${parameter}“ ist doppelt angegeben: als Text und als Base64`,
  'parameter.base64': ({ name }) => `Der Parameter „${name}“ ist kein gültiges Base64`,
  'parameter.base64.dataUrl': ({ prefix }) => `Lassen Sie „${prefix}“ weg`,
  'parameter.base64.hint': 'Verwenden Sie das übliche Alphabet mit Füllzeichen, ohne Zeilenumbrüche und Leerzeichen',

  'operation.unknown': ({ name }) => `Die Anfrage „${name}“ gibt es nicht`,
  'operation.input': ({ name, reason }) => `Die Anfrage „${name}“ ist falsch: ${reason}`,

  'question.closed': 'Dieser Aufruf wartet nicht mehr auf eine Antwort',
  'question.closed.hint': 'Wiederholen Sie den Aufruf',
  'question.late': 'Die Frage wurde nicht rechtzeitig beantwortet',
  'question.many': 'Zu viele Aufrufe dieser App warten auf eine Antwort',
  'question.token': 'Der Zugangsschlüssel gilt nicht mehr',
  'question.closing': 'Filebridge wird beendet',

  'tool.gone': ({ name }) => `Das Werkzeug „${name}“ gibt es nicht mehr`,
};
