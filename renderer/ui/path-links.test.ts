import { describe, expect, it } from 'vitest';
import { pathOfLink, previewLink, sendLink, targetOfLink } from './path-links.ts';

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

describe('the address of another try', () => {
  it.each([undefined, 'rows[0].a/b%'])('names the file, the tool and the place %s', (dataKey) => {
    const target = { server: 'my db/100%', tool: 'insert "x"', dataKey };
    const handed = decodeURI(sendLink('/data/ä b.csv', target)).replace('/preview/', '').split('/');
    expect(handed).toHaveLength(2);
    expect(pathOfLink(handed[0] ?? '')).toBe('/data/ä b.csv');
    expect(targetOfLink(handed[1] ?? '')).toEqual(target);
  });

  it('has no target where it was typed by hand', () => {
    expect(targetOfLink('db')).toBeUndefined();
    expect(targetOfLink('%7B%7D')).toBeUndefined();
  });
});
