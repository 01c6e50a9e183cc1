/** The options of `convert` and `preview`: an agent's parameters, in kebab case, with the help for each by the formats that take it. */
import { type ConversionOptions, conversionSchema, transformSchema } from '../../shared/model/conversion.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { asModes, formats, optionsTaken, type ReadingOption, readingOptions } from '../../shared/model/formats.ts';
import { inAgentsWords, type Message, say, type Text } from '../../shared/model/messages/message.ts';
import { checkArguments } from '../server/check-arguments.ts';
import { UsageError } from './usage.ts';

type Name = keyof ConversionOptions;
/** How a value is written on a command line. `flag`: given or not, or with `no-`. */
type Kind = 'text' | 'number' | 'list' | 'json' | 'flag';

const options: Readonly<Record<Name, readonly [kind: Kind, usage: string]>> = {
  as: ['text', `--as ${asModes.join('|')}`],
  format: ['text', `--format ${formats.join('|')}`],
  transform: ['json', `--transform '{"where":[…],"select":[…],"limit":10}'`],
  encoding: ['text', '--encoding LABEL'],
  types: ['json', `--types auto|string|'{"zip":"string"}'`],
  header: ['flag', '--no-header'],
  header_row: ['number', '--header-row LINE'],
  skip: ['number', '--skip LINES'],
  trim: ['flag', '--trim'],
  nulls: ['list', '--nulls NA,-'],
  delimiter: ['text', '--delimiter CHAR'],
  ragged: ['text', '--ragged error|keep|cut'],
  quote: ['text', '--quote CHAR'],
  escape: ['text', '--escape CHAR'],
  comment: ['text', '--comment START'],
  decimal: ['text', '--decimal ,'],
  dates: ['text', '--dates iso'],
  sheet: ['text', `--sheet NAME|NUMBER|'*'`],
  range: ['text', '--range A5:Z'],
  table: ['text', '--table NAME|NUMBER'],
  query: ['text', `--query 'SELECT …'`],
  pages: ['text', '--pages 3-5'],
  include: ['list', '--include headers,comments,deletions,hidden'],
  entry: ['text', '--entry data/a.csv'],
};

const names = Object.keys(options) as Name[];
const kebab = (name: Name): string => name.replaceAll('_', '-');

/** For `util.parseArgs`. */
export const conversionOptions: Readonly<Record<string, { type: 'string' | 'boolean' }>> = Object.fromEntries(
  names.flatMap((name): [string, { type: 'string' | 'boolean' }][] =>
    options[name][0] === 'flag'
      ? [
          [kebab(name), { type: 'boolean' }],
          [`no-${kebab(name)}`, { type: 'boolean' }],
        ]
      : [[kebab(name), { type: 'string' }]],
  ),
);

/** Lines of help: options of every format first, then those of some, together where the same formats take them. */
export function conversionHelp(): string {
  const usages = (list: readonly Name[]) => list.map((name) => options[name][1]).join('    ');
  const general = names.filter((name) => !readingOptions.includes(name as ReadingOption));
  const groups = new Map<string, Name[]>();
  for (const name of readingOptions) {
    const takers = formats.filter((format) => optionsTaken(format).includes(name)).join(', ');
    groups.set(takers, [...(groups.get(takers) ?? []), name]);
  }
  return [
    ...general.map((name) => `  ${usages([name])}`),
    ...[...groups].map(([takers, list]) => `  of ${takers}:\n    ${usages(list)}`),
  ].join('\n');
}

// Messages name options as an agent writes them. At a terminal they are rewritten by these rules.

const name = `(${[...names].sort((one, other) => other.length - one.length).join('|')})`;
/** A value in JSON: a text, a number, a switch, an object or a list of flat objects. */
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const value = String.raw`${text}|\d+|true|false|\{(?:${text}|[^{}"])*\}|\[(?:${text}|[^[\]"])*\]`;
/** Further texts that it may be: `"csv", "markdown" or "json"`. */
const others = String.raw`(?:(?:, or|,| or| \(or) "[^"]*")*`;
const assignments = new RegExp(String.raw`(?<![\w.'-])${name}((?:\.\w+)?): (${value})(${others})`, 'g');
const steps = /(?<![\w'-])transform\.(\w+)/g;
const leftOut = new RegExp(String.raw`\b(leave|without) "?${name}"?(?= out\b|[.,])`, 'gi');
const underscored = new RegExp(String.raw`(?<![\w'-])(${names.filter((each) => each.includes('_')).join('|')})\b`, 'g');

/** `as: "text"` as `--as text`, `header: false` as `--no-header`, `header_row` as `--header-row`. */
export const inShellWords = (text: Text): string =>
  inAgentsWords(typeof text === 'string' ? text : withListed(text))
    .replace(
      assignments,
      (_, option: Name, key: string, value: string, more: string) =>
        assigned(option, key.slice(1), value) + more.replaceAll('"', ''),
    )
    .replace(steps, '$1 in --transform')
    .replace(leftOut, (_, verb: string, option: Name) => `${verb} --${kebab(option)}`)
    .replace(underscored, (option) => `--${kebab(option as Name)}`);

/** Lists of options among a message's parameters. */
function withListed(message: Message): Message {
  const params = Object.entries(message.params).map(([key, value]) =>
    (key === 'options' || key === 'takes') && Array.isArray(value)
      ? [key, value.map((each: Name) => `--${kebab(each)}`)]
      : [key, value],
  );
  return { code: message.code, params: Object.fromEntries(params) };
}

function assigned(option: Name, key: string, value: string): string {
  const [kind] = options[option];
  if (kind === 'flag') return `--${value === 'false' ? 'no-' : ''}${kebab(option)}`;
  if (kind === 'list' && value.startsWith('['))
    return `--${kebab(option)} ${shellWord((JSON.parse(value) as string[]).join(','))}`;
  const text = key !== '' ? `{${JSON.stringify(key)}:${value}}` : value.startsWith('"') ? (JSON.parse(value) as string) : value;
  return `--${kebab(option)} ${shellWord(text.replaceAll('\t', '\\t'))}`;
}

/** In quotes where a shell would change it, or a person overlook it. */
const shellWord = (text: string): string => (/^\w[\w.,:@%+/-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The same for errors in the options themselves, which name them in quotes: `'types.zip'` as `'zip' in --types`. */
const quoted = new RegExp(`'${name}(?:[.]([^']+))?'`, 'g');
const aboutOptions = (text: string): string =>
  inShellWords(
    text
      .replaceAll("Parameter '", "'")
      .replace(quoted, (_, option: Name, key?: string) => `${key ? `'${key}' in ` : ''}--${kebab(option)}`),
  );

/** The options as they were written. Throws UsageError. */
export function conversionOf(values: Readonly<Record<string, string | boolean | undefined>>): ConversionOptions {
  const written = Object.fromEntries(names.map((name) => [name, optionValue(name, values)]));
  try {
    return checkArguments(conversionSchema, written);
  } catch (error) {
    throw new UsageError(aboutOptions(toAppError(error).text));
  }
}

/** Invalid values are passed on, and refused by the check of the options. */
function optionValue(name: Name, values: Readonly<Record<string, string | boolean | undefined>>): unknown {
  const option = kebab(name);
  const value = values[option];
  const [kind] = options[name];
  if (kind === 'flag') return value ?? (values[`no-${option}`] ? false : undefined);
  if (typeof value !== 'string') return value;
  if (kind === 'number') return /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (kind === 'list') return listIn(value) ?? value.split(',');
  if (kind === 'json') return name === 'types' && !value.startsWith('{') ? value : jsonOption(option, value);
  return name === 'delimiter' && value === '\\t' ? '\t' : value;
}

/** The list where it is written in JSON, as agents write it. */
function listIn(value: string): unknown[] | undefined {
  if (!value.startsWith('[')) return undefined;
  try {
    return JSON.parse(value) as unknown[];
  } catch {
    return undefined;
  }
}

/** A step of a transform given as an option: how it is written instead, with the value in the form that the step takes. */
export function stepAsOption(name: string, value: string | undefined): Message | undefined {
  const step = name.replaceAll('-', '_');
  if (!Object.hasOwn(transformSchema.shape, step)) return undefined;
  const readings = value === undefined ? [] : [ifJson(value), value, value.split(',')];
  const reading = readings.find((each) => each !== undefined && transformSchema.safeParse({ [step]: each }).success);
  const written = `{"${step}": ${reading === undefined ? '…' : JSON.stringify(reading)}}`;
  return say('usage.transformStep', { option: `--${name}`, instead: `--transform ${shellWord(written)}` });
}

function ifJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonOption(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      say('usage.notJson', { option: `--${name}`, reason: error instanceof Error ? error.message : String(error) }),
    );
  }
}
