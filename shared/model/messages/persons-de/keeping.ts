/** Was im Protokoll und bei Anfragen des Fensters scheitert. */
import type { keeping as english } from '../agents/keeping.ts';
import type { Table } from '../table.ts';

export const keeping: Table<typeof english> = {
  'ours.writtenAfterEnd': ({ path }) => `In die Datei „${path}“ wurde nach ihrem Ende noch geschrieben`,
  'ours.readAfterEnd': ({ path }) => `Die Datei „${path}“ wurde nach dem Schließen noch gelesen`,
  'config.version': ({ version }) => `version muss eine ganze Zahl sein; Version ${version} wird angenommen`,
  'config.advised': ({ fault, hint }) => `${fault} – ${hint}`,

  'ledger.closed': 'In das Protokoll wurde nach dem Schließen noch geschrieben',
  'ledger.gone': 'Dieser Aufruf ist nicht mehr im Protokoll',

  'window.operation': 'Der Name einer Aktion muss Text sein',
  'window.foreign': 'Das darf nur das Fenster von Filebridge',
  'server.notReady': ({ server, seconds }) => `Der Server „${server}“ war nach ${seconds} s nicht bereit`,
  'server.notReady.hint': 'Versuchen Sie es noch einmal: Was er herunterladen musste, ist dann vielleicht da',
  'signIn.noLink': 'Die Anmeldung endete ohne Link',
  'welcome.half': 'Nennen Sie einen Server und sein Werkzeug oder keines von beiden',
};
