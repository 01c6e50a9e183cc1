/** The tables of the users' guide, made of the schemas, of a running server's tools and of docs/benchmarks.md. */
import { z } from 'zod';
import { fileCallShape, storageShape } from '../../electron/calls/types.ts';
import { fileTools } from '../../electron/server/file-tool-table.ts';
import { dataDirectory, defaultConfigPath, type Surroundings } from '../../electron/store/paths.ts';
import { batchSchema } from '../../shared/model/call.ts';
import { configSchema, defaultFolderApprovals } from '../../shared/model/config.ts';
import { conversionShape, transformSchema } from '../../shared/model/conversion.ts';
import { formats, optionsTaken, type ReadingOption, readingOptions } from '../../shared/model/formats.ts';
import { tableOf } from './guide.ts';
import type { Tool } from './mcp-clients.ts';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | false;
  required?: string[];
  default?: unknown;
}

const code = (text: string) => `\`${text}\``;
const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;

/** The values that a schema takes, in a few words. */
function values(schema: Schema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(values))].join(' or ');
  if (schema.type === 'array') return schema.items?.type === undefined ? 'list' : `list of ${values(schema.items)}`;
  const words: Record<string, string> = {
    integer: 'number',
    string: 'text',
    boolean: 'true or false',
    object: 'object',
    null: 'null',
  };
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => words[type] ?? type).join(' or ');
}

const optionRows = (shape: Readonly<Record<string, z.ZodType>>) =>
  Object.entries(shape).map(([name, type]) => [code(name), values(schemaOf(type))]);

/** Every setting below a schema, by its path. */
function settings(schema: Schema, above: string, defaults: unknown = schema.default): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const place = above === '' ? name : `${above}.${name}`;
    const { properties, items, additionalProperties } = each;
    if (place === 'folders' && items) return settings(items, 'folders[]');
    if (place === 'upstreams' && additionalProperties) return servers(additionalProperties);
    if (properties) return settings(each, place, name === 'approve' ? defaultFolderApprovals : each.default);
    const usual = 'default' in each ? each.default : (defaults as Record<string, unknown> | undefined)?.[name];
    return [[code(place), values(each), usual === undefined ? '–' : code(JSON.stringify(usual))]];
  });
}

/** The settings of a server, of each type once. */
const servers = (schema: Schema): string[][] => {
  const rows = (schema.oneOf ?? schema.anyOf ?? []).flatMap((each) => settings(each, 'upstreams.NAME'));
  const kinds = rows.filter(([place]) => place?.endsWith('.type`')).map(([, type]) => type);
  const others = rows.filter(([place]) => !place?.endsWith('.type`'));
  return [[code('upstreams.NAME.type'), kinds.join(', '), '–'], ...new Map(others.map((row) => [row[0], row])).values()];
};

const parametersOf = ({ properties = {}, required = [] }: Schema) =>
  Object.keys(properties)
    .map((name) => code(required.includes(name) ? name : `${name}?`))
    .join(' ') || '–';

/** The rows of a table of docs/benchmarks.md. */
const measured = (benchmarks: string, name: string): string[][] =>
  (benchmarks.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

function tokensByContent(benchmarks: string): string {
  const rows = measured(benchmarks, 'tokens');
  const ways = ['typed out', 'as base64', 'by path, call_tool_with_file_content', 'by path, companion'];
  const contents = [...new Set(rows.map(([content]) => content))];
  const tokens = (content: string | undefined, way: string) =>
    rows.find(([name, , how]) => name === content && how === way)?.[3] ?? '–';
  const lines = contents.map((content) => [content, ...ways.map((way) => tokens(content, way))].join(' | '));
  return [
    'content | typed out | as base64 | by path | by path, with `<server>__<tool>`',
    '--- | --- | --- | --- | ---',
    ...lines,
    '',
  ]
    .map((line) => (line === '' ? line : `| ${line} |`))
    .join('\n');
}

const tokensOfLists = (benchmarks: string): string =>
  ['in the context | tools | tokens', '--- | --- | ---', ...measured(benchmarks, 'tool-lists').map((row) => row.join(' | ')), '']
    .map((line) => (line === '' ? line : `| ${line} |`))
    .join('\n');

/** Where the configuration and everything else are, on each system. */
function places(): string {
  const systems = { Linux: 'linux', macOS: 'darwin', Windows: 'win32' } as const;
  const env = { APPDATA: '%APPDATA%', LOCALAPPDATA: '%LOCALAPPDATA%' };
  const written = (place: string) => code(place.startsWith('%') ? place.replaceAll('/', '\\') : place);
  const on = (find: (surroundings: Surroundings) => string) =>
    Object.values(systems).map((platform) => written(find({ env, platform, home: '~' })));
  return [
    ['', ...Object.keys(systems)],
    ['---', '---', '---', '---'],
    ['configuration', ...on(defaultConfigPath)],
    ['folder of everything else', ...on(dataDirectory)],
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

const batchObject = batchSchema.options[1];
const storage = Object.keys(storageShape);
const isAnswer = (name: string) => name === 'output_format' || name === 'template' || storage.includes(name);
const fileNames = new Set(fileTools.map(({ name }) => name));

type Maker = (page: string, facts: { tools: readonly Tool[]; benchmarks: string; errors: readonly string[] }) => string;

export const tables: Readonly<Record<string, Maker>> = {
  tools: (page, { tools }) =>
    tableOf(
      ['tool', 'it must have', 'what it does'],
      tools
        .filter(({ name }) => !fileNames.has(name) && !name.includes('__'))
        .map(({ name, inputSchema }) => [
          code(name),
          ((inputSchema.required as string[] | undefined) ?? []).map(code).join(', ') || '–',
        ]),
      page,
    ),
  'file-tools': (page, { tools }) =>
    tableOf(
      ['tool', 'parameters', 'changes files', 'its answer'],
      tools
        .filter(({ name }) => fileNames.has(name))
        .map(({ name, inputSchema, annotations }) => [
          code(name),
          parametersOf(inputSchema as Schema),
          annotations?.readOnlyHint === true ? 'no' : 'yes',
        ]),
      page,
    ),
  'reading-options': (page) => {
    const takers = (name: ReadingOption) => formats.filter((format) => optionsTaken(format).includes(name)).join(', ');
    const isReading = (name: string): name is ReadingOption => (readingOptions as readonly string[]).includes(name);
    return tableOf(
      ['option', 'values', 'formats', 'what it does'],
      Object.entries(conversionShape).map(([name, type]) => [
        code(name),
        values(schemaOf(type)),
        isReading(name) ? takers(name) : 'all',
      ]),
      page,
    );
  },
  transform: (page) => tableOf(['step', 'values', 'what it does'], optionRows(transformSchema.shape), page),
  'batch-options': (page) => tableOf(['option', 'values', 'what it does'], optionRows(batchObject.shape), page),
  'call-options': (page) => {
    const own = Object.entries(fileCallShape).filter(([name]) => !(name in conversionShape) && !isAnswer(name));
    return tableOf(['parameter', 'values', 'what it does'], optionRows(Object.fromEntries(own)), page);
  },
  'answer-options': (page) => {
    const own = Object.entries(fileCallShape).filter(([name]) => isAnswer(name));
    return tableOf(['parameter', 'values', 'what it does'], optionRows(Object.fromEntries(own)), page);
  },
  errors: (page, { errors }) =>
    tableOf(
      ['message', 'what it means, and what to do'],
      errors.map((error) => [code(error)]),
      page,
    ),
  places,
  settings: (page) => tableOf(['setting', 'values', 'default', 'what it does'], settings(schemaOf(configSchema), ''), page),
  'token-figures': (_, { benchmarks }) => tokensByContent(benchmarks),
  'list-figures': (_, { benchmarks }) => tokensOfLists(benchmarks),
};
