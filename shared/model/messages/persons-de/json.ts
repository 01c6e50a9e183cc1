/** Was an ungültigem JSON falsch ist. */
import type { json as english } from '../agents/json.ts';
import type { Table } from '../table.ts';

export const json: Table<typeof english> = {
  'character.nul': () => 'NUL-Zeichen',
  'character.tab': () => 'Tabulator',
  'character.lineBreak': () => 'Zeilenumbruch',
  'character.space': () => 'Leerzeichen',
  'character.nonAscii': () => 'Zeichen außerhalb von ASCII',
  'character.control': ({ codePoint }) => `Steuerzeichen U+${codePoint}`,

  'json.inString': ({ found }) => `${found} in einer Zeichenkette (nur als Escape-Sequenz erlaubt)`,
  'json.inNumber': ({ found }) => `${found} unerwartet in einer Zahl`,
  'json.noEscape': ({ found }) => `\\ gefolgt von ${found} ist keine Escape-Sequenz`,
  'json.inHexEscape': ({ found }) => `${found} in einer \\u-Sequenz, die vier Hexadezimalziffern braucht`,
  'json.noWord': ({ found }) => `${found} unerwartet; als Wörter gibt es nur true, false und null`,
  'json.noComma': ({ found, closing }) => `${found} unerwartet; hier muss "," oder ${closing} stehen`,
  'json.afterEnd': ({ found }) => `${found} unerwartet nach dem Ende des Werts`,
  'json.notFinite.hint': 'JSON kennt weder NaN noch Infinity: Schreiben Sie null, oder die Wörter in Anführungszeichen',
  'json.python.hint': 'Das sieht nach Python aus: Schreiben Sie die Datei mit json.dumps(…) statt mit str(…) oder repr(…)',
  'json.emptyFile': 'die Datei ist leer',
  'json.emptyLine': 'die Zeile ist leer',
  'json.endsInside': ({ unit, inside }) => `die ${unit === 'line' ? 'Zeile' : 'Datei'} endet mitten in ${parts[inside]}`,
  'json.wrongClosing': ({ found, closing }) => `${found} statt ${closing}`,
  'json.unexpected': ({ found, expected: what }) => `${found} unerwartet; hier muss ${expected[what]} stehen`,
};

const parts = {
  string: 'einer Zeichenkette',
  array: 'einem Array',
  object: 'einem Objekt',
  word: 'einem Wort',
  number: 'einer Zahl',
};

const expected = {
  value: 'ein Wert',
  valueOrEnd: 'ein Wert oder "]"',
  keyOrEnd: 'ein Schlüssel in doppelten Anführungszeichen oder "}"',
  key: 'ein Schlüssel in doppelten Anführungszeichen',
  colon: '":"',
};
