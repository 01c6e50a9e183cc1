/** Aufrufe, die eine Freigabe brauchen, und solche, die trotz Fehler ausgeführt sein können. */
import type { approvals as english } from '../agents/approvals.ts';
import type { Table } from '../table.ts';

export const approvals: Table<typeof english> = {
  'approval.longOnes': 'Der Aufruf braucht eine Freigabe, und andere mit langen Argumenten warten schon darauf',
  'approval.longOnes.hint': 'Beantworten Sie zuerst diese',
  'approval.many': ({ open, of }) =>
    `Der Aufruf braucht eine Freigabe, und ${open} Aufrufe ${of === 'all' ? 'aller Agenten' : 'dieses Agenten'} warten schon darauf`,
  'approval.many.hint': 'Beantworten Sie zuerst diese',
  'approval.notThroughWindow': ({ name }) =>
    `Der Aufruf von ${name} braucht eine Freigabe im offenen Fenster von Filebridge, und diese Verbindung läuft nicht darüber`,
  'approval.notThroughWindow.hint':
    'Verbinden Sie diesen Agenten neu, solange das Fenster offen ist, über dessen Adresse oder mit denselben Einstellungen',
  'approval.toolChanged': ({ server, tool }) =>
    `Der Server „${server}“ oder sein Werkzeug „${tool}“ hat sich geändert, während der Aufruf auf seine Freigabe wartete. Es wurde nichts gesendet`,
  'approval.toolChanged.hint': 'Beim nächsten Aufruf werden Sie danach gefragt, wie es jetzt ist',
  'approval.waiting': 'Der Aufruf wartet auf Ihre Freigabe',
  'approval.noCompletions': 'Vervollständigungen brauchen hier eine Erlaubnis, und für jede einzelne wird nicht gefragt',
  'approval.closed': 'Diese Frage ist nicht mehr offen',
  'approval.answering': 'Sie wird gerade beantwortet',
  'approval.over': 'Der Aufruf wurde abgebrochen, oder niemand hat rechtzeitig geantwortet',
  'approval.onceOnly': 'Eine Änderung an Dateien wird nur einmal erlaubt',
  'approval.onceOnly.hint': 'Auf der Seite „Ordner“ steht, was in jedem Ordner eine Freigabe braucht',

  'call.mayHaveRun': ({ repeat, hint }) =>
    ['Der Aufruf ist vielleicht ausgeführt worden: Prüfen Sie das, bevor Sie ihn wiederholen', repeat, hint]
      .filter((part) => part !== null)
      .join('. '),
};
