import { describe, expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { resolveSecrets } from './secrets.ts';

/** A reference as it stands in the configuration. */
const ref = (name: string) => `\${${name}}`;
const db = upstreamSchema.parse({
  type: 'stdio',
  command: 'db',
  args: [ref('DB_KEY')],
  env: { KEY: ref('DB_KEY'), URL: `pg://${ref('USER_NAME')}:${ref('DB_KEY')}@host`, PLAIN: '$HOME {x}' },
});

describe('resolveSecrets', () => {
  it('replaces references in the environment, and leaves arguments and the original alone', () => {
    const resolved = resolveSecrets(db, { env: { DB_KEY: 's$&cret', USER_NAME: 'ada' } });
    expect(resolved).toMatchObject({
      args: [ref('DB_KEY')],
      env: { KEY: 's$&cret', URL: 'pg://ada:s$&cret@host', PLAIN: '$HOME {x}' },
    });
    expect(db).toMatchObject({ env: { KEY: ref('DB_KEY') } });
  });

  it('replaces references in headers', () => {
    const web = upstreamSchema.parse({
      type: 'http',
      url: 'https://a.example/',
      headers: { Authorization: `Bearer ${ref('T')}` },
    });
    expect(resolveSecrets(web, { env: { T: 'abc' } })).toMatchObject({ headers: { Authorization: 'Bearer abc' } });
  });

  it('names the server and the variable that is missing, and no value', () => {
    const resolve = () => resolveSecrets(db, { env: { DB_KEY: 'hunter2' } }, 'orders');
    expect(resolve).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(resolve).toThrow(/Server 'orders' .*USER_NAME/);
    expect(resolve).not.toThrow(/hunter2/);
  });
});
