import { describe, expect, it } from 'vitest';
import { configSchema, upstreamSchema } from '../../shared/model/config.ts';
import { inAgentsWords } from '../../shared/model/messages/message.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import { worded } from '../../shared/model/messages/received.ts';
import { schemaFaults } from './json-text.ts';

function faults(config: object): string {
  const value = { version: 1, ...config };
  const checked = configSchema.safeParse(value);
  if (checked.success) throw new Error('There is nothing wrong with it');
  return inAgentsWords(schemaFaults(checked.error, configSchema, value));
}

describe('a configuration that is not valid', () => {
  it.each<[object, string]>([
    [{ folders: '/data' }, 'folders is a text in quotes, but must be a list [ … ]'],
    [{ folders: ['/data'] }, 'folders[0] is a text in quotes, but must be a group { … }'],
    [{ folders: [{ access: 'read' }] }, 'folders[0].path is missing; it must be a text in quotes'],
    [{ folders: [{ path: '' }] }, 'folders[0].path is empty'],
    [{ folders: [{ path: '/a', access: 'write' }] }, 'folders[0].access is "write", but must be "read" or "read-write"'],
    [{ folders: null }, 'folders is null, but must be a list [ … ]'],
    [{ limits: { maxFileBytes: '10 MB' } }, 'limits.maxFileBytes is a text in quotes, but must be a number'],
    [{ limits: { maxFileBytes: 1.5 } }, 'limits.maxFileBytes is a number, but must be a whole number'],
    [{ limits: { maxFileBytes: -1 } }, 'limits.maxFileBytes is -1, but must be more than 0'],
    [{ server: { port: 70000 } }, 'server.port is 70000, but must be at most 65535'],
    [{ expose: { fileTools: 'yes' } }, 'expose.fileTools is a text in quotes, but must be true or false'],
    [{ expose: { fileTool: true } }, 'expose.fileTool is no setting (known here: fileTools, upstreamTools)'],
    [
      { folders: [{ path: '/a', acess: 'read', mode: 1 }] },
      'folders[0].acess, folders[0].mode are no settings (known here: path, access, allowSensitive, approve)',
    ],
    [{ upstreams: { db: { command: 'x' } } }, 'upstreams.db.type is missing; it must be "stdio", "http" or "sse"'],
    [{ upstreams: { db: { type: 'web' } } }, 'upstreams.db.type is "web", but must be "stdio", "http" or "sse"'],
    [
      { upstreams: { 'my server': { type: 'http', url: 'not one' } } },
      'upstreams."my server".url must be an address such as https://example.com/mcp',
    ],
    [
      { upstreams: { ' a': { type: 'stdio', command: 'x' } } },
      'upstreams." a" is no possible name: up to 64 characters that can be seen, no space first or last',
    ],
  ])('%j is said plainly', (config, words) => expect(faults(config)).toBe(words));

  it('names the keys of the kind of server it is about', () => {
    const words = faults({ upstreams: { db: { type: 'stdio', command: 'x', header: {} } } });
    expect(words).toContain('upstreams.db.header is no setting (known here: type, command, args, env');
    expect(words).not.toContain('url');
  });

  it('is said in German to a person who reads German', () => {
    const value = { version: 1, limits: { maxFileBytes: '10 MB', maxNesting: -1 } };
    const { error } = configSchema.safeParse(value);
    const fault = error ? worded(schemaFaults(error, configSchema, value)) : { message: '' };
    expect(personsWords(fault, 'de').message).toBe(
      'limits.maxFileBytes ist Text in Anführungszeichen; verlangt: eine Zahl; außerdem limits.maxNesting ist -1; verlangt: mehr als 0',
    );
  });

  it('names a few faults and counts the rest', () => {
    const words = faults({ folders: [1, 2, 3, 4, 5] });
    expect(words.split('; ')).toHaveLength(4);
    expect(words).toMatch(/; and 2 more$/);
  });

  it.each([
    { env: { KEY: 4711 } },
    { env: { KEY: ['hunter2'] } },
    { args: 'hunter2' },
    { url: 'postgres:hunter2', type: 'http' },
    { command: '', cwd: { hunter2: 4711 } },
  ])('quotes no secret: %j', (part) => {
    const value = { type: 'stdio', command: 'x', ...part };
    const checked = upstreamSchema.safeParse(value);
    const words = checked.error ? JSON.stringify(schemaFaults(checked.error, upstreamSchema, value)) : '';
    expect(words).not.toBe('');
    expect(words).not.toMatch(/hunter2|4711/);
  });
});
