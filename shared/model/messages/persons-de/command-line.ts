/** Was die Befehlszeile bei falscher Verwendung sagt, und warum ein Befehl scheitert. */
import type { commandLine as english } from '../agents/command-line.ts';
import type { Table } from '../table.ts';

export const commandLine: Table<typeof english> = {
  'usage.noCommand': 'Nennen Sie einen Befehl',
  'usage.unknownCommand': ({ command }) => `Einen Befehl „${command}“ gibt es nicht`,
  'usage.unknownOption': ({ option }) => `Die Option ${option} ist unbekannt`,
  'usage.noValue': ({ option }) => `${option} braucht einen Wert`,
  'usage.dashValue': ({ option }) => `${option} braucht einen Wert; beginnt er mit einem Strich, schreiben Sie ${option}=-…`,
  'usage.valueUnused': ({ option }) => `${option} nimmt keinen Wert`,
  'usage.port': ({ port }) => `--port muss eine Zahl von 0 bis 65535 sein, nicht „${port}“`,
  'usage.rows': ({ rows }) => `--rows muss eine Zahl von 0 bis 1000 sein, nicht „${rows}“`,
  'usage.store': ({ store }) => `--store nimmt nur „file“, nicht „${store}“`,
  'usage.notJson': ({ option, reason }) => `${option} muss JSON sein: ${reason}`,
  'usage.oneFile': ({ command, given }) =>
    `${command} nimmt eine Datei${given > 1 ? '. Setzen Sie einen Pfad mit Leerzeichen in Anführungszeichen' : ''}`,
  'usage.oneServer': ({ command }) => `${command} braucht den Namen eines Servers`,
  'usage.oneClient': 'connect nimmt eine App',
  'usage.noClient': 'Nennen Sie die App',
  'usage.unknownClient': ({ name, known }) => `Eine App „${name}“ gibt es nicht; bekannt sind ${known.join(', ')}`,
  'usage.undoAlone': '--undo steht allein',
  'usage.replaceConnect': '--replace gilt nur beim Verbinden',
  'usage.serve': 'serve braucht entweder --stdio oder --http',
  'usage.portWithHttp': '--port gehört zu --http',
  'usage.practice': 'practice-server nimmt nur die Option --tables',

  'file.checkPath': 'Prüfen Sie den Pfad',
  'client.unchangeable': ({ client, problem }) => `${client} kann nicht geändert werden. ${problem}`,
  'client.unchangeable.hint': 'Fügen Sie den Eintrag von Hand hinzu',
  'signIn.program': ({ server }) => `Der Server „${server}“ ist ein Programm auf diesem Computer und hat keine solche Anmeldung`,
  'signIn.program.hint': 'Seine Zugangsdaten sind Umgebungsvariablen in seinen Einstellungen',
  'signIn.header': ({ server }) =>
    `Der Server „${server}“ hat in seinen Einstellungen einen Authorization-Header, der stattdessen verwendet wird`,
  'signIn.header.hint': 'Entfernen Sie den Header, um sich anzumelden',
  'window.filesMissing': ({ folder }) => `Die Dateien des Fensters fehlen in „${folder}“`,
  'window.pageMissing': ({ folder }) => `Die Seite des Fensters fehlt in „${folder}“`,
  'window.missing.hint': 'Führen Sie „npm run build“ aus',
  'console.portTaken': ({ port }) => `Die Konsole kann den Port ${port} nicht verwenden`,
  'console.portTaken.hint':
    'Ein anderes Programm verwendet ihn. Nennen Sie mit --port einen anderen, oder lassen Sie die Option weg',
};
