/** Einstellungen von Servern: im Fenster eingegeben, aus Agenten und eingefügtem Text importiert, aus Dateien gelesen; ihre Geheimnisse. */
import type { serverSettings as english } from '../agents/server-settings.ts';
import type { Table } from '../table.ts';

export const serverSettings: Table<typeof english> = {
  'entry.noCommand': 'Der Server hat keinen Befehl',
  'entry.noCommand.hint': 'Geben Sie das Programm an, das ihn startet, zum Beispiel npx',
  'entry.nulInCommand': 'Der Befehl enthält ein NUL-Zeichen',
  'entry.nulInCommand.hint': 'Lassen Sie es weg',
  'entry.folder': ({ folder }) => `Der Arbeitsordner „${folder}“ ist kein vollständiger Pfad`,
  'entry.folder.hint': 'Beginnen Sie mit dem Stamm des Laufwerks, oder lassen Sie ihn leer',
  'entry.noAddress': 'Der Server hat keine Adresse',
  'entry.noAddress.hint': 'Geben Sie seine URL ein',
  'entry.notUrl': 'Die URL ist nicht die Adresse eines Servers',
  'entry.notUrl.hint': 'Sie beginnt mit https:// oder http://',
  'entry.twice': ({ kind, name }) => `${kind === 'variable' ? 'Die Variable' : 'Der Header'} „${name}“ kommt zweimal vor`,
  'entry.twice.hint': 'Behalten Sie nur eine Angabe',
  'entry.badName': ({ kind, name }) =>
    `„${name}“ kann nicht der Name ${kind === 'variable' ? 'einer Variable' : 'eines Headers'} sein`,
  'entry.badName.hint': 'Verwenden Sie Buchstaben, Ziffern, Binde- und Unterstriche',
  'entry.byNumber': ({ name }) => `„${name}“ verweist mit einer Nummer auf ein gespeichertes Geheimnis`,
  'entry.byNumber.hint': 'Geben Sie den Wert selbst ein',
  'entry.unsendable': ({ name }) => `Der Wert von „${name}“ enthält Zeichen, die nicht gesendet werden können`,
  'entry.unsendable.hint': 'Kopieren Sie ihn noch einmal, in einer Zeile',
  'entry.otherTarget': ({ name, kind }) =>
    `Der Wert von „${name}“ wurde für ${kind === 'command' ? 'einen anderen Befehl' : 'eine andere Adresse'} eingegeben`,
  'entry.otherVariable': ({ name, variable }) =>
    `Der Wert von „${name}“ wurde eingegeben, bevor „${variable}“ so gesetzt war wie jetzt`,
  'entry.otherTarget.hint': 'Geben Sie ihn noch einmal ein, wenn er auch hier gelten soll',
  'entry.noValue': ({ name }) => `Für „${name}“ ist kein Wert gespeichert`,
  'entry.noValue.hint': 'Geben Sie den Wert ein',

  'servers.fixed': 'Die Server sind auf der Befehlszeile genannt und können hier nicht geändert werden',
  'servers.fixed.hint': 'Ändern Sie die Datei, die mit --upstreams genannt ist, oder starten Sie Filebridge ohne sie',
  'servers.unknown': ({ server }) => `Einen Server „${server}“ gibt es nicht`,
  'servers.unknown.hint': 'Vielleicht wurde er inzwischen umbenannt oder entfernt',
  'servers.taken': ({ server }) => `Einen Server „${server}“ gibt es schon`,
  'servers.taken.hint': 'Wählen Sie einen anderen Namen',
  'servers.toolsChanged': ({ server }) => `Die Werkzeuge von „${server}“ haben sich noch einmal geändert`,
  'servers.toolsChanged.hint': 'Sehen Sie sich die Änderungen noch einmal an',

  'import.changed': ({ server }) => `Der Server „${server}“ hat sich geändert, seit er angezeigt wurde`,
  'import.changed.hint': 'Sehen Sie nach, was er jetzt ausführen würde, und importieren Sie ihn noch einmal',
  'import.gone': ({ server }) => `Der Server „${server}“ ist nicht mehr da`,
  'import.gone.hint': 'Suchen Sie noch einmal nach Servern',
  'import.itself': 'Das ist Filebridge selbst, es würde sich selbst aufrufen',
  'import.itself.hint': 'Lassen Sie den Eintrag weg',
  'import.noServer': ({ name }) => `„${name}“ ist kein Server: „command“ und „url“ fehlen`,
  'import.noServer.hint': 'Berichtigen Sie den Eintrag',
  'import.unreadable': ({ server }) => `Der Server „${server}“ ist nicht lesbar`,
  'import.there': ({ server, as }) => `Den Server „${server}“ gibt es schon, als „${as}“`,
  'import.secrets': ({ server, secrets, reason }) =>
    `Der Server „${server}“ hat Geheimnisse (${secrets.join(', ')}), die hier nicht gespeichert werden können: ${reason}`,
  'import.secrets.hint':
    'Setzen Sie Umgebungsvariablen, und schreiben Sie ${NAME} an die Stelle der Werte, oder importieren Sie ihn in der App Filebridge',
  'import.refused': ({ server, reason }) => `Der Server „${server}“ kann nicht übernommen werden: ${reason}`,
  'import.refused.hint':
    'Fügen Sie ihn mit dem Wert von Hand hinzu, oder setzen Sie eine Umgebungsvariable und schreiben Sie ${NAME} an seine Stelle',
  'import.envFile': ({ file }) => `Seine Umgebung steht in der Datei „${file}“, die nicht gelesen wird`,
  'import.foreign': ({ reference }) => `Er verweist auf „${reference}“, was nur die App ersetzen kann, aus der er kommt`,
  'import.notFilled': ({ place, reference }) =>
    `${places[place]} verweist auf „${reference}“, aber Filebridge ersetzt Verweise nur in Variablen und Headern`,

  'serversFile.invalid': ({ file, fault }) => `Die Serverdatei „${file}“ ist nicht gültig: ${fault}`,
  'serversFile.unreadable': 'Es gibt sie nicht, oder sie ist nicht lesbar',
  'serversFile.unreadable.hint': 'Prüfen Sie den Pfad',
  'serversFile.correct': 'Berichtigen Sie die Datei',
  'serversFile.noBlock': 'Ein Block „mcpServers“, „mcp_servers“ oder „servers“ fehlt',
  'serversFile.noBlock.hint': 'Nennen Sie eine Datei mit einem solchen Block',
  'serversFile.name': ({ name, fault }) => `Servername „${name}“: ${fault}`,
  'serversFile.name.hint': 'Benennen Sie ihn um',
  'serversFile.notObject': ({ server }) => `Server „${server}“ ist kein Objekt`,
  'serversFile.entry': ({ server, fault }) => `Server „${server}“: ${fault}`,
  'serversFile.correctPlace': ({ place }) => `Berichtigen Sie ${place}`,
  'serversFile.correctEntry': ({ name }) => `Berichtigen Sie den Eintrag „${name}“`,
  'serversFile.neither': '„command“ und „url“ fehlen',
  'serversFile.type': ({ type }) => `type: „${type}“ ist keiner von stdio, http, streamable-http, sse`,

  'secret.variable': ({ server, variable, kind, name }) =>
    `Der Server „${server}“ braucht die Umgebungsvariable ${variable} für ${kind} „${name}“, und sie ist nicht gesetzt`,
  'secret.variable.hint': ({ variable }) =>
    `Setzen Sie ${variable}, bevor Sie Filebridge starten, oder geben Sie den Wert in den Einstellungen des Servers ein`,
  'secret.stored': ({ server, kind, name, reason }) =>
    `Der Server „${server}“ braucht das gespeicherte Geheimnis für ${kind} „${name}“. ${reason}`,
  'secret.again.hint': 'Geben Sie das Geheimnis noch einmal ein',
  'secret.keepsNone': 'Dieses Programm speichert keine',
  'secret.desktopOnly': 'Geheimnisse liegen im Schlüsselbund des Systems, den nur die Desktop-App verwenden kann',
  'secret.noKeyring':
    'Hier ist kein Schlüsselbund geöffnet. Installieren Sie GNOME Keyring oder KWallet, melden Sie sich neu an, und starten Sie Filebridge wieder',
  'secret.macKeychain':
    'Der Schlüsselbund von macOS hat Filebridge nicht zugelassen. Entsperren Sie ihn, und erlauben Sie Filebridge, ihn zu verwenden',
  'secret.windowsKey': 'Windows hat Filebridge den Schlüssel dieses Benutzers nicht gegeben. Melden Sie sich neu an',
  'secret.notHere': ({ reason }) => `Ein Geheimnis kann hier nicht gespeichert oder gelesen werden: ${reason}`,
  'secret.notHere.hint': 'Öffnen Sie die App Filebridge, oder verweisen Sie mit ${NAME} auf eine Umgebungsvariable',
  'secret.unreadable': ({ reason }) => `Ein Geheimnis kann nicht gespeichert oder gelesen werden: ${reason}`,
  'secret.unreadable.hint': 'Entsperren Sie den Schlüsselbund, oder geben Sie das Geheimnis noch einmal ein',
  'secret.fileInvalid': ({ file }) => `Die Datei „${file}“ ist nicht gültig`,
  'secret.fileUnreadable': ({ file }) => `Die Datei „${file}“ ist nicht lesbar`,
  'secret.notStored': 'Es ist auf diesem Computer nicht gespeichert',
  'secret.notSealed': 'Der Schlüsselbund des Systems hat es nicht verschlüsselt',
  'secret.otherUser': 'Es wurde von einem anderen Benutzer oder Computer verschlüsselt, oder der Schlüsselbund ist gesperrt',
  'secret.otherTarget': 'Es wurde für einen anderen Befehl oder eine andere Adresse gespeichert',
  'secret.otherTarget.hint': 'Geben Sie das Geheimnis noch einmal ein, wenn dieser Server es bekommen soll',
  'secret.targets': ({ file }) => `Die Datei „${file}“, die sagt, wohin Geheimnisse gehen dürfen, ist nicht gültig`,
  'secret.targets.hint': 'Löschen Sie sie, und geben Sie die Geheimnisse noch einmal ein',
};

const places = { address: 'Seine Adresse', 'command line': 'Seine Befehlszeile', 'working folder': 'Sein Arbeitsordner' };
