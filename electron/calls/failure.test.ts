import { expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { failureFields } from './failure.ts';

it('tells how long a server asks to wait', () => {
  const error = new AppError('UPSTREAM_UNREACHABLE', 'busy', { details: { retryAfterSeconds: 30 } });
  expect(failureFields(error, { server: 'web', tool: 'echo' })).toMatchObject({ retry_after_seconds: 30 });
  expect(failureFields(new AppError('UPSTREAM_FAILED', 'no'), { server: 'web', tool: 'echo' })).not.toHaveProperty(
    'retry_after_seconds',
  );
});
