/** German for agents.en/servers.ts. */
import type { servers as english } from '../agents.en/servers.ts';
import type { Table } from '../message.ts';
import { type Resource, seconds } from '../phrases.ts';

const listed = (names: readonly string[], more: number) =>
  `${names.map((name) => `„${name}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}`;

const after = (text: string | null) => (text === null ? '' : `: ${text}`);

const resources: Record<Resource, string> = {
  files: 'sind zu viele Dateien offen',
  processes: 'laufen zu viele Prozesse',
  memory: 'ist zu wenig Speicher frei',
};

const steps = { start: ', und starten Sie es', python3: '. Ist es schon da, heißt der Befehl vielleicht python3' };

export const servers: Table<typeof english> = {
  'server.notReady': ({ server, seconds }) => `Der Server „${server}“ war nach ${seconds} s nicht bereit`,
  'server.notReady.hint': 'Versuchen Sie es noch einmal: Was er herunterladen musste, ist dann vielleicht da',
  'server.failing': ({ server }) => `Der Server „${server}“ geht nicht`,
  'server.failing.hint': ({ error, hint }) => (hint === null ? error : `${error}. ${hint}`),
  'server.notStdio.hint': 'Prüfen Sie, ob der Befehl ein MCP-Server ist, der über stdio spricht',
  'server.slow.hint':
    'Prüfen Sie, ob der Befehl ein MCP-Server ist, der über stdio spricht. Laden npx oder uvx ihn zuerst, prüfen Sie auch, ob sie ihr Verzeichnis erreichen',
  'server.notReached': ({ server, reason }) => `Der Server „${server}“ ist nicht erreichbar: ${reason}`,
  'server.notReached.hint': ({ where, type }) => `Prüfen Sie, ob ${where} ein MCP-Server vom Typ „${type}“ ist`,
  'server.noAnswer': ({ server, ms }) => `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} geantwortet`,
  'server.noAnswer.hint': ({ where }) => `Prüfen Sie, ob der Server unter ${where} läuft`,
  'server.older.hint': ({ server }) => `Versuchen Sie für „${server}“ den Typ „sse“: Die URL endet wie die von älteren Servern`,
  'server.refusedHandshake': ({ reason }) => `Er lehnt den Verbindungsaufbau ab: ${reason}`,
  'server.noReason': 'Er nennt keinen Grund',
  'server.noSubscriptions': ({ server }) => `Der Server „${server}“ meldet keine Änderungen von Ressourcen`,
  'server.failed': ({ tool, reason }) => `Das Werkzeug „${tool}“ ist fehlgeschlagen: ${reason}`,
  'server.inputRounds': ({ times }) => `Es hat ${times}-mal nach Eingaben gefragt`,
  'server.ended': ({ server, tool, exit }) =>
    `Der Server „${server}“ endete, während „${tool}“ lief${exit === null ? '' : ` (${exit})`}`,
  'server.disconnected': ({ server, tool }) => `Der Server „${server}“ brach die Verbindung ab, während „${tool}“ lief`,
  'server.openAddress': ({ addresses }) =>
    `Öffnen Sie zuerst diese Adresse im Browser: ${addresses}. Danach kann der Aufruf wiederholt werden`,
  'server.startsAgain': ({ said }) => `${said === null ? '' : `${said}. `}Der nächste Aufruf startet ihn wieder`,
  'server.connectsAgain': 'Der nächste Aufruf verbindet wieder',
  'server.endedBy': ({ signal }) => `beendet durch ${signal}`,
  'server.exitCode': ({ code }) => `Exit-Code ${code}`,
  'server.hasEnded': ({ exit }) => `Der Server endete (${exit})`,
  'server.timeout': ({ server, tool, ms }) =>
    `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} geantwortet, während „${tool}“ lief`,
  'server.timeout.hint': () =>
    'Erhöhen Sie „Längster Aufruf“ in den Einstellungen des Servers, oder auf der Seite „Einstellungen“',
  'server.silent': ({ server, tool, ms }) =>
    `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} geantwortet, während „${tool}“ lief, und antwortet gar nicht mehr`,
  'server.silent.hint': 'Er wurde beendet, und der nächste Aufruf startet ihn wieder',
  'server.stalled': ({ ms }) => `Der Server hat ${Math.round(ms / 1000)} s lang keine Daten angenommen`,
  'server.changed': ({ server, starting }) =>
    `Der Server „${server}“ wurde geändert oder entfernt, während er ${starting ? 'gestartet' : 'benutzt'} wurde`,
  'server.unknown': ({ server }) => `Es ist kein Server „${server}“ eingerichtet`,
  'server.unknown.none': 'Es ist noch kein Server eingerichtet. Fügen Sie zuerst einen hinzu',
  'server.unknown.known': ({ near, names, more }) =>
    `${near === null ? '' : `${near} `}Eingerichtet sind: ${listed(names, more)}`,
  'server.off': ({ server }) => `Der Server „${server}“ ist ausgeschaltet`,
  'server.off.hint': 'Sie können ihn in Filebridge einschalten',
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
  'start.program.hint': 'Prüfen Sie den Pfad im Befehl',
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
  'start.install.hint': () => 'Installieren Sie ihn, oder geben Sie seinen vollständigen Pfad an',
  'start.near.hint': ({ meant }) =>
    `Meinten Sie „${meant}“? Wenn nicht, installieren Sie ihn, oder geben Sie seinen vollständigen Pfad an`,
  'start.installFrom.hint': ({ product, from, bundled, also }) =>
    `${bundled ? `Er gehört zu ${product}: Installieren Sie das` : `Installieren Sie ${product}`} von ${from}${also === undefined ? '' : steps[also]}. Ist er schon installiert, geben Sie seinen vollständigen Pfad an`,
  'start.ended': ({ program, exit }) => `${program ?? 'Er'} endete, bevor er bereit war (${exit})`,
  'start.ended.hint': ({ command }) => `Führen Sie „${command}“ in einem Terminal aus, um den Grund zu sehen`,
  'start.stray': ({ program }) => `${program ?? 'Er'} spricht auf seiner Standardausgabe kein MCP`,
  'start.stray.hint': ({ wrote }) => `Prüfen Sie, ob der Befehl ein MCP-Server vom Typ stdio ist. ${wrote}`,
  'start.slow': ({ server, ms }) => `Der Server „${server}“ war nach ${seconds(ms, ',')} noch nicht gestartet`,

  'net.refused': ({ where }) => `Unter ${where} antwortet nichts`,
  'net.refused.hint': 'Starten Sie den Server, oder berichtigen Sie seine URL',
  'net.unknownName': ({ where }) => `Der Name von ${where} ist unbekannt`,
  'net.unknownName.hint': 'Prüfen Sie die URL, die Netzwerkverbindung, und ob ein Proxy nötig ist',
  'net.noResponse': ({ where }) => `${where} reagiert nicht`,
  'net.noResponse.hint': 'Prüfen Sie die Netzwerkverbindung, und ob ein VPN oder ein Proxy nötig ist',
  'net.broken': ({ where }) => `${where} hat die Verbindung abgebrochen`,
  'net.broken.hint': 'Sehen Sie im Protokoll des Servers nach, oder versuchen Sie https:// in der URL',
  'net.notHttps': ({ where }) => `${where} spricht kein https`,
  'net.notHttps.hint': 'Versuchen Sie http:// in der URL',

  'proxy.badAddress': ({ address }) => `Der Proxy „${address}“ ist keine Adresse`,
  'proxy.badAddress.hint':
    'Berichtigen Sie den Proxy des Servers, HTTPS_PROXY, HTTP_PROXY oder ALL_PROXY, etwa http://proxy.example:8080',
  'proxy.notReached': ({ proxy, reason }) => `Der Proxy ${proxy} war nicht zu erreichen${reason === null ? '' : `: ${reason}`}`,
  'proxy.notReached.hint':
    'Prüfen Sie den Proxy in den Einstellungen dieses Computers und des Servers. Manche Firma hat ihn nur im eigenen Netz',
  'proxy.refused': ({ proxy, status, where }) => `Der Proxy ${proxy} lässt Verbindungen zu ${where} nicht durch (HTTP ${status})`,
  'proxy.refused.hint':
    'Lassen Sie sie dort freigeben. Ist der Server ohne Proxy zu erreichen, tragen Sie „direct“ als seinen Proxy ein',
  'proxy.signIn': 'Der Proxy verlangt Benutzer und Passwort',
  'proxy.signIn.hint':
    'Schreiben Sie beides unter „Proxy“ in die Einstellungen des Servers: http://benutzer:passwort@proxy.example:8080',

  'certificate.expired': ({ where }) => `Das Zertifikat von ${where} ist abgelaufen`,
  'certificate.expired.hint':
    'Prüfen Sie die Uhr dieses Computers. Geht sie richtig, muss der Betreiber des Servers das Zertifikat erneuern',
  'certificate.otherName': ({ where }) => `Das Zertifikat von ${where} gilt für einen anderen Namen`,
  'certificate.otherName.hint': 'Prüfen Sie die URL: Sie muss den Namen haben, für den das Zertifikat gilt',
  'certificate.unknown': ({ where }) => `Für das Zertifikat von ${where} bürgt niemand, den dieser Computer kennt`,
  'certificate.unknown.hint':
    'Firmen und Virenscanner, die Verbindungen mitlesen, haben eine eigene Zertifizierungsstelle. Besorgen Sie ihre Datei (PEM), und fügen Sie sie auf der Seite „Einstellungen“ unter „Zertifikate“ hinzu',
  'certificates.unreadable': ({ file, reason }) =>
    `Die Zertifikate in „${file}“ lassen sich nicht lesen${reason === null ? '' : ` (${reason})`}`,
  'certificates.unreadable.hint': 'Es muss eine PEM-Datei sein. Berichtigen Sie „Zertifikate“ auf der Seite „Einstellungen“',

  'http.signIn': ({ server }) => `Der Server „${server}“ verlangt eine Anmeldung (HTTP 401)`,
  'http.credentials.hint': ({ server }) => `Prüfen Sie den Authorization-Header oder das Token von „${server}“`,
  'http.signIn.hint': ({ how }) => `${how}. Ein Server ohne eine solche Anmeldung erwartet ein Token in seinen Headern`,
  'http.notMcp': ({ server }) => `Der Server „${server}“ antwortet, aber nicht wie ein MCP-Server`,
  'http.notMcp.hint': ({ server, type }) =>
    `Prüfen Sie die URL von „${server}“: Sie führt vielleicht zu einer Webseite. Viele Server antworten unter /mcp oder /sse. Oder versuchen Sie den Typ „${type}“`,
  'http.elsewhere': ({ server, status }) => `Der Server „${server}“ verweist an eine andere Adresse (HTTP ${status})`,
  'http.elsewhere.hint': ({ server }) =>
    `Geben Sie diese Adresse als URL von „${server}“ an. Vielleicht will sie auch eine Anmeldung`,
  'http.forbidden': ({ server }) => `Der Server „${server}“ verweigert den Zugriff (HTTP 403)`,
  'http.forbidden.hint': ({ server }) => `Prüfen Sie, ob das Token von „${server}“ die nötigen Rechte hat`,
  'http.nothing': ({ server }) => `Der Server „${server}“ hat nichts unter dieser Adresse (HTTP 404)`,
  'http.nothing.hint': ({ server }) => `Prüfen Sie die URL von „${server}“. Viele Server antworten unter /mcp oder /sse`,
  'http.otherKind': ({ server }) => `Der Server „${server}“ nimmt diese Art der Verbindung nicht an (HTTP 405)`,
  'http.otherKind.hint': ({ server, type }) => `Versuchen Sie für „${server}“ den Typ „${type}“`,
  'http.handshake': ({ server, status, reason }) =>
    `Der Server „${server}“ hat den Verbindungsaufbau nicht verstanden (HTTP ${status}${after(reason)})`,
  'http.handshake.hint': ({ server, type }) => `Prüfen Sie die URL von „${server}“, oder versuchen Sie den Typ „${type}“`,
  'http.tooLarge': ({ server }) => `Der Server „${server}“ hat den Aufruf als zu groß abgelehnt (HTTP 413)`,
  'http.tooLarge.hint': ({ server }) =>
    `Senden Sie weniger in einem Aufruf: Eine Liste kann in mehreren gehen. Die größte Nachricht von „${server}“ lässt sich in seinen Einstellungen senken`,
  'http.tooOften': ({ server }) => `Der Server „${server}“ wird zu oft gefragt (HTTP 429)`,
  'http.tooOften.hint': 'Warten Sie ein wenig, und versuchen Sie es erneut',
  'http.wait.hint': ({ wait }) => `Er bittet, bis zum nächsten Versuch ${wait} s zu warten`,
  'http.unavailable': ({ server, status, reason }) =>
    `Der Server „${server}“ ist zurzeit nicht verfügbar (HTTP ${status}${after(reason)})`,
  'http.unavailable.hint': ({ where }) => `Versuchen Sie es später erneut, oder prüfen Sie, ob der Server unter ${where} läuft`,
  'http.status': ({ server, status, reason }) => `Der Server „${server}“ antwortet mit HTTP ${status}${after(reason)}`,
  'http.log.hint': ({ where }) => `Sehen Sie im Protokoll des Servers unter ${where} nach`,

  'signIn.program': ({ server }) => `Der Server „${server}“ ist ein Programm auf diesem Computer und hat keine solche Anmeldung`,
  'signIn.program.hint': 'Seine Zugangsdaten sind Umgebungsvariablen in seinen Einstellungen',
  'signIn.header': ({ server }) =>
    `Der Server „${server}“ hat in seinen Einstellungen einen Authorization-Header, der stattdessen verwendet wird`,
  'signIn.header.hint': 'Entfernen Sie den Header, um sich anzumelden',
  'signIn.noLink': 'Die Anmeldung endete ohne Link',
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
  'signIn.scopes': ({ server, scopes }) => `Der Server „${server}“ verlangt für diesen Aufruf mehr Rechte: ${scopes}`,
  'signIn.notNeeded': ({ server }) => `Der Server „${server}“ antwortet ohne Anmeldung`,
  'signIn.notNeeded.hint': 'Es ist nichts zu tun: Benutzen Sie ihn',
  'signIn.noProofs': 'Seine Anmeldung hat nicht den Schutz, den Tokens hier brauchen (PKCE mit S256)',
  'signIn.nowhere': ({ server }) => `Der Server „${server}“ verlangt eine Berechtigung und sagt nicht, wo man sich anmeldet`,
  'signIn.nowhere.hint':
    'Vielleicht will er ein Token von Ihnen: Tragen Sie es in den Kopfzeilen des Servers ein, als Authorization: Bearer …',
  'signIn.noRegistration': ({ server }) =>
    `Die Anmeldung bei „${server}“ verlangt eine Client-ID: Dort meldet sich kein Programm selbst an`,
  'signIn.noRegistration.hint': ({ redirects }) =>
    `Melden Sie beim Betreiber eine App an, mit den Rückkehradressen ${redirects.join(', ')}, und geben Sie ihre Client-ID hier ein`,
  'signIn.clientRefused': ({ server }) => `Die Anmeldung bei „${server}“ hat die Client-ID oder ihr Geheimnis abgelehnt`,
  'signIn.clientRefused.hint': ({ redirects }) =>
    `Prüfen Sie beides, und ob diese Rückkehradressen angemeldet sind: ${redirects.join(', ')}`,
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

  'tools.slow': ({ server, ms }) =>
    `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} gesagt, welche Werkzeuge er hat`,
  'tools.slow.hint': 'Starten Sie ihn neu. Antwortet er auch dann nicht, steht in seiner Anleitung vielleicht, worauf er wartet',
  'tools.ended': ({ server, exit }) => `Der Server „${server}“ endete, als er nach seinen Werkzeugen gefragt wurde (${exit})`,
  'tools.failed': ({ server, reason }) => `Der Server „${server}“ hat nicht gesagt, welche Werkzeuge er hat: ${reason}`,
  'tools.noList': 'Seine Antwort enthält keine Liste',

  'names.near': ({ names }) => `Meinten Sie ${names.map((name) => `„${name}“`).join(' oder ')}?`,

  'tool.unknown': ({ server, tool }) => `Der Server „${server}“ hat kein Werkzeug „${tool}“`,
  'tool.unknown.none': 'Er bietet keine Werkzeuge an',
  'tool.unknown.many': ({ most }) => `Er nennt mehr Werkzeuge als die ${most}, die von einem Server verwendet werden`,
  'tool.unknown.known': ({ names, more }) => `Er bietet an: ${listed(names, more)}`,
  'tool.off': ({ server, tool }) => `Das Werkzeug „${tool}“ des Servers „${server}“ ist ausgeschaltet`,
  'tool.off.hint': ({ server }) => `Sie können es in den Einstellungen von „${server}“ erlauben`,
};
