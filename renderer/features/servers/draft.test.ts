import { describe, expect, it } from 'vitest';
import { type UpstreamDetail, upstreamDraftSchema } from '../../../shared/contract/upstreams.ts';
import { draftOf, emptyEntry, entryOf, problemsOf } from './draft.ts';

const stored: UpstreamDetail = {
  name: 'db',
  type: 'stdio',
  enabled: true,
  command: 'npx',
  args: ['-y', 'a server'],
  cwd: null,
  url: '',
  variables: [
    { name: 'KEY', kind: 'secret', value: null },
    { name: 'MODE', kind: 'plain', value: 'fast' },
  ],
  confirmExcept: [],
  timeoutMs: 1500,
  maxMessageBytes: null,
  confirm: 'writes',
};

describe('the form of a server', () => {
  it('shows the file of variables, and changes or takes it away', () => {
    const entry = entryOf({ ...stored, envFile: '/home/me/.env' });
    expect(entry.envFile).toBe('/home/me/.env');
    expect(draftOf(entry).envFile).toBe('/home/me/.env');
    expect(draftOf({ ...entry, envFile: ' ~/other.env ' }).envFile).toBe('~/other.env');
    expect(draftOf({ ...entry, envFile: ' ' }).envFile).toBeUndefined();
  });

  it('gives back what it was filled with, and keeps a secret it never saw', () => {
    const draft = draftOf(entryOf(stored));
    expect(upstreamDraftSchema.parse(draft)).toMatchObject({
      name: 'db',
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'a server'],
      timeoutMs: 1500,
      maxMessageBytes: null,
      confirm: 'writes',
      variables: [
        { name: 'KEY', secret: true, value: null },
        { name: 'MODE', secret: false, value: 'fast' },
      ],
    });
  });

  it('replaces a secret by what was typed', () => {
    const entry = entryOf(stored);
    const [key] = entry.variables;
    if (key) key.value = 'new';
    expect(draftOf(entry).variables[0]).toEqual({ name: 'KEY', secret: true, value: 'new' });
  });

  it('says what is missing', () => {
    expect(problemsOf(emptyEntry)).toEqual({ name: 'needName', command: 'needCommand' });
    expect(problemsOf({ ...emptyEntry, name: 'a\u202eb', kind: 'address', url: 'ftp://x', timeout: '-1' })).toEqual({
      name: 'badName',
      url: 'needUrl',
      timeout: 'badNumber',
    });
  });

  it('tells the older protocol from the newer', () => {
    const entry = { ...emptyEntry, name: 'web', kind: 'address' as const, url: ' https://x.test/mcp ' };
    expect(draftOf(entry)).toMatchObject({ type: 'http', url: 'https://x.test/mcp', command: '' });
    expect(draftOf({ ...entry, sse: true }).type).toBe('sse');
  });
});
