import { expect, it } from 'vitest';
import { stdioUpstreamSchema } from '../../shared/model/config.ts';
import { leadsElsewhere, runsTheSame } from './upstream-draft.ts';

const entry = (line: string, cwd: string | null = null) => {
  const [command, ...args] = line.split(' ');
  return stdioUpstreamSchema.parse({ type: 'stdio', command, args, cwd });
};
const same = (one: string, other: string) => runsTheSame(entry(one), entry(other));

it.each([
  ['npx -y good', 'npx -y good --verbose'],
  ['npx -y good /data', 'npx -y good /data /more'],
  ['node /srv/good.js', 'node /srv/good.js --level debug'],
  ['python3 -m good', 'python3 -m good -v'],
  ['/opt/github-mcp stdio', '/opt/github-mcp stdio --read-only'],
  ['docker run -i good', 'docker run -i good'],
])('%s and %s are one program', (one, other) => expect(same(one, other)).toBe(true));

it.each([
  ['npx -y good', 'npx -y evil'],
  ['npx -y good', 'npx -y --registry=http://evil good'],
  ['npx -p good tool', 'npx -p evil tool'],
  ['npx -p good tool', 'npx -p good evil'],
  ['node good.js', 'node -e process.env'],
  ['node -r ./hook.js good.js', 'node -r ./hook.js evil.js'],
  ['C:\\node\\NODE.EXE good.js', 'C:\\node\\NODE.EXE evil.js'],
  ['python3.12 -m good', 'python3.12 -m evil'],
  ['uvx --from good tool', 'uvx --from evil tool'],
  ['docker run -i -e KEY good', 'docker run -i -e KEY evil'],
  ['sh -c good', 'sh -c evil'],
  ['npx', 'npx evil'],
  ['good', 'evil'],
])('%s and %s are two', (one, other) => expect(same(one, other)).toBe(false));

it('with a relative name, only in the same folder', () => {
  const inFolders = (line: string) => runsTheSame(entry(line, '/good'), entry(line, '/evil'));
  expect([inFolders('node server.js'), inFolders('./server'), inFolders('/opt/server')]).toEqual([false, false, true]);
});

it.each([
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'PATH',
  'Path',
  'PYTHONPATH',
  'PYTHON_PATH',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
])('%s makes a program load something else', (name) => expect(leadsElsewhere(name)).toBe(true));

it.each([
  'HTTPS_PROXY',
  'https_proxy',
  'GITHUB_HOST',
  'DATABASE_URL',
  'OPENAI_BASE_URL',
  'npm_config_registry',
  'NODE_EXTRA_CA_CERTS',
])('%s makes a program speak to somebody else', (name) => expect(leadsElsewhere(name)).toBe(true));

it.each(['LOG_LEVEL', 'DATABASE', 'REPORT', 'READ_ONLY', 'TIMEOUT_MS', 'WORKSPACE_PATH', 'CURLY'])('%s leads nowhere', (name) =>
  expect(leadsElsewhere(name)).toBe(false),
);
