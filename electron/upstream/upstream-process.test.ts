import { describe, expect, it } from 'vitest';
import { resolveWindowsCommand } from './upstream-process.ts';

const env = { Path: 'C:\\tools;C:\\node', PATHEXT: '.COM;.EXE;.BAT;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' };
const files = new Set(['C:\\node\\npx.cmd', 'C:\\node\\node.exe', 'C:\\a b\\run.bat']);
const resolve = (command: string, ...args: string[]) => resolveWindowsCommand(command, args, env, (file) => files.has(file));

describe('commands on Windows', () => {
  it('starts an executable directly, arguments as they are', () => {
    expect(resolve('node', 'a b', '"')).toEqual({ command: 'C:\\node\\node.exe', args: ['a b', '"'], verbatim: false });
  });

  it('runs a batch file through cmd.exe', () => {
    expect(resolve('npx', '-y', 'server')).toEqual({
      command: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', '"C:\\node\\npx.cmd ^^^"-y^^^" ^^^"server^^^""'],
      verbatim: true,
    });
  });

  it('leaves nothing in an argument for cmd.exe to read as its own', () => {
    const line = resolve('C:\\a b\\run.bat', 'x&calc', '%PATH%', 'say "hi"', 'end\\').args[3] ?? '';
    expect(line).toBe('"C:\\a^ b\\run.bat ^^^"x^^^&calc^^^" ^^^"^^^%PATH^^^%^^^" ^^^"say^^^ \\^^^"hi\\^^^"^^^" ^^^"end\\\\^^^""');
  });

  it('leaves an unknown name to the system, which says that it is not there', () => {
    expect(resolve('nothing', 'x')).toEqual({ command: 'nothing', args: ['x'], verbatim: false });
  });
});
