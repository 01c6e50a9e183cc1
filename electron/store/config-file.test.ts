import { describe, expect, it } from 'vitest';
import { configSchema, LONGEST_WAIT_MS } from '../../shared/model/config.ts';
import { inAgentsWords } from '../../shared/model/messages/message.ts';
import { readEntries, withChanges } from './config-file.ts';

const server = { type: 'stdio', command: 'db' };
const read = (raw: object) => readEntries({ version: 1, ...raw });
const badIn = (raw: object) => read(raw).bad.map(({ at, effect }) => `${at} ${effect}`);

describe('readEntries', () => {
  it.each<[string, object, string]>([
    ['a folder that is no group', { folders: [{ path: '/a' }, 7] }, 'folders[1] disabled'],
    ['a folder without a path', { folders: [{ path: '/a' }, { access: 'read' }] }, 'folders[1] disabled'],
    ['a key that newer versions may know', { folders: [{ path: '/a', approvals: [] }] }, 'folders[0].approvals ignored'],
    ['a mistyped key, which may have been a restriction', { folders: [{ path: '/a', acess: 'read' }] }, 'folders[0] disabled'],
    ['an invalid name', { upstreams: { ' a': server } }, 'upstreams." a" disabled'],
    ['an unknown type', { upstreams: { db: { type: 'web' } } }, 'upstreams.db disabled'],
    ['a wrong value in a server', { upstreams: { db: { ...server, confirm: 'sometimes' } } }, 'upstreams.db disabled'],
    ['a wrong value deep in a server', { upstreams: { db: { ...server, args: ['a', 7] } } }, 'upstreams.db disabled'],
    ['a server that is null', { upstreams: { db: null } }, 'upstreams.db disabled'],
    ['a mistyped key of a server', { upstreams: { db: { ...server, confrim: 'always' } } }, 'upstreams.db disabled'],
    [
      'a wrong option of a reading',
      { readings: { '/a.csv': { decimal: '.' }, '/b.csv': { decimal: ';' } } },
      'readings."/b.csv" disabled',
    ],
    ['servers that are a list', { upstreams: [server] }, 'upstreams default'],
    ['folders that are a text', { folders: '/a' }, 'folders default'],
    ['a wrong limit', { limits: { maxNesting: 5000 } }, 'limits.maxNesting default'],
    ['limits that are none', { limits: 3 }, 'limits default'],
    ['an unknown limit', { limits: { maxDreams: 1 } }, 'limits.maxDreams ignored'],
    ['a wrong port', { server: { port: 'ten' } }, 'server.port default'],
    ['a price without a model', { app: { price: { input: 1, output: 1 } } }, 'app.price default'],
    ['a wrong responses folder', { responses: { folder: 7 } }, 'responses.folder default'],
    ['an unknown key at the top', { floders: [] }, 'floders ignored'],
    ['a version that is none', { version: 'one' }, 'version default'],
    ['a key by the name of a prototype', JSON.parse('{"__proto__": {"x": 1}}'), '__proto__ ignored'],
  ])('%s', (_, raw, entry) => {
    expect(badIn({ ...raw })).toEqual([entry]);
    expect(configSchema.safeParse(read(raw).config).success).toBe(true);
  });

  it('takes a wait that is longer than any timer as the longest', () => {
    const forever = Number.MAX_SAFE_INTEGER;
    const { config, bad } = read({
      limits: { callTimeoutMs: forever, approvalTimeoutMs: forever, upstreamIdleMs: forever, expressionTimeoutMs: forever },
      upstreams: { db: { ...server, timeoutMs: forever } },
    });
    expect(bad).toEqual([]);
    const { callTimeoutMs, approvalTimeoutMs, upstreamIdleMs, expressionTimeoutMs } = config.limits;
    const waits = [callTimeoutMs, approvalTimeoutMs, upstreamIdleMs, expressionTimeoutMs, config.upstreams.db?.timeoutMs];
    for (const wait of waits) expect(wait).toBe(LONGEST_WAIT_MS);
    // Beyond this Node.js fires a timer at once.
    expect(LONGEST_WAIT_MS).toBeLessThan(2 ** 31);
  });

  it('leaves every good folder and server in force beside bad ones', () => {
    const { config } = read({
      folders: [7, { path: '/a' }, { path: '' }, { path: '/b' }],
      upstreams: { one: server, two: { type: 'x' }, three: server },
    });
    expect(config.folders.map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(Object.keys(config.upstreams)).toEqual(['one', 'three']);
  });

  it('offers agents less, not more, where it cannot read what was chosen', () => {
    expect(read({ expose: { fileTools: 'no' } }).config.expose.fileTools).toBe(false);
    expect(read({ expose: { upstreamTools: 'nothing' } }).config.expose.upstreamTools).toBe('none');
    expect(read({ expose: false }).config.expose).toEqual({ fileTools: false, upstreamTools: 'none' });
    expect(read({ approvals: { throughClient: 'sometimes' } }).config.approvals.throughClient).toBe('never');
    expect(read({ approvals: 'all' }).config.approvals.throughClient).toBe('never');
  });

  it('says what a mistyped key may have meant', () => {
    const [bad] = read({ folders: [{ path: '/a', acess: 'read' }] }).bad;
    expect(inAgentsWords(bad?.fault ?? '')).toContain("Did you mean 'access'?");
  });
});

describe('withChanges', () => {
  const unknown = { later: { than: ['this'] } };
  const raw = {
    version: 1,
    ...unknown,
    folders: [{ path: '/a', ...unknown }],
    upstreams: { db: { ...server, tools: { deny: ['x'], ...unknown }, ...unknown } },
    limits: unknown,
    responses: unknown,
    expose: unknown,
    app: { ...unknown, price: { model: 'm', input: 1, output: 2, ...unknown } },
    server: unknown,
  };

  it('keeps keys that are not known at every level', () => {
    const before = read(raw);
    const { db } = before.config.upstreams;
    const after = configSchema.parse({
      ...before.config,
      folders: [{ path: '/a', access: 'read-write' }],
      upstreams: { db: { ...db, tools: { deny: ['x', 'y'] }, enabled: false } },
      app: { ...before.config.app, price: { model: 'n', input: 1, output: 2 } },
    });
    expect(withChanges(before, after)).toMatchObject({
      ...raw,
      folders: [{ path: '/a', access: 'read-write', ...unknown }],
      upstreams: { db: { ...server, enabled: false, tools: { deny: ['x', 'y'], ...unknown }, ...unknown } },
      app: { price: { model: 'n', ...unknown } },
    });
    expect(readEntries(withChanges(before, after)).config).toEqual(after);
  });

  it('keeps them for a server that goes by another name', () => {
    const before = read(raw);
    const after = configSchema.parse({ ...before.config, upstreams: { data: before.config.upstreams.db } });
    const { upstreams } = withChanges(before, after) as { upstreams: Record<string, unknown> };
    expect(Object.keys(upstreams)).toEqual(['data']);
    expect(upstreams.data).toMatchObject(unknown);
  });

  it('replaces a group that was not understood whole, when part of it is set', () => {
    const before = read({ app: { price: { input: 1, output: 2 } } });
    const { price } = before.config.app;
    const same = { ...before.config, folders: [{ path: '/a', access: 'read' as const }] };
    expect(withChanges(before, same)).toMatchObject({ app: { price: { input: 1, output: 2 } } });
    expect(readEntries(withChanges(before, same)).config).toEqual(same);
    const after = { ...before.config, app: { ...before.config.app, price: { ...price, output: 20 } } };
    expect(readEntries(withChanges(before, after)).config).toEqual(after);
  });

  it('takes off what was taken off', () => {
    const before = read(raw);
    const after = { ...before.config, folders: [], upstreams: {} };
    expect(withChanges(before, after)).toMatchObject({ folders: [], upstreams: {}, ...unknown });
  });
});
