import { describe, expect, it } from 'vitest';
import { type CommandName, commands } from './commands.ts';
import { runHere } from './fixtures/examples.ts';

const names = Object.keys(commands) as CommandName[];
const printed = async (...args: string[]): Promise<string> => {
  const { stdout, stderr, code } = await runHere(args);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout.toString('utf8');
};

describe('help', () => {
  it('lists every command in a line, and no options', async () => {
    const text = await printed('--help');
    for (const name of names) expect(text).toMatch(new RegExp(`^  ${name} .*\\S$`, 'm'));
    expect(text.split('\n').length).toBeLessThan(names.length + 10);
    expect(text).not.toContain('--upstreams');
    expect(await printed('help')).toBe(text);
  });

  it.each(names)('of %s has its options and two or three examples, in both ways', async (name) => {
    const text = await printed('help', name);
    expect(text).toMatch(new RegExp(`^Usage: filebridge ${name}\\b`));
    for (const option of Object.keys(commands[name].options)) expect(text).toContain(`\n  --${option}`);
    const examples = text.slice(text.indexOf('\nExamples\n')).match(/^ {2}filebridge \S+/gm);
    expect(examples?.length).toBeGreaterThanOrEqual(2);
    expect(examples?.length).toBeLessThanOrEqual(3);
    expect(new Set(examples)).toEqual(new Set([`  filebridge ${name}`]));
    expect(await printed(name, '--help')).toBe(text);
  });

  it('of convert has the options for reading a file', async () => {
    expect(await printed('help', 'convert')).toContain('--header-row LINE');
  });

  it('is not printed for an option of another program', async () => {
    const { stderr } = await runHere(['remove-server', '--', '--help', 'more']);
    expect(stderr).toContain("(see 'filebridge help remove-server')");
  });

  it('of an unknown command is wrong usage', async () => {
    expect(await runHere(['help', 'toString'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no command 'toString'"),
    });
  });
});
