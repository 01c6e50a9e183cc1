/** German for agents.en/program.ts. */
import type { program as english } from '../agents.en/program.ts';
import type { Table } from '../message.ts';

const effects = {
  disabled: 'ist abgeschaltet',
  ignored: 'wird nicht beachtet',
  default: 'ist ungültig, und es gilt die Voreinstellung',
};

const limitWords = { atLeast: 'mindestens', moreThan: 'mehr als', atMost: 'höchstens' };

const also = (near: unknown): string => (near === null ? '' : `. ${near}`);

export const program: Table<typeof english> = {
  'config.unreadable': ({ path }) => `Die Konfiguration „${path}“ lässt sich nicht lesen`,
  'config.unreadable.hint': 'Prüfen Sie, ob sie eine Datei ist und ob Sie sie lesen dürfen',
  'config.notKept': ({ path }) => `Die Konfiguration „${path}“ ist beschädigt und konnte nicht zur Seite gelegt werden`,
  'config.notKept.hint': 'Berichtigen oder verschieben Sie sie. Geändert wurde nichts',
  'config.version': ({ version }) => `version muss eine ganze Zahl sein; Version ${version} wird angenommen`,
  'config.advised': ({ fault, hint }) => `${fault} – ${hint}`,
  'config.setAside': ({ aside, fault }) =>
    `Die Konfiguration war ungültig. Sie liegt jetzt unter „${aside}“, und es gelten die Voreinstellungen: ${fault}`,
  'config.setAside.hint': 'Berichtigen Sie diese Datei und lassen Sie Filebridge sie neu lesen, oder beginnen Sie von vorn',
  'config.validNow': 'sie ist jetzt gültig',
  'config.edited': ({ fault }) => `Die geänderte Konfiguration ist ungültig und wurde nicht übernommen: ${fault}`,
  'config.edited.hint':
    'Die vorherigen Einstellungen gelten weiter. Berichtigen Sie die Datei, oder lassen Sie Filebridge sie mit den geltenden Einstellungen überschreiben',
  'config.defaults': ({ file, fault }) =>
    `Die Konfiguration „${file}“ ist ungültig, und es gelten die Voreinstellungen: ${fault}`,
  'config.correct': 'Berichtigen Sie die Datei',
  'config.entry': ({ entry, effect, fault }) => `„${entry}“ in der Konfiguration ${effects[effect]}: ${fault}`,
  'config.entry.hint': ({ file }) => `Berichtigen Sie den Eintrag in „${file}“. Er bleibt dort stehen, und alles andere gilt`,
  'config.moreEntries': ({ entries }) => `${entries} weitere Einträge der Konfiguration sind ungültig`,
  'config.moreEntries.hint': ({ file }) => `Berichtigen Sie sie in „${file}“`,
  'config.unwatched': ({ fault }) => `Änderungen anderer Programme an der Konfiguration werden nicht bemerkt: ${fault}`,
  'config.unwatched.hint': 'Lassen Sie Filebridge die Datei nach einer Änderung neu lesen',
  'config.invalid': ({ file, fault }) => `Die Konfiguration „${file}“ ist ungültig: ${fault}`,
  'config.checkFolder': 'Prüfen Sie den Ordner und seine Rechte',
  'config.unchanged': ({ fault }) => `${fault}. Es wurde nichts geändert`,
  'config.hiddenServer': ({ server }) => `einen Server „${server}“ gibt es darin schon, er ist wegen eines Fehlers abgeschaltet`,

  'setting.several': ({ first, then }) => `${first}; außerdem ${then}`,
  'setting.more': ({ more }) => `${more} weitere`,
  'setting.wrong': ({ key, found, expected }) => `${key} ist ${found}; verlangt: ${expected}`,
  'setting.missing': ({ key, expected }) => `${key} fehlt; verlangt: ${expected}`,
  'setting.noForm': ({ key }) => `${key} hat keine der möglichen Formen`,
  'setting.empty': ({ key }) => `${key} ist leer`,
  'setting.bound': ({ bound, limit }) => `${limitWords[bound]} ${limit}`,
  'setting.oneOf': ({ values }) =>
    values.length < 2 ? (values[0] ?? 'nichts') : `${values.slice(0, -1).join(', ')} oder ${values.at(-1)}`,
  'setting.unknown': ({ keys, known }) =>
    `${keys.join(', ')} ${keys.length === 1 ? 'ist keine Einstellung' : 'sind keine Einstellungen'}${known.length === 0 ? '' : ` (bekannt sind hier: ${known.join(', ')})`}`,
  'setting.name': ({ key, reason }) => `${key} ist kein möglicher Name: ${reason}`,
  'setting.nameCharacters': 'andere Zeichen sind nötig',
  'setting.url': ({ key }) => `${key} muss eine Adresse sein wie https://example.com/mcp`,
  'setting.other': ({ key, reason }) => `${key} – ${reason}`,
  'setting.kind.string': 'Text in Anführungszeichen',
  'setting.kind.number': 'eine Zahl',
  'setting.kind.int': 'eine ganze Zahl',
  'setting.kind.boolean': 'true oder false',
  'setting.kind.list': 'eine Liste [ … ]',
  'setting.kind.group': 'eine Gruppe { … }',

  'settings.login': 'Der Start bei der Anmeldung wird in der Desktop-App eingestellt',
  'settings.login.hint': 'Installieren Sie die Desktop-App, oder verwenden Sie den Autostart Ihres Systems',
  'settings.noToken': ({ client }) => `Für „${client}“ gibt es keinen Schlüssel`,
  'settings.answers': ({ folder, reason }) => `In „${folder}“ können keine Antworten gespeichert werden: ${reason}`,
  'settings.answers.hint': 'Wählen Sie einen anderen Ordner',
  'settings.answers.notFull': 'Es ist kein vollständiger Pfad',
  'settings.answers.notFolder': 'Es ist kein Ordner',
  'settings.answers.notMade': 'Es gibt ihn nicht, und er kann nicht angelegt werden',
  'settings.answers.notWritable': 'Dort darf nichts geschrieben werden',

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
  'allow.wholeHome': 'Das ist Ihr ganzer persönlicher Ordner',
  'allow.insideSystem': ({ folder }) => `„${folder}“ ist ein Ordner des Systems`,
  'allow.asksFirst.hint':
    'Agenten könnten alles darin lesen, außer bekannten Passwörtern und Schlüsseln. Wählen Sie einen Ordner mit eigenen Dateien, oder fügen Sie ihn auf der Seite „Ordner“ hinzu, die vorher fragt',
  'allow.notThis': ({ path }) => `„${path}“ ist keine Datei, die für sich erlaubt werden kann`,
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

  'answers.refused': ({ folder, reason }) => `Antworten können nicht in „${folder}“ gespeichert werden: ${reason}`,
  'answers.refused.hint': 'Bis ein anderer Ordner gewählt ist, kommen Antworten an den üblichen Ort',

  'problem.gone': 'Dieses Problem besteht nicht mehr',
  'problem.gone.hint': 'Es ist nichts zu tun',
  'problem.otherRemedy': ({ remedy }) => `„${remedy}“ behebt dieses Problem nicht`,
  'problem.onPage': ({ remedy }) => `„${remedy}“ geschieht auf der zugehörigen Seite`,

  'port.inUse': ({ port, host }) => `Port ${port} auf ${host} ist schon belegt`,
  'port.notAllowed': ({ port, host }) => `Port ${port} auf ${host} darf nicht verwendet werden`,
  'port.closed': ({ port, host, reason }) => `Port ${port} auf ${host} lässt sich nicht öffnen (${reason})`,
  'port.hint': 'Vielleicht läuft Filebridge schon. Wählen Sie sonst einen anderen Port in den Einstellungen',
  'port.unreachable': 'Agenten, die sich über die Adresse verbinden, erreichen Filebridge nicht. Vielleicht läuft es zweimal',

  'ledger.closed': 'In das Protokoll wurde nach dem Schließen noch geschrieben',
  'ledger.gone': 'Dieser Aufruf ist nicht mehr im Protokoll',

  'usage.noCommand': 'Nennen Sie einen Befehl',
  'usage.unknownCommand': ({ command, near }) => `Einen Befehl „${command}“ gibt es nicht${also(near)}`,
  'usage.unknownOption': ({ option, near }) => `Die Option ${option} ist unbekannt${also(near)}`,
  'usage.transformStep': ({ option, instead }) =>
    `Die Option ${option} ist unbekannt: Sie ist ein Schritt einer Umformung. Geben Sie ${instead} an`,
  'usage.noValue': ({ option }) => `${option} braucht einen Wert`,
  'usage.dashValue': ({ option }) => `${option} braucht einen Wert; beginnt er mit einem Strich, schreiben Sie ${option}=-…`,
  'usage.valueUnused': ({ option }) => `${option} nimmt keinen Wert`,
  'usage.port': ({ port }) => `--port muss eine Zahl von 0 bis 65535 sein, nicht „${port}“`,
  'usage.rows': ({ rows }) => `--rows muss eine Zahl von 0 bis 1000 sein, nicht „${rows}“`,
  'usage.store': ({ store }) => `--store nimmt nur „file“, nicht „${store}“`,
  'usage.clientSecret': '--client-secret-env braucht --client-id',
  'usage.clientSecretUnset': ({ variable }) =>
    `--client-secret-env nennt die Umgebungsvariable ${variable}, die nicht gesetzt ist`,
  'usage.notJson': ({ option, reason }) => `${option} muss JSON sein: ${reason}`,
  'usage.oneFile': ({ command, given }) =>
    `${command} nimmt eine Datei${given > 1 ? '. Setzen Sie einen Pfad mit Leerzeichen in Anführungszeichen' : ''}`,
  'usage.oneFolder': ({ command }) => `${command} nimmt einen Ordner`,
  'usage.noArguments': ({ command }) => `${command} nimmt kein Argument`,
  'usage.serverText': 'add-server braucht einen Befehl, eine Adresse, --file DATEI oder eines davon auf der Standardeingabe',
  'usage.oneServerText': 'add-server nimmt entweder einen Befehl oder --file',
  'usage.env': '--env nimmt NAME=WERT',
  'usage.serverQuotes': ({ fault }) => `${fault}. Setzen Sie den Befehl in Anführungszeichen, oder -- davor`,
  'usage.nameTaken': ({ name, given }) =>
    `Einen Server „${name}“ gibt es schon; „filebridge remove-server ${name}${given}“ entfernt ihn`,
  'usage.oneName': ({ servers }) => `--name und --env gelten für einen Server, und hier sind es mehrere: ${servers.join(', ')}`,
  'usage.oneServer': ({ command }) => `${command} braucht den Namen eines Servers`,
  'usage.foldersConnect': 'Ordner gelten nur beim Verbinden',
  'usage.entryKept': ({ fault }) =>
    `Was der Eintrag enthält, kann nicht übernommen werden: ${fault}. Entfernen Sie ihn mit --disconnect, und verbinden Sie neu`,
  'usage.noClient': 'Nennen Sie die App',
  'usage.unknownClient': ({ name, known, near }) =>
    `Eine App „${name}“ gibt es nicht${near === null ? `; bekannt sind ${known.join(', ')}` : also(near)}`,
  'usage.undoAlone': '--undo steht allein',
  'usage.replaceConnect': '--replace gilt nur beim Verbinden',
  'usage.serve': 'serve braucht entweder --stdio oder --http',
  'usage.portWithHttp': '--port gehört zu --http',

  'console.portTaken': ({ port }) => `Die Konsole kann den Port ${port} nicht verwenden`,
  'console.portTaken.hint':
    'Ein anderes Programm verwendet ihn. Nennen Sie mit --port einen anderen, oder lassen Sie die Option weg',

  'client.unchangeable': ({ client, problem }) => `${client} kann nicht geändert werden. ${problem}`,
  'client.unchangeable.hint': 'Fügen Sie den Eintrag von Hand hinzu',

  'window.filesMissing': ({ folder }) => `Die Dateien des Fensters fehlen in „${folder}“`,
  'window.pageMissing': ({ folder }) => `Die Seite des Fensters fehlt in „${folder}“`,
  'window.missing.hint': 'Führen Sie „npm run build“ aus',
  'window.operation': 'Der Name einer Aktion muss Text sein',
  'window.foreign': 'Das darf nur das Fenster von Filebridge',

  'welcome.half': 'Nennen Sie einen Server und sein Werkzeug oder keines von beiden',

  'host.silent': 'Filebridge antwortet nicht',
  'host.silent.hint': 'Vielleicht wurde es beendet',
  'host.noDialog': 'Filebridge kann von hier aus keinen Dialog öffnen',
  'host.noOpening': 'Filebridge kann von hier aus keine Datei in ihrer App öffnen',
  'host.notOpened': ({ path }) => `„${path}“ hat kein Format, das Filebridge liest, und wird nicht geöffnet`,
  'host.noFileManager': 'Filebridge kann von hier aus keine Dateiverwaltung öffnen',
  'host.browser.hint': 'Diese Seite läuft in einem Browser. Die Desktop-App kann es',
};
