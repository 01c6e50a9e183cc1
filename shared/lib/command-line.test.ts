import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinCommand, splitCommand } from './command-line.ts';
import { runs } from './fixtures/property-runs.ts';

describe('command lines', () => {
  it.each([
    ['npx -y some-server', ['npx', '-y', 'some-server']],
    ['  node  "C:\\Program Files\\x.js" ', ['node', 'C:\\Program Files\\x.js']],
    ['sh -c \'a b "c"\'', ['sh', '-c', 'a b "c"']],
    ['a "" b', ['a', '', 'b']],
    ['C:\\tools\\x.exe --dir=D:\\y', ['C:\\tools\\x.exe', '--dir=D:\\y']],
    ['', []],
  ])('%s', (line, words) => expect(splitCommand(line)).toEqual(words));

  it('does not guess where an open quotation ends', () => expect(splitCommand('node "x')).toBeUndefined());

  it('takes apart what it put together', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(splitCommand(joinCommand(words))).toEqual(words);
      }),
      { numRuns: runs(100) },
    );
  });
});
