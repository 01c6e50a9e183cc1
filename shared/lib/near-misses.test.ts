import { describe, expect, it } from 'vitest';
import { didYouMean, nearMisses } from './near-misses.ts';

describe('the names a mistyped one may have meant', () => {
  it.each([
    ['row', ['rows', 'header_row'], ['rows']],
    ['args_tool', ['tool_args', 'tool'], ['tool_args']],
    ['header', ['header_row', 'rows'], ['header_row']],
    ['datbase', ['database', 'web'], ['database']],
    ['zzz', ['rows'], []],
  ])('of %s among %j are %j', (asked, names, near) => {
    expect(nearMisses(asked, names)).toEqual(near);
  });

  it('are listed in one question', () => {
    expect(didYouMean('file', ['file_path', 'read_file'])).toBe("Did you mean 'file_path' or 'read_file'?");
    expect(didYouMean('zzz', ['rows'])).toBeUndefined();
  });
});
