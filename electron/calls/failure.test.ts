import { expect, it } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { failureFields } from './output.ts';

it('tells how long a server asks to wait', () => {
  const error = new AppError('UPSTREAM_UNREACHABLE', 'busy', { details: { retryAfterSeconds: 30 } });
  expect(failureFields(error, { server: 'web', tool: 'echo' })).toMatchObject({ retry_after_seconds: 30 });
  expect(failureFields(new AppError('UPSTREAM_FAILED', 'no'), { server: 'web', tool: 'echo' })).not.toHaveProperty(
    'retry_after_seconds',
  );
});

it('has the code of a JSON-RPC error, and its data as far as that is short', () => {
  const failed = (data?: unknown) =>
    failureFields(new AppError('UPSTREAM_FAILED', 'no', { details: { rpc: { code: -32602, message: 'no', data } } }), {
      server: 'web',
      tool: 'echo',
    });
  expect(failed({ row: 3 })).toMatchObject({ rpc_code: -32602, rpc_data: { row: 3 } });
  expect(failed()).not.toHaveProperty('rpc_data');
  expect(failed('x'.repeat(30_000))).toMatchObject({ rpc_code: -32602, rpc_data_omitted: '30002 characters' });
});
