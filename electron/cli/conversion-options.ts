/** The options of `convert` and `preview`: an agent's parameters, in kebab case, with the help for each by the formats that take it. */
import { type ConversionOptions, conversionSchema } from '../../shared/model/conversion.ts';
import { toAppError } from '../../shared/model/errors.ts';
import { asModes, formats, optionsTaken, type ReadingOption, readingOptions } from '../../shared/model/formats.ts';
import { say } from '../../shared/model/messages/message.ts';
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
  table: ['text', '--table NAME'],
  query: ['text', `--query 'SELECT …'`],
  pages: ['text', '--pages 3-5'],
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

/** The options as they were written. Throws UsageError, worded as for agents. */
export function conversionOf(values: Readonly<Record<string, string | boolean | undefined>>): ConversionOptions {
  const written = Object.fromEntries(names.map((name) => [name, optionValue(name, values)]));
  try {
    return checkArguments(conversionSchema, written);
  } catch (error) {
    throw new UsageError(toAppError(error).text);
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
  if (kind === 'list') return value.split(',');
  if (kind === 'json') return name === 'types' && !value.startsWith('{') ? value : jsonOption(option, value);
  return name === 'delimiter' && value === '\\t' ? '\t' : value;
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
