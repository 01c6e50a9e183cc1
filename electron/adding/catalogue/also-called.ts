/** What people call the things that servers of the catalogue are for, in English and German. */
import type { CatalogueServer } from './catalogue.ts';

/** Words that a person types, and the servers or whole categories that are meant. */
const rows: readonly (readonly [words: string, meant: string])[] = [
  ['file files folder folders directory disk Datei Dateien Ordner Verzeichnis Festplatte', 'filesystem desktop-commander'],
  ['document documents docs paper papers Dokument Dokumente Unterlagen Schriftstück', 'documents google-workspace microsoft-365'],
  ['PDF Word DOCX PowerPoint presentation slides Präsentation Folien convert umwandeln konvertieren', 'markitdown'],
  ['presentation slides Präsentation Folien', 'canva'],
  [
    'spreadsheet spreadsheets sheet sheets workbook xlsx csv Tabelle Tabellen Tabellenkalkulation Kalkulation',
    'excel google-workspace microsoft-365 airtable',
  ],
  ['chart charts graph diagram diagrams flowchart Diagramm Diagramme Grafik Schaubild Flussdiagramm', 'charts drawio miro'],
  ['design poster flyer logo picture photo photos image images Foto Fotos Bild Bilder Plakat Gestaltung', 'canva figma'],
  ['picture photo photos image images video videos news Foto Fotos Bild Bilder Nachrichten', 'brave-search'],
  ['drawing whiteboard sketch brainstorming Zeichnung Tafel Skizze', 'miro drawio'],
  ['browser website websites webpage internet surf Webseite Webseiten Internet surfen', 'playwright chrome-devtools fetch'],
  [
    'search google internet look lookup Suche suchen Suchmaschine nachschlagen recherchieren Recherche research',
    'brave-search tavily exa perplexity duckduckgo',
  ],
  ['weather forecast news Wetter Wettervorhersage Nachrichten', 'brave-search tavily perplexity duckduckgo'],
  ['scraping scraper crawl crawler extract auslesen', 'firecrawl apify'],
  ['science study studies research university Wissenschaft Studie Studien Forschung Universität', 'arxiv'],
  ['database databases SQL query Datenbank Datenbanken Abfrage', 'databases'],
  ['Postgres PostgreSQL', 'dbhub neon supabase'],
  [
    'task tasks todo todos checklist reminder reminders Aufgabe Aufgaben Aufgabenliste Erinnerung Erinnerungen',
    'todoist microsoft-365 linear monday',
  ],
  ['project projects ticket tickets kanban planning Projekt Projekte Planung Vorgang', 'linear atlassian jira-server monday'],
  ['CRM customer customers sales deals leads contacts Kunde Kunden Vertrieb Kontakte', 'monday airtable stripe'],
  ['note notes notebook diary wiki Notiz Notizen Notizbuch Tagebuch Wissen', 'notion obsidian'],
  ['wiki knowledge Wissen', 'atlassian jira-server'],
  ['mail mails email emails inbox mailbox letter newsletter Postfach Posteingang', 'google-workspace microsoft-365'],
  ['Gmail Drive Google', 'google-workspace'],
  [
    'calendar calendars appointment appointments meeting meetings event events schedule Kalender Termin Termine Besprechung',
    'google-workspace microsoft-365',
  ],
  ['contacts address addresses Kontakte Adressbuch', 'google-workspace microsoft-365'],
  ['cloud storage Cloudspeicher', 'google-workspace microsoft-365'],
  ['OneDrive SharePoint', 'microsoft-365'],
  ['Office Outlook Teams Microsoft', 'microsoft-365'],
  ['chat chats message messages messenger team Nachricht Nachrichten', 'slack microsoft-365'],
  ['remember memory knowledge merken erinnern Gedächtnis', 'memory'],
  ['smart home house light lights lamp heating thermostat Haus Zuhause Licht Lampe Lampen Heizung', 'home-assistant'],
  [
    'payment payments pay invoice invoices bill billing money finance accounting subscription Zahlung Zahlungen bezahlen Rechnung Rechnungen Geld Finanzen Buchhaltung Abo',
    'stripe',
  ],
  ['shop shops store online ecommerce webshop Laden Onlineshop', 'shopify-dev stripe'],
  ['statistics visitors traffic analytics Statistik Besucher Auswertung', 'google-analytics'],
  ['blog blogs website homepage CMS article Artikel Webseite', 'wordpress'],
  ['automation automate workflow workflows Automatisierung automatisieren Ablauf', 'n8n'],
  ['code coding programming developer repository Quelltext Programmierung programmieren Entwickler', 'github gitlab git'],
  ['development Entwicklung', 'development'],
  ['business company Geschäft Firma', 'business'],
  ['terminal shell command console Befehl Befehle', 'desktop-commander'],
  ['error errors bug bugs crash Fehler Absturz', 'sentry'],
  ['monitoring dashboard dashboards alerts Überwachung', 'grafana sentry'],
  ['AI models KI Modelle', 'huggingface'],
  ['manual help documentation Anleitung Handbuch Hilfe Dokumentation', 'context7 microsoft-learn deepwiki aws-docs'],
  ['AWS Amazon', 'aws-docs'],
  ['think thinking reasoning denken nachdenken', 'sequential-thinking'],
  ['clock timezone hour Uhr Zeit Zeitzone', 'time'],
  [
    'map maps route routes navigation directions address location travel places Karte Karten Landkarte Stadtplan Route Weg Adresse Ort Reise',
    'mapbox',
  ],
  [
    'voice speech audio sound dictation transcribe transcription podcast Stimme Sprache Ton vorlesen Diktat abschreiben Aufnahme',
    'elevenlabs',
  ],
  ['3D model modelling render Modell', 'blender'],
  ['example demo try test Beispiel ausprobieren', 'everything'],
];

/** Products that people look for and the catalogue does not have, and the servers that come nearest. */
const absent: readonly (readonly [products: string, nearest: string])[] = [
  ['Dropbox iCloud Nextcloud', 'google-workspace microsoft-365'],
  ['Zapier IFTTT', 'n8n'],
  ['Bing Kagi', 'brave-search tavily exa'],
  ['Trello Asana ClickUp Basecamp', 'todoist linear monday'],
  ['Evernote OneNote', 'notion obsidian'],
  ['HubSpot Pipedrive', 'monday airtable'],
  ['WhatsApp Telegram Discord', 'slack'],
  ['Zoom Webex', 'google-workspace microsoft-365'],
  ['PayPal Klarna', 'stripe'],
  ['Bitbucket', 'github gitlab'],
  ['WooCommerce Etsy', 'shopify-dev wordpress'],
];

/** Products of others for which a server is the nearest that the catalogue has. */
export const standsInFor = ({ id }: CatalogueServer): string[] =>
  absent.flatMap(([products, nearest]) => (nearest.split(' ').includes(id) ? products.split(' ') : []));

/** Texts in which a server is searched for, those that count most first: its name, other words for what it is for, its purpose. */
export function searchedTexts({ id, category, title, description, de }: CatalogueServer): string[] {
  const also = rows.filter(([, meant]) => meant.split(' ').some((each) => each === id || each === category));
  return [[title, id, de.title].join(' '), also.map(([words]) => words).join(' '), `${description} ${de.description}`];
}

/** Ids and categories that the words lead to. */
export const meantByWords = (): string[] => [...new Set([...rows, ...absent].flatMap(([, meant]) => meant.split(' ')))];
