import { describe, expect, it } from 'vitest';
import { parse, UsageError } from './usage.ts';

const options = { config: { type: 'string' }, json: { type: 'boolean' }, 'no-header': { type: 'boolean' } } as const;

const refused = (...args: string[]): string => {
  try {
    parse(args, options);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('parse', () => {
  it('reads options and what stands between them', () => {
    const { values, positionals } = parse(['a.csv', '--json', '--config', 'c.json', '--no-header', '--', '--b.csv'], options);
    expect(values).toEqual({ json: true, config: 'c.json', 'no-header': true });
    expect(positionals).toEqual(['a.csv', '--b.csv']);
    expect(parse(['--config=-c.json'], options).values).toEqual({ config: '-c.json' });
    // A dash alone stands for standard input.
    expect(parse(['--config', '-'], options).values).toEqual({ config: '-' });
  });

  it.each(['', '${user_config.servers}'])("takes no servers file from an MCP bundle's open field: '%s'", (value) => {
    expect(parse([`--upstreams=${value}`], { upstreams: { type: 'string' } }).values).toEqual({});
  });

  it.each([
    [['--wrong'], "Unknown option '--wrong'"],
    [['--wrong=1'], "Unknown option '--wrong'"],
    [['--toString'], "Unknown option '--toString'"],
    [['-x'], "Unknown option '-x'"],
    [['--json=1'], '--json takes no value'],
    [['--config'], '--config needs a value'],
    [['--config', '--json'], '--config needs a value; one that begins with a dash is given as --config=-…'],
  ])('refuses %j in words of its own', (args, message) => {
    expect(refused(...args)).toBe(message);
  });
});
