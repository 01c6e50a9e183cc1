/** Was mit einem Server nicht klappt: die Verbindung, ein Aufruf, die Liste seiner Werkzeuge. */
import type { servers as english } from '../agents/servers.ts';
import { seconds } from '../phrases.ts';
import type { Table } from '../table.ts';

export const servers: Table<typeof english> = {
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
  'server.timeout.hint': ({ setting }) => `Erhöhen Sie ${setting}`,
  'server.silent': ({ server, tool, ms }) =>
    `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} geantwortet, während „${tool}“ lief, und antwortet gar nicht mehr`,
  'server.silent.hint': 'Er wurde beendet, und der nächste Aufruf startet ihn wieder',
  'server.stalled': ({ ms }) => `Der Server hat ${Math.round(ms / 1000)} s lang keine Daten angenommen`,
  'server.changed': ({ server, starting }) =>
    `Der Server „${server}“ wurde geändert oder entfernt, während er ${starting ? 'gestartet' : 'benutzt'} wurde`,

  'tools.slow': ({ server, ms }) =>
    `Der Server „${server}“ hat nicht innerhalb von ${seconds(ms, ',')} gesagt, welche Werkzeuge er hat`,
  'tools.slow.hint': 'Starten Sie ihn neu. Antwortet er auch dann nicht, steht in seiner Anleitung vielleicht, worauf er wartet',
  'tools.ended': ({ server, exit }) => `Der Server „${server}“ endete, als er nach seinen Werkzeugen gefragt wurde (${exit})`,
  'tools.failed': ({ server, reason }) => `Der Server „${server}“ hat nicht gesagt, welche Werkzeuge er hat: ${reason}`,
  'tools.noList': 'Seine Antwort enthält keine Liste',
  'tool.unknown': ({ server, tool }) => `Der Server „${server}“ hat kein Werkzeug „${tool}“`,
  'tool.unknown.none': 'Er bietet keine Werkzeuge an',
  'tool.unknown.many': ({ most }) => `Er nennt mehr Werkzeuge als die ${most}, die von einem Server verwendet werden`,
  'tool.unknown.known': ({ names, more }) => `Er bietet an: ${listed(names, more)}`,
  'tool.off': ({ server, tool }) => `Das Werkzeug „${tool}“ des Servers „${server}“ ist ausgeschaltet`,
  'tool.off.hint': ({ server }) => `Sie können es in den Einstellungen von „${server}“ erlauben`,
  'server.unknown': ({ server }) => `Es ist kein Server „${server}“ eingerichtet`,
  'server.unknown.none': 'Es ist noch kein Server eingerichtet. Fügen Sie zuerst einen hinzu',
  'server.unknown.known': ({ near, names, more }) =>
    `${near === null ? '' : `${near} `}Eingerichtet sind: ${listed(names, more)}`,
  'server.off': ({ server }) => `Der Server „${server}“ ist ausgeschaltet`,
  'server.off.hint': 'Sie können ihn in Filebridge einschalten',
  'names.near': ({ names }) => `Meinten Sie ${names.map((name) => `„${name}“`).join(' oder ')}?`,
  'call.cancelled': 'Der Aufruf wurde abgebrochen',
  'call.cancelledByPerson': 'Sie haben diesen Aufruf abgebrochen',
  'call.cancelledByPerson.hint': 'Der Agent soll ihn nicht von sich aus wiederholen',
  'call.nothingLeft': 'Von diesem Aufruf ist nichts mehr zu senden, oder Filebridge wurde seitdem neu gestartet',
  'call.cancelledOf': ({ tool }) => `Der Aufruf von „${tool}“ wurde abgebrochen`,

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

  'net.refused': ({ where }) => `Unter ${where} antwortet nichts`,
  'net.refused.hint': 'Starten Sie den Server, oder berichtigen Sie seine URL',
  'net.unknownName': ({ where }) => `Der Name von ${where} ist unbekannt`,
  'net.unknownName.hint': 'Prüfen Sie die URL und die Netzwerkverbindung',
  'net.noResponse': ({ where }) => `${where} reagiert nicht`,
  'net.noResponse.hint': 'Prüfen Sie die Netzwerkverbindung, und ob ein VPN nötig ist',
  'net.broken': ({ where }) => `${where} hat die Verbindung abgebrochen`,
  'net.broken.hint': 'Sehen Sie im Protokoll des Servers nach, oder versuchen Sie https:// in der URL',
  'net.notHttps': ({ where }) => `${where} spricht kein https`,
  'net.notHttps.hint': 'Versuchen Sie http:// in der URL',
  'net.certificate': ({ where }) => `Dem Zertifikat von ${where} wird nicht vertraut`,
  'net.certificate.hint': 'Das Zertifikat muss erneuert oder berichtigt werden',
};

const after = (text: string | null) => (text === null ? '' : `: ${text}`);
const listed = (names: readonly string[], more: number) =>
  `${names.map((name) => `„${name}“`).join(', ')}${more > 0 ? ` und ${more} weitere` : ''}`;
