import { expect, it } from 'vitest';
import { inAgentsWords } from './message.ts';
import { nearNames } from './near-names.ts';

it('suggests the names that are similar, and nothing where none is', () => {
  const near = nearNames('file', ['file_path', 'read_file']);
  expect(near && inAgentsWords(near)).toBe("Did you mean 'file_path' or 'read_file'?");
  expect(nearNames('zzz', ['rows'])).toBeUndefined();
});
