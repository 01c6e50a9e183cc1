/** Third-party servers from npm as real processes: for each, one call with a payload and where its effect can be seen. */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Workspace } from './cli.ts';
import type { Answer, JsonObject } from './mcp-clients.ts';
import { node24 } from './node-versions.ts';
import { missingPostgres, type Postgres, startPostgres } from './postgres.ts';
import { markdownDocument, people, peopleCsv } from './seeded-content.ts';
import {
  datasetBuilder,
  everything,
  filesystem,
  gitServer,
  knowledgeGraph,
  memoryBank,
  obsidian,
  postgresServer,
  type StdioEntry,
  sequentialThinking,
  sqlite,
  taskManager,
} from './upstreams.ts';

const run = promisify(execFile);

/** Calls a tool of the upstream with plain arguments. */
export type CallPlainly = (tool: string, args: JsonObject) => Promise<Answer>;

export interface PayloadUse {
  tool: string;
  /** The parameter whose value comes from the file. */
  parameter: string;
  /** All other arguments. */
  args: JsonObject;
  file: { name: string; content: string };
  /** The expected effect of the call, and the observed one. */
  effect(answer: Answer, call: CallPlainly): Promise<{ found: unknown; wanted: unknown }>;
}

export interface RealUpstream {
  name: string;
  entry: StdioEntry;
  /** Runs once, before all uses. */
  prepare?(call: CallPlainly): Promise<unknown>;
  /** Arguments that no other run has used: `mark` is a word of lower-case letters. */
  use(mark: string): PayloadUse;
}

export interface RealUpstreams {
  upstreams: RealUpstream[];
  /** Packages that cannot be started here, with the reason. */
  missing: Record<string, string>;
  stop(): Promise<void>;
}

const ROWS = 300;
const rows = people(ROWS);
const parsed = async (file: string): Promise<JsonObject> => JSON.parse(await readFile(file, 'utf8')) as JsonObject;
const document = (mark: string, bytes = 10_000): string => `# ${mark}\n\n${markdownDocument(bytes)}`;
const jsonLines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

export async function startRealUpstreams(place: Workspace): Promise<RealUpstreams> {
  const upstreams: RealUpstream[] = await Promise.all([
    files(place),
    memory(place),
    demonstration(),
    thinking(place),
    tasks(place),
    git(place),
    bank(place),
    dataset(place),
  ]);
  const missing: Record<string, string> = {};
  const newer = await node24();
  if (newer.missing === undefined) upstreams.push(database(place, newer.path), await vault(place, newer.path));
  else Object.assign(missing, { 'mcp-sqlite-tools': newer.missing, 'obsidian-mcp': newer.missing });
  const noPostgres = await missingPostgres();
  const postgres = noPostgres === undefined ? await startPostgres() : undefined;
  if (postgres) upstreams.push(relational(postgres));
  else missing['mcp-postgres-server'] = noPostgres ?? '';
  return { upstreams, missing, stop: async () => postgres?.stop() };
}

async function files(place: Workspace): Promise<RealUpstream> {
  const folder = place.at('files');
  await mkdir(folder);
  return {
    name: 'files',
    entry: filesystem(folder),
    use: (mark) => ({
      tool: 'write_file',
      parameter: 'content',
      args: { path: `${folder}/${mark}.md` },
      file: { name: `${mark}.md`, content: document(mark) },
      effect: async () => ({ found: await readFile(`${folder}/${mark}.md`, 'utf8'), wanted: document(mark) }),
    }),
  };
}

async function memory(place: Workspace): Promise<RealUpstream> {
  const graph = place.at('memory.jsonl');
  return {
    name: 'memory',
    entry: knowledgeGraph(graph),
    use: (mark) => {
      const entities = rows.map((row) => ({
        name: `${mark} ${row.id}`,
        entityType: 'person',
        observations: [row.email, row.zip],
      }));
      return {
        tool: 'create_entities',
        parameter: 'entities',
        args: {},
        file: { name: `${mark}.jsonl`, content: jsonLines(entities) },
        effect: async () => {
          const kept = (await readFile(graph, 'utf8')).split('\n').map((line) => JSON.parse(line) as JsonObject);
          const mine = kept.filter(({ name }) => String(name).startsWith(`${mark} `));
          return { found: mine, wanted: entities.map((entity) => ({ type: 'entity', ...entity })) };
        },
      };
    },
  };
}

async function demonstration(): Promise<RealUpstream> {
  return {
    name: 'everything',
    entry: everything(),
    use: (mark) => ({
      tool: 'echo',
      parameter: 'message',
      args: {},
      file: { name: `${mark}.txt`, content: document(mark) },
      effect: async ({ text }) => ({ found: text, wanted: `Echo: ${document(mark)}` }),
    }),
  };
}

async function thinking(place: Workspace): Promise<RealUpstream> {
  const log = place.at('thoughts.log');
  return {
    name: 'thinking',
    entry: sequentialThinking(log),
    use: (mark) => ({
      tool: 'sequentialthinking',
      parameter: 'thought',
      args: { thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false },
      file: { name: `${mark}.md`, content: document(mark) },
      // It prints a box around each thought to stderr.
      effect: async () => ({ found: (await readFile(log, 'utf8')).includes(`│ ${document(mark)}  `), wanted: true }),
    }),
  };
}

async function tasks(place: Workspace): Promise<RealUpstream> {
  const file = place.at('tasks.json');
  return {
    name: 'tasks',
    entry: taskManager(file),
    use: (mark) => {
      const wanted = rows.map((row) => ({ title: `Write to ${row.name}`, description: row.note ?? 'nothing "yet"' }));
      return {
        tool: 'request_planning',
        parameter: 'tasks',
        args: { originalRequest: mark },
        file: { name: `${mark}.yaml`, content: wanted.map((task) => `- ${JSON.stringify(task)}\n`).join('') },
        effect: async () => {
          const { requests } = (await parsed(file)) as { requests: { originalRequest: string; tasks: JsonObject[] }[] };
          const mine = requests.find(({ originalRequest }) => originalRequest === mark);
          return { found: mine?.tasks.map(({ title, description }) => ({ title, description })), wanted };
        },
      };
    },
  };
}

async function git(place: Workspace): Promise<RealUpstream> {
  const repository = place.at('repository');
  await run('git', ['init', '--quiet', repository]);
  for (const [name, value] of Object.entries({ 'user.name': 'Ada', 'user.email': 'ada@example.org', 'commit.gpgsign': 'false' }))
    await run('git', ['-C', repository, 'config', name, value]);
  return {
    name: 'git',
    entry: gitServer(),
    use: (mark) => {
      // It refuses longer messages.
      const message = document(mark, 5000).replaceAll('#', '§').trim();
      return {
        tool: 'git_commit',
        parameter: 'message',
        args: { path: repository, allowEmpty: true },
        file: { name: `${mark}.txt`, content: message },
        effect: async () => {
          const { stdout } = await run('git', ['-C', repository, 'log', '-1', '--format=%B']);
          return { found: stdout.trim(), wanted: message };
        },
      };
    },
  };
}

async function bank(place: Workspace): Promise<RealUpstream> {
  const folder = place.at('bank');
  await mkdir(folder);
  return {
    name: 'bank',
    entry: memoryBank(folder),
    use: (mark) => ({
      tool: 'memory_bank_write',
      parameter: 'content',
      args: { projectName: 'site', fileName: `${mark}.md` },
      file: { name: `${mark}.md`, content: document(mark) },
      effect: async () => ({ found: await readFile(`${folder}/site/${mark}.md`, 'utf8'), wanted: document(mark) }),
    }),
  };
}

async function dataset(place: Workspace): Promise<RealUpstream> {
  const folder = place.at('datasets');
  return {
    name: 'dataset',
    entry: datasetBuilder(folder),
    prepare: async (call) => {
      await call('create_project', { name: 'people' });
      await call('create_category', { project: 'people', name: 'all' });
    },
    use: (mark) => {
      const chunks = rows.map((row) => ({
        id: `${mark}_${row.id}`,
        text: `${row.name} ${row.note ?? ''}`,
        metadata: { zip: row.zip },
      }));
      return {
        tool: 'bulk_add_chunks',
        parameter: 'chunks',
        args: { project: 'people', category: 'all' },
        file: { name: `${mark}.json`, content: JSON.stringify(chunks) },
        effect: async () => {
          const { categories } = (await parsed(`${folder}/people.json`)) as { categories: [{ chunks: JsonObject[] }] };
          const mine = categories[0].chunks.filter(({ id }) => String(id).startsWith(`${mark}_`));
          return {
            found: mine.map(({ id, text, customFields }) => ({ id, text, customFields })),
            wanted: chunks.map(({ id, text, metadata }) => ({ id, text, customFields: [{ key: 'zip', value: metadata.zip }] })),
          };
        },
      };
    },
  };
}

function database(place: Workspace, node: string): RealUpstream {
  const columns = 'id INTEGER, name TEXT, email TEXT, zip TEXT, amount REAL, active INTEGER, note TEXT';
  return {
    name: 'sqlite',
    entry: sqlite(node, place.root),
    prepare: async (call) => {
      await call('create_database', { path: 'people.db' });
      await call('execute_schema_query', { query: `CREATE TABLE people (mark TEXT, ${columns})` });
    },
    use: (mark) => ({
      tool: 'bulk_insert',
      parameter: 'data',
      args: { table: 'people' },
      file: {
        name: `${mark}.csv`,
        content: peopleCsv(rows)
          .split('\n')
          .map((line, index) => (line === '' ? '' : `${index === 0 ? 'mark' : mark},${line}`))
          .join('\n'),
      },
      effect: async (_answer, call) => {
        const query = `SELECT ${Object.keys(rows[0] ?? {}).join(', ')} FROM people WHERE mark = '${mark}' ORDER BY id`;
        const { text } = await call('execute_read_query', { query, limit: ROWS });
        const { result } = JSON.parse(text) as { result: { rows: JsonObject[] } };
        return { found: result.rows, wanted: rows.map((row) => ({ ...row, active: Number(row.active) })) };
      },
    }),
  };
}

async function vault(place: Workspace, node: string): Promise<RealUpstream> {
  const folder = place.at('vault');
  await mkdir(`${folder}/.obsidian`, { recursive: true });
  return {
    name: 'vault',
    entry: obsidian(node, folder),
    use: (mark) => ({
      tool: 'obsidian_create_note',
      parameter: 'content',
      args: { vault: 'notes', path: `${mark}.md` },
      file: { name: `${mark}.md`, content: document(mark) },
      effect: async () => ({ found: await readFile(`${folder}/${mark}.md`, 'utf8'), wanted: document(mark) }),
    }),
  };
}

function relational(postgres: Postgres): RealUpstream {
  return {
    name: 'postgres',
    entry: postgresServer(postgres.url),
    prepare: () => postgres.psql('CREATE TABLE people (mark text, name text, zip text)'),
    use: (mark) => {
      const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
      const values = rows.map((row) => `('${mark}', ${quoted(row.name)}, ${quoted(row.zip)})`).join(',\n');
      return {
        tool: 'execute',
        parameter: 'sql',
        args: {},
        file: { name: `${mark}.sql`, content: `INSERT INTO people VALUES\n${values};\n` },
        effect: async () => ({
          found: await postgres.psql(`SELECT name, zip FROM people WHERE mark = '${mark}'`),
          wanted: rows.map((row) => `${row.name}|${row.zip}`).join('\n'),
        }),
      };
    },
  };
}
