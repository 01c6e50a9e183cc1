import { expect, it } from 'vitest';
import { shortPath } from './path-text.tsx';

it.each([
  ['/home/ada/Documents', '/home/ada', '~/Documents'],
  ['/home/ada', '/home/ada', '~'],
  ['/home/adam/x', '/home/ada', '/home/adam/x'],
  ['/srv/data', '/home/ada', '/srv/data'],
  ['C:\\Users\\Ada\\Desktop', 'C:\\Users\\Ada', '~\\Desktop'],
  ['/data', '/', '/data'],
  ['/home/ada/x', undefined, '/home/ada/x'],
])('%s in %s', (path, home, shown) => expect(shortPath(path, home)).toBe(shown));
