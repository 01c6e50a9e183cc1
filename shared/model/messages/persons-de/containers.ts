/** Was an einer Arbeitsmappe, einem Archiv oder einer Tabelle im Ganzen nicht stimmt. */
import type { containers as english } from '../agents/containers.ts';
import type { Table } from '../table.ts';
import { inBytes } from './numbers.ts';

export const containers: Table<typeof english> = {
  'workbook.failed': ({ reason, format }) =>
    `Die ${format === 'xlsx' ? 'Excel' : format.toUpperCase()}-Datei lässt sich nicht lesen: ${reason}`,
  'workbook.protectedOds.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie ohne Passwort.',
  'workbook.encrypted': 'Sie ist mit einem Passwort geschützt',
  'workbook.noSpreadsheet': 'Sie ist keine OpenDocument-Tabelle',
  'workbook.manySheets': 'Sie hat mehr Blätter, als auf einmal gelesen werden',
  'workbook.manySheets.hint': 'Wählen Sie ein Blatt.',
  'workbook.saveAgain': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie noch einmal als .xlsx.',
  'workbook.empty': 'Sie ist leer',
  'workbook.protected': 'Sie ist mit einem Passwort geschützt, oder eine alte Arbeitsmappe (.xls) unter anderem Namen',
  'workbook.protected.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie ohne Passwort als .xlsx.',
  'workbook.binary': 'Sie ist eine binäre Arbeitsmappe (.xlsb)',
  'workbook.binary.hint': 'Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie als .xlsx.',
  'workbook.none': 'Sie ist ein ZIP-Archiv ohne Arbeitsmappe',
  'workbook.none.hint': 'Hat sie ein anderes Format, wählen Sie es aus.',
  'workbook.part': ({ entry, reason }) => `„${entry}“ darin ist beschädigt: ${reason}`,
  'workbook.partEncoding': ({ entry, encoding }) => `„${entry}“ darin ist beschädigt: Es ist nicht in ${encoding}`,
  'workbook.row': ({ row }) => `Die Zeile „${row}“ des Blatts ist keine Zahl`,
  'workbook.cellText': ({ place }) => `Die Zelle ${place} nennt einen Text, den die Arbeitsmappe nicht hat`,
  'workbook.cellNumber': ({ place, text }) => `Die Zelle ${place} enthält „${text}“, und das ist keine Zahl`,
  'workbook.noCells': 'Die Arbeitsmappe hat kein Blatt mit Zellen',
  'workbook.noCells.hint': 'Diagramme haben keine Zellen.',
  'workbook.noSheet': ({ sheet }) => `Die Arbeitsmappe hat kein Blatt „${sheet}“`,
  'workbook.noSheet.hint': ({ sheets, more }) =>
    `Ihre Blätter sind ${sheets.map((name, index) => `${index + 1} „${name}“`).join(', ')}${more > 0 ? ` und ${more} mehr` : ''}. * nimmt alle.`,

  'zip.directoryCut': 'Das Verzeichnis am Ende ist abgeschnitten',
  'zip.directory64': 'Das ZIP64-Verzeichnis liegt nicht dort, wo es soll',
  'zip.none': 'Sie ist kein ZIP-Archiv, oder ihr Ende fehlt',
  'zip.encrypted': ({ entry }) => `„${entry}“ darin ist verschlüsselt`,
  'zip.method': ({ entry, method }) => `„${entry}“ darin ist mit dem unbekannten Verfahren ${method} gepackt`,
  'zip.misplaced': ({ entry }) => `„${entry}“ liegt nicht dort, wo das Verzeichnis es nennt`,
  'zip.size': ({ entry, bytes, said }) => `„${entry}“ darin hat ${bytes} Byte statt ${said}`,
  'zip.damaged': ({ entry }) => `„${entry}“ darin lässt sich nicht entpacken`,

  'xmlPart.reference': ({ text }) => `„${text}“ ist kein Verweis`,
  'xmlPart.entity': ({ entity }) => `Das Zeichen „${entity}“ ist unbekannt`,
  'xmlPart.longTag': 'Ein Tag endet nicht',
  'xmlPart.cutTag': 'Es endet mitten in einem Tag',
  'xmlPart.open': ({ element }) => `Es endet, bevor <${element}> geschlossen ist`,
  'xmlPart.noElement': 'Es enthält kein Element',
  'xmlPart.declaration': 'Ein Dokumenttyp oder eine andere Deklaration ist nicht erlaubt',
  'xmlPart.text': 'Außerhalb des Wurzelelements steht Text',
  'xmlPart.closes': ({ element, open }) => `</${element}> schließt ${open === null ? 'nichts' : `<${open}>`}`,
  'xmlPart.noName': 'Ein Tag hat keinen Namen',
  'xmlPart.secondRoot': 'Es hat ein zweites Wurzelelement',
  'xmlPart.depth': ({ most }) => `Elemente sind mehr als ${most} Ebenen tief verschachtelt`,

  'csv.unknownColumn': ({ column }) => `Für die Spalte „${column}“ ist ein Typ angegeben, aber die Datei hat sie nicht`,
  'csv.unknownColumn.hint': ({ columns, more }) =>
    `Ihre Spalten sind: ${columns.join(', ')}${more > 0 ? ` und ${more} mehr` : ''}`,
  'csv.firstRow': ({ bytes, limit }) => `Schon die erste Zeile hat ${inBytes(bytes)}. Im Speicher erlaubt sind ${inBytes(limit)}`,
  'csv.firstRow.hint': 'Prüfen Sie, ob die Datei CSV ist und Zeilenumbrüche hat, oder erhöhen Sie limits.maxFileBytes.',
  'csv.notAsScanned': 'Die Datei ist nicht mehr so wie beim ersten Lesen',
  'csv.notAsScanned.hint': 'Versuchen Sie es noch einmal, wenn nichts mehr in sie schreibt.',
  'text.notAsRead': 'Der Text ist nicht mehr so wie beim ersten Lesen',
  'convert.noMemory': 'Zum Umwandeln der Datei ist zu wenig Speicher da',
  'convert.noMemory.hint': 'Versuchen Sie es noch einmal: Dann wird sie auf andere Weise gelesen',
  'convert.closing': 'Filebridge wird beendet',
  'convert.notWanted': 'Die Prüfsumme wird nicht mehr gebraucht',
};
