import { describe, expect, it } from 'vitest';
import { folderOf } from './folder-of.ts';

describe('the folder of a file', () => {
  it.each([
    ['/data/users.csv', '/data'],
    ['/users.csv', '/'],
    ['C:\\data\\users.csv', 'C:\\data'],
    ['C:\\users.csv', 'C:\\'],
    ['users.csv', ''],
  ])('of %s is %s', (path, folder) => expect(folderOf(path)).toBe(folder));
});
