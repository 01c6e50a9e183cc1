/** Die Anmeldung bei einem Server, im Browser. */
import type { signIn as english } from '../agents/sign-in.ts';
import type { Table } from '../table.ts';

export const signIn: Table<typeof english> = {
  'signIn.how': () => 'Wählen Sie „Anmelden“ auf der Seite „Server“',
  'signIn.expired': ({ server }) => `Die Anmeldung bei „${server}“ ist abgelaufen`,
  'signIn.notRenewed': ({ server }) => `Die Anmeldung bei „${server}“ konnte nicht erneuert werden`,
  'signIn.notRenewed.hint': () =>
    'Prüfen Sie die Netzwerkverbindung, und versuchen Sie es erneut. Klappt es weiterhin nicht, melden Sie sich auf der Seite „Server“ neu an',
  'signIn.cancelled': 'Die Anmeldung wurde abgebrochen',
  'signIn.unfinished': ({ server }) => `Die Anmeldung bei „${server}“ wurde im Browser nicht abgeschlossen`,
  'signIn.startAgain': 'Beginnen Sie sie erneut',
  'signIn.failed': ({ server, reason }) => `Die Anmeldung bei „${server}“ ist fehlgeschlagen: ${reason}`,
  'signIn.failed.hint': 'Beginnen Sie sie erneut. Klappt es weiterhin nicht, fragen Sie den Betreiber des Servers',
  'signIn.notOpened': ({ protocol }) => `Die Adresse der Anmeldeseite wird nicht geöffnet („${protocol}“)`,
  'signIn.badLink': 'Das ist nicht die Adresse einer Anmeldeseite',
  'signIn.badLink.hint': 'Geöffnet werden nur http- und https-Links',
  'signIn.stopped': ({ address, reason }) => `Die Anmeldung wurde angehalten: Der Server nennt ${address}, aber ${reason}`,
  'signIn.stopped.hint': 'Prüfen Sie die Adresse des Servers. Stimmt sie, informieren Sie seinen Betreiber',
  'signIn.onlyScheme': ({ schemes }) => `nur ${schemes.join(' und ')} ist erlaubt`,
  'signIn.privateNetwork': 'das führt in ein privates Netzwerk',
  'signIn.noPort': ({ ports }) => `Der Browser kann nicht zurückkehren: Die Ports ${ports.join(', ')} sind alle belegt`,
  'signIn.noPort.hint': 'Beenden Sie andere laufende Anmeldungen, und versuchen Sie es erneut',
  'signIn.ownCredentials': ({ server }) => `Der Server „${server}“ hat seine Zugangsdaten in seinen Einstellungen`,
  'signIn.ownCredentials.hint': 'Ändern Sie sie dort',
  'signIn.unreadable': ({ file }) => `Die Anmeldungen in „${file}“ sind nicht lesbar`,
  'signIn.unreadable.hint': 'Prüfen Sie die Rechte der Datei',
  'signIn.sealed': ({ reason }) => `Die gespeicherte Anmeldung ist hier nicht lesbar: ${reason}`,
  'signIn.sealed.hint': 'Öffnen Sie die App Filebridge',
};
