/**
 * The rooms of the sources and what each may import: the one table behind the boundaries check and the TypeScript references.
 * A file belongs to the room whose folder it lies in or below; a room that holds other rooms has only the files directly in it.
 * `tests` names rooms that only tests and fixtures import besides.
 */

const nouns = ['shared/model', 'shared/lib'];
const shared = [...nouns, 'shared/contract'];
const engine = (...names) => names.map((name) => `electron/engine/${name}`);
const electron = (...names) => names.map((name) => `electron/${name}`);
/** Rooms of the engine that rooms above it may import: all but kernels and conversion internals. */
const face = [...electron('engine'), ...engine('core', 'input', 'json', 'kernel', 'schema', 'tokens')];
const services = electron('files', 'store', 'upstream', 'wire');
const page = ['renderer/api', 'renderer/i18n', 'renderer/ui', ...shared];
const feature = (...imports) => ({ imports: [...page, ...imports.map((name) => `renderer/features/${name}`)] });

/** @type {Record<string, { imports: string[], tests?: string[] }>} */
export const rooms = {
  'shared/lib': { imports: [] },
  'shared/model': { imports: ['shared/lib'] },
  'shared/contract': { imports: nouns },

  'electron/engine/tokens': { imports: nouns },
  'electron/engine/core': { imports: [...nouns, ...engine('tokens')] },
  'electron/engine/kernel': { imports: nouns },
  'electron/engine/input': { imports: [...nouns, ...engine('core')] },
  'electron/engine/schema': { imports: [...nouns, ...engine('core')] },
  'electron/engine/json': { imports: [...nouns, ...engine('core', 'kernel', 'tokens')] },
  'electron/engine/text': { imports: [...nouns, ...engine('core', 'kernel', 'tokens')] },
  'electron/engine/transform': { imports: [...nouns, ...engine('core', 'json')] },
  'electron/engine/csv': { imports: [...nouns, ...engine('core', 'kernel', 'transform')] },
  'electron/engine/xml': { imports: [...nouns, ...engine('core', 'input', 'json', 'kernel', 'tokens')] },
  'electron/engine/yaml': { imports: [...nouns, ...engine('core', 'input')] },
  'electron/engine/toml': { imports: [...nouns, ...engine('core', 'input')] },
  // Workbooks, Parquet files and databases: tables by name or by header.
  'electron/engine/tables': { imports: [...nouns, ...engine('core', 'csv', 'input', 'json')] },
  'electron/engine/documents': { imports: [...nouns, ...engine('core', 'input', 'tables')] },
  'electron/engine/convert': {
    imports: [
      ...nouns,
      ...engine(
        'core',
        'csv',
        'documents',
        'input',
        'json',
        'kernel',
        'schema',
        'tables',
        'text',
        'tokens',
        'toml',
        'transform',
        'xml',
        'yaml',
      ),
    ],
  },
  'electron/engine/thread': { imports: [...nouns, ...engine('convert', 'core', 'csv', 'input', 'tokens')] },
  // The engine's public interface.
  'electron/engine': { imports: [...nouns, ...engine('convert', 'core', 'thread', 'tokens')] },
  'electron/engine/fixtures': { imports: [] },

  'electron/binding': { imports: [...nouns, ...face] },
  'electron/wire': { imports: [...nouns, ...face] },
  'electron/store': { imports: nouns },
  'electron/files': { imports: [...nouns, ...face, ...engine('thread'), ...electron('store')] },
  'electron/upstream': { imports: [...nouns, ...face, ...electron('wire')] },
  'electron/calls': { imports: [...shared, ...face, ...services, ...electron('binding')] },
  'electron/previews': { imports: [...shared, ...face, ...services, ...electron('binding', 'calls')] },
  'electron/server': { imports: [...nouns, ...face, ...services, ...electron('binding', 'calls')] },
  'electron/companions': { imports: [...nouns, ...face, ...services, ...electron('binding', 'calls', 'server')] },
  'electron/agent-apps': { imports: [...shared, ...electron('store', 'upstream')] },
  'electron/adding': {
    imports: [...shared, ...engine('core', 'input'), ...electron('agent-apps', 'files', 'store', 'upstream')],
  },
  'electron/app': {
    imports: [...shared, ...face, ...services, ...electron('agent-apps', 'binding', 'calls', 'companions', 'server')],
  },
  'electron/api': {
    imports: [
      ...shared,
      ...face,
      ...services,
      ...electron('adding', 'agent-apps', 'app', 'binding', 'calls', 'companions', 'previews', 'server'),
    ],
  },
  'electron/console': { imports: [...shared, ...electron('api', 'app', 'wire')] },
  'electron/cli': {
    imports: [
      ...shared,
      ...face,
      ...services,
      ...electron('adding', 'agent-apps', 'api', 'app', 'binding', 'calls', 'companions', 'console', 'server'),
    ],
  },
  'electron/shell': {
    imports: [...shared, ...face, ...services, ...electron('agent-apps', 'api', 'app', 'calls', 'console', 'server')],
  },
  // Programs that build and start the product; they are not part of it.
  'electron/launch': { imports: ['electron/cli'] },
  'electron/package': { imports: ['electron/launch'] },

  'renderer/i18n': { imports: nouns },
  'renderer/api': { imports: shared },
  'renderer/visible': { imports: shared },
  'renderer/ui': { imports: ['renderer/api', 'renderer/i18n', 'renderer/visible', ...shared] },
  'renderer/features/activity': feature(),
  'renderer/features/agents': feature(),
  'renderer/features/approvals': feature(),
  'renderer/features/folders': feature(),
  'renderer/features/home': feature('agents'),
  'renderer/features/preview': feature(),
  'renderer/features/servers': feature('agents'),
  'renderer/features/settings': feature(),
  // The first-run pages reuse what two pages show.
  'renderer/features/welcome': feature('agents', 'servers'),
  'renderer/app': feature('activity', 'agents', 'approvals', 'folders', 'home', 'preview', 'servers', 'settings', 'welcome'),
  'renderer/gallery': { imports: page },
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
    only: ['electron/wire', 'electron/upstream', 'electron/server', 'electron/companions', 'electron/launch'],
    why: 'the MCP SDK stays in the rooms that speak MCP',
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
    // Expressions run in a separate process, so that they can be killed.
    except: ['electron/engine/transform/expression.ts'],
    why: engineOnly,
  },
];
