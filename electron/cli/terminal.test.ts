import { expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { errorText } from './terminal.ts';

it('an error names commands with the options of the one that failed', () => {
  const hint = say('server.failing.hint', { error: 'x', hint: say('signIn.how', { server: 'db' }) });
  const error = new AppError('SIGN_IN_NEEDED', 'Not signed in', { hint });
  expect(errorText(error, {})).toMatch(/run: filebridge sign-in db$/);
  expect(errorText(error, { config: 'c.json', upstreams: 'my servers.json' })).toMatch(
    /run: filebridge sign-in db --config c\.json --upstreams "my servers\.json"$/,
  );
});
