/**
 * The rooms of the sources and what each may import: the one table behind the boundaries check and the TypeScript references.
 * A file belongs to the room whose folder it lies in or below; a room that holds other rooms has only the files directly in it.
 * `tests` names rooms that only tests and fixtures import besides.
 */

const nouns = ['shared/model'];
const shared = [...nouns, 'shared/contract'];
const services = ['electron/engine', 'electron/files', 'electron/store', 'electron/upstream'];
const page = ['renderer/api', 'renderer/i18n', 'renderer/ui', ...shared];
const feature = (...imports) => ({ imports: [...page, ...imports.map((name) => `renderer/features/${name}`)] });

/** @type {Record<string, { imports: string[], tests?: string[] }>} */
export const rooms = {
  'shared/model': { imports: [] },
  'shared/contract': { imports: nouns },

  'electron/engine': { imports: nouns },
  'electron/store': { imports: nouns },
  'electron/files': { imports: [...nouns, 'electron/engine', 'electron/store'] },
  'electron/upstream': { imports: [...nouns, 'electron/engine'] },
  'electron/calls': { imports: [...shared, ...services] },
  'electron/server': { imports: [...nouns, ...services, 'electron/calls'] },
  'electron/clients': { imports: [...shared, 'electron/store'] },
  'electron/api': { imports: [...shared, ...services, 'electron/calls', 'electron/server', 'electron/clients'] },
  'electron/cli': { imports: [...shared, ...services, 'electron/calls', 'electron/server', 'electron/clients', 'electron/api'] },
  'electron/shell': { imports: [...shared, ...services, 'electron/calls', 'electron/server', 'electron/api'] },
  // Programs that build and start the product; nothing of them runs in it.
  'electron/launch': { imports: ['electron/cli'] },
  'electron/package': { imports: ['electron/launch'] },

  'renderer/i18n': { imports: nouns },
  'renderer/api': { imports: shared },
  'renderer/ui': { imports: ['renderer/api', 'renderer/i18n', ...shared] },
  'renderer/features/activity': feature(),
  'renderer/features/agents': feature(),
  'renderer/features/approvals': feature(),
  'renderer/features/folders': feature(),
  'renderer/features/home': feature(),
  'renderer/features/preview': feature(),
  'renderer/features/servers': feature(),
  'renderer/features/settings': feature(),
  // The first-run pages reuse what two pages show.
  'renderer/features/welcome': feature('agents', 'servers'),
  'renderer/app': feature('activity', 'agents', 'approvals', 'folders', 'home', 'preview', 'servers', 'settings', 'welcome'),
  renderer: { imports: ['renderer/app', ...page] },
};

const engineOnly = 'the engine is pure: no files, processes or network';

/** Packages that only some rooms may import. `node:*` matches by prefix. */
export const packages = [
  {
    names: ['electron', 'electron/*'],
    only: ['electron/shell', 'electron/launch/dev-electron.cjs'],
    why: 'only electron/shell imports Electron',
  },
  {
    names: ['@modelcontextprotocol/*'],
    only: ['electron/upstream', 'electron/server', 'electron/launch'],
    why: 'the MCP SDK stays in electron/upstream and electron/server',
  },
  { names: ['node:*'], never: ['renderer'], why: 'the page runs in a browser' },
  {
    names: [
      'node:fs',
      'node:fs/*',
      'node:net',
      'node:http',
      'node:https',
      'node:http2',
      'node:dgram',
      'node:tls',
      'node:dns',
      'node:dns/*',
    ],
    never: ['electron/engine'],
    why: engineOnly,
  },
  {
    names: ['node:child_process'],
    never: ['electron/engine'],
    // Expressions run in a process of their own, so that they can be ended.
    except: ['electron/engine/transform/expression.ts'],
    why: engineOnly,
  },
];
