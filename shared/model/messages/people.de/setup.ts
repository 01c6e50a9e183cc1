/** German for agents.en/setup.ts. */
import type { setup as english } from '../agents.en/setup.ts';
import type { Table } from '../message.ts';

const temporaryPlaces = {
  diskImage: 'seinem Disk-Image',
  translocated: 'einer Kopie, die macOS von geladenen Programmen anlegt',
  mount: 'einem vorübergehend eingehängten Verzeichnis',
  npxCache: 'dem Zwischenspeicher von npx, und sein Tarball ist nicht mehr da',
} as const;

const moveApp = 'Bewegen Sie Filebridge in den Ordner „Programme“, öffnen Sie es von dort';
const lastingPlaces = {
  diskImage: moveApp,
  translocated: moveApp,
  mount: 'Legen Sie das AppImage in einen eigenen Ordner, starten Sie es von dort',
  npxCache: 'Legen Sie den Tarball in einen eigenen Ordner, starten Sie ihn von dort',
} as const;

const places = { address: 'Seine Adresse', 'command line': 'Seine Befehlszeile', 'working folder': 'Sein Arbeitsordner' };

export const setup: Table<typeof english> = {
  'servers.fixed': 'Die Server sind auf der Befehlszeile genannt und können hier nicht geändert werden',
  'servers.fixed.hint': 'Ändern Sie die Datei, die mit --upstreams genannt ist, oder starten Sie Filebridge ohne sie',
  'servers.unknown': ({ server }) => `Einen Server „${server}“ gibt es nicht`,
  'servers.unknown.hint': 'Vielleicht wurde er inzwischen umbenannt oder entfernt',
  'servers.taken': ({ server }) => `Einen Server „${server}“ gibt es schon`,
  'servers.taken.hint': 'Wählen Sie einen anderen Namen',
  'servers.toolsChanged': ({ server }) => `Die Werkzeuge von „${server}“ haben sich noch einmal geändert`,
  'servers.toolsChanged.hint': 'Sehen Sie sich die Änderungen noch einmal an',

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
  'import.secretsOption.hint':
    "Setzen Sie Umgebungsvariablen, und geben Sie --env NAME='${NAME}' an, oder fügen Sie ihn in der Filebridge-App hinzu",
  'import.refused': ({ server, reason }) => `Der Server „${server}“ kann nicht übernommen werden: ${reason}`,
  'import.refused.hint':
    'Fügen Sie ihn mit dem Wert von Hand hinzu, oder setzen Sie eine Umgebungsvariable und schreiben Sie ${NAME} an seine Stelle',
  'import.envFile': ({ file }) => `Seine Umgebung steht in der Datei „${file}“, die nicht gelesen wird`,
  'import.foreign': ({ reference }) => `Er verweist auf „${reference}“, was nur die App ersetzen kann, aus der er kommt`,
  'import.notFilled': ({ place, reference }) =>
    `${places[place]} verweist auf „${reference}“, aber Filebridge ersetzt Verweise nur in Variablen und Headern`,

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

  'pasted.none': 'Der eingefügte Text enthält keine Server',
  'pasted.invalid': ({ format, fault }) => `Der eingefügte Text ist kein gültiges ${format}: ${fault}`,
  'pasted.hint':
    'Fügen Sie ein, was die Anleitung des Servers nennt: seinen Befehl, seine Adresse, einen Installationslink oder einen Block wie { "mcpServers": { … } }',
  'pasted.empty': 'Es wurde nichts eingefügt',
  'pasted.unknown': 'Der eingefügte Text ist nicht verständlich',
  'pasted.tooLong': 'Der eingefügte Text ist länger, als Einstellungen je sind',
  'pasted.tooLong.hint': 'Fügen Sie nur den Teil mit dem Server ein',
  'pasted.tooMany': ({ most }) => `Der eingefügte Text enthält mehr als ${most} Server`,
  'pasted.deep': 'Der eingefügte Text ist zu tief verschachtelt',
  'pasted.openQuote': 'In der eingefügten Zeile ist ein Anführungszeichen nicht geschlossen',
  'pasted.openQuote.hint': 'Kopieren Sie die ganze Zeile',
  'pasted.shell': ({ part }) => `Die eingefügte Zeile braucht eine Shell: sie enthält „${part}“`,
  'pasted.shell.hint': 'Fügen Sie nur den Befehl ein, der den Server startet, mit seinen Argumenten',
  'pasted.installs': 'Die eingefügte Zeile installiert einen Server, startet ihn aber nicht',
  'pasted.installs.hint':
    'Führen Sie sie zuerst in einem Terminal aus, und fügen Sie dann den Befehl ein, der den Server startet',
  'pasted.otherApp': 'Die eingefügte Zeile ändert die Einstellungen einer anderen App und sagt nicht, wie der Server startet',
  'pasted.otherApp.hint': 'Fügen Sie den Befehl oder die Adresse des Servers selbst ein, die seine Anleitung ebenfalls nennt',
  'pasted.page': ({ host }) => `Diese Adresse ist eine Seite von ${host} über einen Server, nicht der Server selbst`,
  'pasted.page.hint': 'Öffnen Sie die Seite, und kopieren Sie den Befehl oder die Adresse, die sie nennt',
  'pasted.link': 'Der Installationslink ist beschädigt',
  'pasted.link.hint': 'Kopieren Sie ihn noch einmal: mit der rechten Maustaste auf den Knopf, dann „Link kopieren“',
  'pasted.download': 'Unter dieser Adresse kann das Bundle eines Servers heruntergeladen werden',
  'pasted.download.hint': 'Laden Sie die Datei herunter, und ziehen Sie sie auf dieses Fenster',
  'pasted.serverJson': ({ place }) => `Die Beschreibung des Servers ist bei „${place}“ nicht gültig`,
  'pasted.serverJson.hint': 'Sie muss dem Schema von server.json folgen, Version 2025-12-11',

  'bundle.unreadable': ({ path }) => `Die Datei „${path}“ gibt es nicht, oder sie ist nicht lesbar`,
  'bundle.unreadable.hint': 'Prüfen Sie den Pfad',
  'bundle.relative': 'Der Pfad des Bundles ist nicht vollständig',
  'bundle.relative.hint': 'Ziehen Sie die Datei auf das Fenster, oder nennen Sie ihren vollständigen Pfad',
  'bundle.damaged': ({ reason }) => `Das Bundle ist beschädigt: ${reason}`,
  'bundle.damaged.hint': 'Laden Sie es noch einmal herunter, oder fragen Sie, wer es gemacht hat',
  'bundle.notFile': 'es ist keine Datei',
  'bundle.badManifest': ({ problem }) => `seine manifest.json ist kein gültiges JSON: ${problem}`,
  'bundle.twice': ({ name }) => `zwei seiner Dateien heißen „${name}“`,
  'bundle.noManifest': 'Die Datei ist kein Bundle eines MCP-Servers: manifest.json fehlt',
  'bundle.manifest': ({ place }) => `Das Manifest des Bundles ist bei „${place}“ nicht gültig`,
  'bundle.tooLarge': 'Das Bundle ist größer, als Bundles sein dürfen',
  'bundle.tooLarge.hint': 'Installieren Sie den Server auf andere Weise',
  'bundle.escapes': 'Das Bundle enthält Dateien, die außerhalb seines Ordners entpackt würden',
  'bundle.changed': 'Das Bundle hat sich geändert, seit es angezeigt wurde',
  'bundle.changed.hint': 'Sehen Sie nach, was jetzt ausgeführt würde, und fügen Sie ihn noch einmal hinzu',
  'bundle.platform': 'Das Bundle ist nicht für dieses System gemacht',
  'bundle.platform.hint': 'Suchen Sie eines dafür, oder installieren Sie den Server auf andere Weise',

  'offer.missing': ({ server, label }) => `Der Server „${server}“ braucht einen Wert für „${label}“`,
  'offer.missing.hint': 'Geben Sie den Wert ein',
  'offer.option': ({ server, names }) =>
    `Der Server „${server}“ braucht einen Wert für ${names.map((name) => `„${name}“`).join(', ')}`,
  'offer.option.hint': ({ name }) => `Geben Sie jeden mit --env an, etwa --env ${name}=WERT`,
  'offer.optionSecret.hint': ({ name, variable }) =>
    `Geheimnisse verwahrt nur die Desktop-App. Setzen Sie hier die Umgebungsvariable ${variable}, und geben Sie --env ${name}='\${${variable}}' an`,
  'offer.single': ({ label }) => `„${label}“ nimmt nur einen Wert`,
  'offer.number': ({ label }) => `„${label}“ ist eine Zahl`,
  'offer.choice': ({ label, choices }) => `„${label}“ nimmt nur einen dieser Werte: ${choices.join(', ')}`,
  'offer.transport': ({ type }) => `Server, die über „${type}“ erreicht werden, werden nicht unterstützt`,
  'offer.otherWay': 'Wählen Sie eine andere Art, ihn auszuführen, wenn er eine hat',
  'offer.listens': ({ server }) => `„${server}“ wartet auf Verbindungen und muss vorher gestartet werden`,
  'offer.package': ({ type }) => `Pakete der Art „${type}“ werden nicht unterstützt`,
  'offer.gone': 'Der eingefügte Text oder die Datei hat sich geändert, seit sie angezeigt wurde',
  'offer.gone.hint': 'Sehen Sie nach, was jetzt ausgeführt würde, und fügen Sie ihn noch einmal hinzu',

  'catalogue.noLink': 'Der Katalog kennt keine Seite für diesen Wert',

  'agent.unknown': ({ id }) => `Einen Agenten „${id}“ gibt es nicht`,
  'agent.unknown.hint': ({ ids }) => `Bekannt sind ${ids.join(', ')}`,
  'agent.absent': ({ app }) => `${app} wurde auf diesem Computer nicht gefunden`,
  'agent.absent.hint': ({ file }) =>
    `Die Einstellungen wären in „${file}“. Starten Sie das Programm einmal, und versuchen Sie es erneut`,
  'agent.noLink': ({ app }) => `${app} hat keinen solchen Link`,
  'agent.linkInApp': 'Nur die Desktop-App kann Links öffnen',
  'agent.link.hint': 'Wählen Sie stattdessen „Verbinden“',
  'agent.otherLink': 'Links dieser Art öffnet Filebridge nicht',
  'agent.otherLink.hint': 'Geöffnet werden nur https-Links und Links bekannter Apps',
  'agent.leftAlone': ({ app, reason }) => `Die Einstellungen von ${app} bleiben unverändert: ${reason}`,
  'agent.leftAlone.hint': ({ file }) => `Berichtigen Sie „${file}“, oder fügen Sie den Eintrag von Hand hinzu`,
  'agent.unsafe': ({ app }) => `Die Einstellungen von ${app} sind so geschrieben, dass sie nicht sicher geändert werden können`,
  'agent.unsafe.hint': ({ file }) => `Ändern Sie den Eintrag in „${file}“ von Hand`,
  'agent.problemLeft': ({ reason }) => `Die Konfiguration bleibt unverändert: ${reason}`,
  'agent.problemLocked': ({ reason }) => `Die Konfiguration kann nicht geändert werden: ${reason}`,
  'agent.taken': ({ app, name }) => `In ${app} gibt es einen Eintrag „${name}“, der ein anderes Programm startet`,
  'agent.taken.hint': 'Nichts wurde geändert. Sehen Sie sich die Änderung an, und ersetzen Sie ihn dort',
  'agent.temporary': ({ place }) => `Filebridge läuft aus ${temporaryPlaces[place]}: Von dort kann keine App es später starten`,
  'agent.temporary.hint': ({ place }) => `Es wurde nichts geändert. ${lastingPlaces[place]}, und verbinden Sie erneut`,
  'agent.noBackup': ({ file }) => `Von „${file}“ gibt es keine Sicherung`,
  'agent.noBackup.hint': 'Filebridge hat die Datei nicht geändert',
  'agent.changedSince': ({ file }) =>
    `„${file}“ wurde nach Filebridge von einem anderen Programm geändert. Diese Änderung ginge verloren`,
  'agent.changedSince.hint': ({ backup }) =>
    `„Trennen“ entfernt nur den Eintrag von Filebridge. Die frühere Fassung ist „${backup}“`,
  'agent.changedNow': ({ file }) => `„${file}“ wurde gleichzeitig von einem anderen Programm geändert`,
  'agent.changedNow.hint': 'Versuchen Sie es erneut',

  'agentEntry.other': ({ name }) => `Der Eintrag „${name}“ startet nicht Filebridge. Vor dem Ersetzen werden Sie gefragt`,
  'agentEntry.off': ({ name }) => `Der Eintrag „${name}“ ist ausgeschaltet. Beim Verbinden wird er eingeschaltet`,
  'agentEntry.gone': ({ name, file }) =>
    `Der Eintrag „${name}“ startet „${file}“, das es nicht mehr gibt. Beim Verbinden wird er erneuert`,

  'agentFile.notFile': 'Das ist keine Datei',
  'agentFile.large': ({ megabytes }) => `Sie hat ${megabytes} MB, mehr als Einstellungen je haben`,
  'agentFile.notText': 'Das ist kein UTF-8-Text',
  'agentFile.link': 'Das ist ein Link auf eine Datei, die es nicht gibt',
  'agentFile.denied': 'Das Recht zum Lesen fehlt',
  'agentFile.readOnly': 'Sie ist schreibgeschützt',
  'agentFile.notWritable': 'Dieser Benutzer darf sie nicht schreiben',
  'agentFile.kind': ({ kind }) => `Sie enthält kein Objekt (${kind})`,
  'agentFile.kindAt': ({ place, kind }) => `„${place}“ ist kein Objekt (${kind})`,

  'agentNote.quit': ({ app }) => `Beenden Sie ${app} ganz, und öffnen Sie es wieder.`,
  'agentNote.session': ({ app }) => `Beginnen Sie eine neue Sitzung von ${app}.`,
  'agentNote.restart': ({ app }) => `Starten Sie ${app} neu.`,
  'agentNote.trust': ({ app }) => `Starten Sie ${app} neu. Es fragt einmal, ob Sie dem Server vertrauen.`,
  'agentNote.anew': ({ app }) => `Starten Sie ${app} noch einmal.`,
  'agentNote.atOnce': ({ app }) => `${app} übernimmt es sofort.`,
  'agentNote.chat': 'Schalten Sie Filebridge in dem Chat ein, in dem Sie es brauchen.',
};
