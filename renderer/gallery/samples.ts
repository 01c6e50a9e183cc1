/** What the gallery's stories are made of: their type, and the texts and answers that a page and the program would give to a component. */
import type { ReactNode } from 'react';
import type { Client } from '../../shared/contract/rpc.ts';
import type { Language } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';

/** One component, each of its states by name. */
interface Story {
  /** Each state has the full width. */
  wide?: boolean;
  states: Readonly<Record<string, (words: Samples) => ReactNode>>;
}

/** By the component's name. */
export type Stories = Readonly<Record<string, Story>>;

export const doNothing = (): void => undefined;

// Texts, in both languages, short and long

const english = {
  action: 'Add a folder',
  title: 'Folders',
  lead: 'Agents read and write files in these folders, and nowhere else.',
  detail: 'Read and write',
  label: 'Name of the server',
  hint: 'Letters, digits and hyphens',
  wrong: 'A server of this name exists',
  path: '/home/ada/Documents/sales/orders-2026.csv',
  sentence: 'The server has not answered since 10:42.',
};

const german: typeof english = {
  action: 'Ordner hinzufügen',
  title: 'Ordner',
  lead: 'Agenten lesen und schreiben Dateien in diesen Ordnern, sonst nirgends.',
  detail: 'Lesen und schreiben',
  label: 'Name des Servers',
  hint: 'Buchstaben, Ziffern und Bindestriche',
  wrong: 'Einen Server mit diesem Namen gibt es schon',
  path: '/home/ada/Dokumente/Vertrieb/Bestellungen-2026.csv',
  sentence: 'Der Server hat seit 10:42 Uhr nicht geantwortet.',
};

export type Samples = typeof english;

/** A long name with and without places where a line may break. */
const tail = ' – Donaudampfschifffahrtsgesellschaftskapitänsversicherungsunterlagen, Rindfleischetikettierungsüberwachung';
const longPath = `/${'a-folder-whose-name-is-long/'.repeat(6)}a_file_name_without_any_place_where_a_line_may_break_2026.csv`;

export function samples(language: Language, long: boolean): Samples {
  const words = language === 'de' ? german : english;
  if (!long) return words;
  const lengthened = Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text + tail]));
  return { ...words, ...lengthened, path: longPath };
}

// Answers

const home = '/home/ada';

const answers: Readonly<Record<string, unknown>> = {
  'host.get': {
    kind: 'console',
    platform: 'linux',
    home,
    nativeDialogs: false,
    canStartAtLogin: false,
    secrets: { available: true, reason: null },
  },
  'calls.running': [
    {
      id: 'one',
      kind: 'file_call',
      client: 'Claude',
      server: 'db',
      tool: 'bulk_insert',
      paths: [`${home}/orders-2026.csv`, `${home}/orders-2025.csv`],
      startedAt: '2026-11-20T10:42:00.000Z',
      progress: { records: 21_000, accepted: 21_000, total: 140_000, batches: 21 },
      needsApproval: false,
      steps: null,
      background: true,
      cancelling: false,
    },
    {
      id: 'two',
      kind: 'call',
      client: null,
      server: 'mail',
      tool: 'send_message',
      paths: [],
      startedAt: '2026-11-20T10:42:00.000Z',
      progress: null,
      needsApproval: true,
      steps: null,
      background: false,
      cancelling: false,
    },
  ],
  'calls.stopped': [
    {
      receipt: '4c928ce5',
      entry: 'three',
      client: 'Cursor',
      server: 'db',
      tool: 'bulk_insert',
      paths: [`${home}/orders-2026.csv`],
      endedAt: '2026-11-20T10:42:00.000Z',
      total: 140_000,
      accepted: 96_000,
      left: 43_000,
      unknown: 1_000,
    },
  ],
  'changes.list': [
    {
      id: 'c1',
      time: '2026-11-20T10:42:00.000Z',
      client: 'Claude',
      kind: 'replaced',
      path: `${home}/Documents/prices.csv`,
      from: null,
      undone: false,
      hindrance: null,
    },
    {
      id: 'c2',
      time: '2026-11-20T10:40:00.000Z',
      client: 'Cursor',
      kind: 'moved',
      path: `${home}/Documents/2026/orders-2026.csv`,
      from: `${home}/orders-2026.csv`,
      undone: true,
      hindrance: null,
    },
  ],
  'changes.diff': { diff: '@@ -1,2 +1,2 @@\n article,price\n-chair,40\n+chair,45\n' },
  'places.browse': {
    path: home,
    parent: '/home',
    places: [
      { name: 'Documents', path: `${home}/Documents`, kind: 'folder', bytes: null },
      { name: 'orders-2026.csv', path: `${home}/orders-2026.csv`, kind: 'file', bytes: 1_482_906 },
    ],
    partial: true,
  },
};

/** A client that answers what components of renderer/ui ask for, without a program behind it. */
export function sampleClient(): Client {
  return {
    call: async (name) => {
      if (!(name in answers)) throw new AppError('INTERNAL', `The gallery has no answer to '${name}'`);
      return answers[name] as never;
    },
    on: () => () => undefined,
    onConnection: () => () => undefined,
  };
}
