import { describe, expect, it } from 'vitest';
import { nearMisses } from './near-misses.ts';

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
});
