/** Was im Fenster abgelehnt wird. */
import type { window as english } from '../agents/window.ts';
import type { Table } from '../table.ts';

export const window: Table<typeof english> = {
  'path.nul': 'Der Pfad enthält ein NUL-Zeichen',
  'path.nul.hint': 'Geben Sie den Pfad ohne dieses Zeichen an',
  'path.notFull': ({ path }) => `„${path}“ ist kein vollständiger Pfad`,
  'path.notFull.hint': 'Beginnen Sie mit dem Stamm des Laufwerks',

  'allow.denied': ({ folder }) => `Das System lässt Sie „${folder}“ nicht verwenden`,
  'allow.denied.hint': 'Prüfen Sie die Rechte, oder wählen Sie einen anderen Ordner',
  'allow.noFolder': ({ folder }) => `Den Ordner „${folder}“ gibt es nicht`,
  'allow.noFolder.hint': 'Prüfen Sie den Namen, oder legen Sie den Ordner zuerst an',
  'allow.notFolder': ({ folder }) => `„${folder}“ ist kein Ordner`,
  'allow.notFolder.hint': 'Wählen Sie den Ordner, der es enthält',
  'allow.own': ({ folder }) => `„${folder}“ gehört Filebridge selbst`,
  'allow.own.hint': 'Einstellungen und Geheimnisse bleiben Agenten verschlossen. Wählen Sie einen anderen Ordner',
  'allow.wholeDisk': ({ folder }) => `„${folder}“ ist das ganze Laufwerk`,
  'allow.wholeDisk.hint': 'Wählen Sie den Ordner mit den Dateien, die Agenten brauchen',
  'allow.allUsers': ({ folder }) => `„${folder}“ enthält die Ordner aller Benutzer`,
  'allow.allUsers.hint': 'Wählen Sie einen eigenen Ordner',
  'allow.system': ({ folder }) => `„${folder}“ gehört zum System`,
  'allow.system.hint': 'Wählen Sie einen Ordner mit eigenen Dateien',
  'allow.homeWritten': 'Ihr ganzer persönlicher Ordner kann nur zum Lesen freigegeben werden',
  'allow.homeWritten.hint':
    'Dateien darin starten Programme, wenn Sie sich anmelden. Wählen Sie einen Ordner darin, in den Agenten schreiben dürfen',
  'allow.already': ({ folder, holding }) => `„${folder}“ ist schon freigegeben, als Teil von „${holding}“`,
  'allow.already.hint': 'Es ist nichts hinzuzufügen. Für eine andere Art des Zugriffs kann er eigens aufgeführt werden',
  'allow.notListed': ({ folder }) => `„${folder}“ gehört nicht zu den freigegebenen Ordnern`,
  'allow.notListed.hint': 'Vielleicht wurde er schon entfernt',
  'allow.fixed': 'Die Ordner sind auf der Befehlszeile genannt und können hier nicht geändert werden',
  'allow.fixed.hint': 'Starten Sie Filebridge ohne Ordner auf der Befehlszeile, um sie hier zu wählen',
  'allow.nothingThere': ({ path }) => `Unter „${path}“ gibt es nichts mehr`,
  'allow.nothingThere.hint': 'Vielleicht wurde es verschoben oder gelöscht',
  'host.noDialog': 'Filebridge kann von hier aus keinen Dialog öffnen',
  'host.noFileManager': 'Filebridge kann von hier aus keine Dateiverwaltung öffnen',
  'host.browser.hint': 'Diese Seite läuft in einem Browser. Die Desktop-App kann es',

  'settings.login': 'Der Start bei der Anmeldung wird in der Desktop-App eingestellt',
  'settings.login.hint': 'Installieren Sie die Desktop-App, oder verwenden Sie den Autostart Ihres Systems',
  'settings.noToken': ({ client }) => `Für „${client}“ gibt es keinen Schlüssel`,
  'settings.answers': ({ folder, reason }) => `In „${folder}“ können keine Antworten gespeichert werden: ${reason}`,
  'settings.answers.hint': 'Wählen Sie einen anderen Ordner',
  'settings.answers.notFull': 'Es ist kein vollständiger Pfad',
  'settings.answers.notFolder': 'Es ist kein Ordner',
  'settings.answers.notMade': 'Es gibt ihn nicht, und er kann nicht angelegt werden',
  'settings.answers.notWritable': 'Dort darf nichts geschrieben werden',
};
