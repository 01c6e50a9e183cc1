import { expect, it } from 'vitest';
import { EventLog } from './event-log.ts';

it('masks secrets and the last tokens, however often they are renewed', () => {
  const log = new EventLog();
  log.secrets = ['a-secret-of-the-entry'];
  for (let time = 0; time < 100; time += 1) log.token = `token-number-${time}-of-many`;
  expect(log.secrets.length).toBeLessThan(10);
  log.add('server', 'a-secret-of-the-entry token-number-99-of-many token-number-98-of-many');
  expect(log.lines[0]?.text).not.toMatch(/secret-of|number/);
});
