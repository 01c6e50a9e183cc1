import { describe, expect, it } from 'vitest';
import { pathOfLink, previewLink } from './path-links.ts';

describe('the address of a preview', () => {
  it.each(['/data/users.csv', 'C:\\Users\\Ada\\über 100%.csv', '/data/a%2Fb?c#d&e=f.json', '/data/%E0%A4%A.txt', '/d/ /x'])(
    'leads back to %s',
    (path) => {
      // What the router hands over of the address.
      const handed = decodeURI(previewLink(path)).replace('/preview/', '');
      expect(handed).not.toContain('/');
      expect(pathOfLink(handed)).toBe(path);
    },
  );
});
