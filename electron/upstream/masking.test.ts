import { describe, expect, it } from 'vitest';
import { upstreamSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import { masked, maskedError, secretTexts, shownTarget } from './masking.ts';

const command = (command: string, ...args: string[]) => upstreamSchema.parse({ type: 'stdio', command, args });
const remote = (url: string, headers: Record<string, string> = {}) => upstreamSchema.parse({ type: 'http', url, headers });

describe('shownTarget', () => {
  it.each([
    [['npx', '-y', '@scope/server', '/home/ann/data'], 'npx -y @scope/server /home/ann/data'],
    [['db', '--token', 'hunter2', '--verbose'], 'db --token ••• --verbose'],
    [['db', '--api-key=hunter2'], 'db --api-key=•••'],
    [['db', '--token', '${DB_TOKEN}'], 'db --token ${DB_TOKEN}'],
    [['docker', 'run', '-e', 'API_KEY=abc', '-e', 'LEVEL=debug', 'img'], 'docker run -e API_KEY=••• -e LEVEL=debug img'],
    [
      ['npx', 'mcp-remote', 'https://a.example/sse', '--header', 'Authorization: Bearer abc'],
      'npx mcp-remote https://a.example/sse --header Authorization: •••',
    ],
    [['pg', 'postgresql://ann:hunter2@localhost/orders'], 'pg postgresql://•••@localhost/orders'],
    [['sh', '-c', 'TOKEN=hunter2 exec server'], 'sh -c TOKEN=••• exec server'],
    [['gh', 'ghp_0123456789abcdef'], 'gh •••'],
    [['node', 'C:\\servers\\key.js', '--max-tokens', '4096'], 'node C:\\servers\\key.js --max-tokens 4096'],
  ])('%j', ([name = '', ...args], shown) => expect(shownTarget(command(name, ...args))).toBe(shown));

  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp'],
    ['https://a.example:8443/mcp?page=2', 'https://a.example:8443/mcp?page=2'],
    ['https://ann:hunter2@a.example/mcp', 'https://•••@a.example/mcp'],
    ['https://a.example/mcp?api_key=hunter2&page=2', 'https://a.example/mcp?api_key=•••&page=2'],
    ['https://a.example/mcp?k=7f3a9c0e2b5d8f1a4c6e', 'https://a.example/mcp?k=•••'],
    ['https://a.example/my-quarterly-report-2024/mcp', 'https://a.example/my-quarterly-report-2024/mcp'],
    ['https://a.example/3f2b8c1e-9d47-4a60-8e15-c7d20b9f6a34', 'https://a.example/•••'],
    ['https://mcp.example/s/N2Y0ZGE5MzQtMTIzNC00/mcp', 'https://mcp.example/s/•••/mcp'],
  ])('%s', (url, shown) => expect(shownTarget(remote(url))).toBe(shown));
});

describe('secretTexts', () => {
  it('finds what references stood for, without what stands around them', () => {
    const configured = remote('https://a.example/mcp', { Authorization: 'Bearer ${secret:ab12}', 'X-Trace': '${TRACE}' });
    const resolved = remote('https://a.example/mcp', { Authorization: 'Bearer s3cr3t/+', 'X-Trace': 'home' });
    const texts = secretTexts(configured, resolved);
    expect(masked('got Bearer s3cr3t/+, then s3cr3t%2F%2B at home', texts)).toBe('got •••, then ••• at home');
  });

  it('finds variables that look like secrets, and those in arguments and addresses', () => {
    const stdio = upstreamSchema.parse({
      type: 'stdio',
      command: 'db',
      args: ['--password', 'open sesame', '--url=https://a.example/?token=tok1234'],
      env: { API_KEY: 'plain-key', LEVEL: 'debug', TOKEN: '${TOKEN}' },
    });
    const resolved = { ...stdio, env: { API_KEY: 'plain-key', LEVEL: 'debug', TOKEN: 'from-outside' } } as typeof stdio;
    const texts = secretTexts(stdio, resolved);
    expect(masked('plain-key debug open sesame tok1234 from-outside', texts)).toBe('••• debug ••• ••• •••');
  });

  it('leaves the log readable when a secret is no longer than a common word', () => {
    const configured = upstreamSchema.parse({ type: 'stdio', command: 'db', env: { KEY: '${secret:ab12}' } });
    const resolved = upstreamSchema.parse({ type: 'stdio', command: 'db', env: { KEY: 'a' } });
    expect(masked('a banana', secretTexts(configured, resolved))).toBe('a banana');
  });
});

it('maskedError keeps code and details', () => {
  const error = new AppError('UPSTREAM_FAILED', 'no access for hunter2', { hint: 'hunter2?', details: { path: '/a' } });
  expect(maskedError(error, ['hunter2'])).toMatchObject({
    code: 'UPSTREAM_FAILED',
    message: 'no access for •••',
    hint: '•••?',
    details: { path: '/a' },
  });
});

it('maskedError masks the JSON-RPC error that a server answered with', () => {
  const data = { url: 'https://x.example/?key=hunter2', rows: [1, null, { hunter2: true }] };
  const error = new AppError('UPSTREAM_FAILED', 'no', {
    details: { path: '/a', rpc: { code: -32042, message: 'hunter2', data } },
  });
  expect(maskedError(error, ['hunter2']).details).toEqual({
    path: '/a',
    rpc: { code: -32042, message: '•••', data: { url: 'https://x.example/?key=•••', rows: [1, null, { '•••': true }] } },
  });
  expect(maskedError(error, ['other'])).toBe(error);
});

it('maskedError masks the parameters of a message, so that no wording shows a secret', () => {
  const why = say('server.said', { lines: ['no access', 'for hunter2'] });
  const error = new AppError('UPSTREAM_FAILED', say('server.notStarted', { server: 'db', reason: why }), { hint: why });
  const shown = maskedError(error, ['hunter2']);
  expect(shown.message).toBe("Server 'db' could not be started: It said: no access / for •••");
  expect(personsWords(shown, 'de')).toEqual({
    message: 'Der Server „db“ konnte nicht gestartet werden: Er meldete: no access / for •••',
    hint: 'Er meldete: no access / for •••',
  });
  expect(JSON.stringify(shown.said)).not.toContain('hunter2');
});

it('maskedError leaves only masked words where a secret spans the parameters of a message', () => {
  const error = new AppError('UPSTREAM_FAILED', say('server.said', { lines: ['an open', 'sesame'] }));
  expect(maskedError(error, ['open / sesame'])).toMatchObject({ message: 'It said: an •••', said: {} });
});

describe('a text of half a million characters', () => {
  const LONG = 400_000;

  it.each([
    ['letters', 'a'.repeat(LONG)],
    ['colons', `http://${':'.repeat(LONG)}`],
    ['references without an end', `--x=${'${a'.repeat(LONG / 3)}`],
    ['a query of names without values', `http://a.example/?${'a '.repeat(LONG / 2)}`],
  ])('of %s is masked in linear time', (_, text) => {
    expect(shownTarget(command('run', text))).toContain(text.slice(0, 5));
  });

  it('is masked in its end, whatever comes before', () => {
    const before = 'a'.repeat(1_000);
    expect(shownTarget(command('run', `${before}_API_KEY=hunter2`))).toBe(`run ${before}_API_KEY=•••`);
    expect(shownTarget(command('run', `${before}://ann:hunter2@localhost/`))).toBe(`run ${before}://•••@localhost/`);
  });
});
