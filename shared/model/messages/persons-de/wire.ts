/** Nachrichten, die nicht gesendet, und Antworten, die nicht aufgehoben oder gelesen werden können. */

import type { wire as english } from '../agents/wire.ts';
import type { Table } from '../table.ts';
import { inBytes } from './numbers.ts';

export const wire: Table<typeof english> = {
  'sending.lineBreak': 'Die Argumente enthalten einen Zeilenumbruch, mit dem sie nicht gesendet werden können',
  'sending.fileChanged': 'Die Datei hat sich geändert, während sie gesendet wurde',
  'sending.fileChanged.hint': 'Der Server hat nichts angenommen. Machen Sie den Aufruf noch einmal',
  'answer.notObject': ({ tool }) => `Das Werkzeug „${tool}“ ist gescheitert: Seine Antwort ist kein Objekt`,
  'answer.nested': ({ tool, levels }) =>
    `Das Werkzeug „${tool}“ ist gescheitert: Seine Antwort ist tiefer als ${levels} Ebenen verschachtelt`,
  'answer.nested.hint': 'Der Aufruf wurde gemacht, aber kein Programm könnte diese Antwort lesen. Verlangen Sie weniger',
  'answer.notJsonRpc': ({ bytes, reason }) => `Die Antwort des Servers (${inBytes(bytes)}) ist kein gültiges JSON-RPC: ${reason}`,
  'answer.notJsonRpc.hint': 'Der Aufruf wurde ausgeführt; die Antwort ist nicht lesbar',
  'answer.overSize': ({ most }) =>
    `Der Server hat mehr als die ${inBytes(most)} gesendet, die von einer Antwort angenommen werden (limits.maxAnswerBytes)`,
  'answer.overSize.hint': 'Der Aufruf wurde ausgeführt. Verlangen Sie weniger auf einmal, oder erhöhen Sie limits.maxAnswerBytes',
  'answer.overMemory': ({ bytes }) =>
    `Die Antwort des Servers (${inBytes(bytes)}) hat zu viele Werte für den Arbeitsspeicher von Filebridge`,
  'answer.overMemory.hint': 'Der Aufruf wurde ausgeführt. Verlangen Sie weniger auf einmal',
};
