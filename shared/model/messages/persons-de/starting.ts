/** Warum der Prozess eines Servers nicht startet. */
import type { starting as english } from '../agents/starting.ts';
import { type Resource, seconds } from '../phrases.ts';
import type { Table } from '../table.ts';

const looked = 'Gesucht wurde im PATH dieses Programms und Ihrer Login-Shell';

export const starting: Table<typeof english> = {
  'server.notStarted': ({ server, reason }) => `Der Server „${server}“ konnte nicht gestartet werden: ${reason}`,
  'server.said': ({ lines }) => `Er meldete: ${lines.join(' / ')}`,
  'server.wrote': ({ lines }) => `Er schrieb: ${lines.join(' / ')}`,

  'start.npmPackage': ({ name }) => `Das npm-Verzeichnis hat kein Paket „${name}“`,
  'start.pythonPackage': ({ name }) => `Das Python-Verzeichnis hat kein Paket „${name}“`,
  'start.image': ({ name }) => `Es gibt kein Docker-Image „${name}“, das verwendet werden darf`,
  'start.name.hint': 'Prüfen Sie seinen Namen in den Argumenten',
  'start.npmRegistry': 'npx konnte das npm-Verzeichnis nicht erreichen, um ihn zu laden',
  'start.npmRegistry.hint': 'Prüfen Sie die Netzwerkverbindung, und ob ein Proxy nötig ist',
  'start.docker': 'Docker ist installiert, läuft aber nicht',
  'start.docker.hint': 'Starten Sie Docker Desktop, und versuchen Sie es erneut',
  'start.program': ({ by, file }) => `${by} hat das Programm „${file}“ nicht gefunden`,
  'start.program.hint': 'Prüfen Sie den Pfad in den Argumenten',

  'start.folder': ({ command }) => `„${command}“ ist ein Ordner, kein Programm`,
  'start.folder.hint': 'Geben Sie den Pfad eines Programms darin an',
  'start.notExecutable': ({ command }) => `Der Befehl „${command}“ darf nicht ausgeführt werden`,
  'start.notExecutable.hint': 'Prüfen Sie, ob die Datei ausführbar ist',
  'start.short': ({ resource, code }) => `Auf diesem Computer ${resources[resource]} (${code})`,
  'start.short.hint': 'Schalten Sie Server aus, die nicht gebraucht werden, oder beenden Sie andere Programme',
  'start.noWorkingFolder': ({ cwd }) => `Sein Arbeitsordner „${cwd}“ fehlt`,
  'start.workingFile': ({ cwd }) => `Sein Arbeitsordner „${cwd}“ ist kein Ordner`,
  'start.workingFolder.hint': ({ server }) => `Berichtigen Sie den Arbeitsordner von „${server}“`,
  'start.notFound': ({ command }) => `Der Befehl „${command}“ wurde nicht gefunden`,
  'start.noFile.hint': 'Diese Datei gibt es nicht. Prüfen Sie den Pfad',
  'start.arguments.hint': ({ command, args }) =>
    `Geben Sie „${command}“ als Befehl an, und „${args.join('“, „')}“ als seine Argumente`,
  'start.install.hint': `Installieren Sie ihn, oder geben Sie seinen vollständigen Pfad an. ${looked}`,
  'start.installFrom.hint': ({ product, from, bundled, also }) =>
    `${bundled ? `Er gehört zu ${product}: Installieren Sie das` : `Installieren Sie ${product}`} von ${from}${also === undefined ? '' : steps[also]}. Ist er schon installiert, geben Sie seinen vollständigen Pfad an. ${looked}`,

  'start.ended': ({ exit }) => `Er endete, bevor er bereit war (${exit})`,
  'start.ended.hint': ({ command }) => `Führen Sie „${command}“ in einem Terminal aus, um den Grund zu sehen`,
  'start.stray': 'Er spricht auf seiner Standardausgabe kein MCP',
  'start.stray.hint': ({ wrote }) => `Prüfen Sie, ob der Befehl ein MCP-Server vom Typ stdio ist. ${wrote}`,
  'start.slow': ({ server, ms }) => `Der Server „${server}“ war nach ${seconds(ms, ',')} noch nicht gestartet`,
};

const resources: Record<Resource, string> = {
  files: 'sind zu viele Dateien offen',
  processes: 'laufen zu viele Prozesse',
  memory: 'ist zu wenig Speicher frei',
};
const steps = { start: ', und starten Sie es', python3: '. Ist es schon da, heißt der Befehl vielleicht python3' };
