import { describe, expect, it } from 'vitest';
import { credentialExamples, examplesOf, runningExamples } from './fixtures/protected-examples.ts';
import { compilePatterns, expanded, type PathPattern } from './path-patterns.ts';
import { closedPlaces, credentialNames, runningNameIn, runningNames, sensitiveNameIn, systemNameIn } from './protected-paths.ts';

const inFolder = (example: string) => (example.startsWith('/') ? example : `/data/${example}`);

describe.each([
  ['credentials', credentialNames],
  ['names that programs run from', runningNames],
] as const)('the list of %s', (_, rows) => {
  it('has each name once, with a reason', () => {
    const names = rows.flatMap(([pattern]) => (typeof pattern === 'string' ? expanded(pattern) : [String(pattern)]));
    expect(names).toEqual([...new Set(names)]);
    expect(rows.filter(([, reason]) => reason === '')).toEqual([]);
  });

  it.each(rows.map(([pattern]) => [pattern] as const))('knows %s by itself', (pattern: PathPattern) => {
    const { nameIn } = compilePatterns([pattern]);
    for (const example of examplesOf(pattern)) expect(nameIn(inFolder(example)), example).toBeDefined();
  });
});

describe('the list of credentials', () => {
  it.each(credentialExamples.map(inFolder))('refuses %s', (example) => {
    expect(sensitiveNameIn(example)).toBeDefined();
    expect(sensitiveNameIn(example.toUpperCase())).toBeDefined();
  });

  it.each(credentialExamples.filter((name) => !name.startsWith('id_work') && !name.includes('/')).map(inFolder))(
    'refuses backups and archives of %s',
    (example) => {
      const endings = [
        '~',
        '.bak',
        '.old',
        '.orig',
        '.swp',
        '.zip',
        '.tar.gz',
        '.gz',
        '.7z',
        '.bak.gz',
        ' copy',
        ' (1)',
        '-2024-05-01',
      ];
      expect(endings.filter((ending) => sensitiveNameIn(example + ending) === undefined)).toEqual([]);
    },
  );

  it.each([
    '/data/credentials copy.json',
    '/data/credentials (2).json',
    '/data/credentials-20240501.json',
    '/data/credentials_backup.json',
    '/data/.credentials.json.swp',
    '/data/#credentials.json#',
    '/data/Copy of credentials.json',
    '/data/server.pem.20240501T101112Z',
    '/home/ann/.ssh.tar.gz',
    '/home/ann/.ssh-2024-05-01.zip',
    '/home/ann/.aws.bak/credentials',
    '/data/.env.',
    'C:\\data\\.env::$DATA',
    'C:\\data\\server.pem:stream',
    '/private/etc/passwd',
    '/data/secrets.production.json.bak',
    '/data/Team passwords (2).xlsx',
    '/data/.en\u200bv',
    '/data/.ſſh/config',
  ])('refuses %s', (file) => {
    expect(sensitiveNameIn(file)).toBeDefined();
  });
});

describe('the list of places that programs run from', () => {
  it.each(runningExamples.map(inFolder))('closes %s for writing', (example) => {
    expect(runningNameIn(example)).toBeDefined();
    expect(runningNameIn(example.toUpperCase())).toBeDefined();
  });

  it.each(['/app/.mcp.json::$DATA', 'C:\\app\\.git::$INDEX_ALLOCATION\\hooks\\pre-commit', '/private/etc/sudoers'])(
    'closes %s for writing',
    (file) => {
      expect(runningNameIn(file)).toBeDefined();
    },
  );

  it.each([
    '/app/src/main.ts',
    '/app/deploy/app.service',
    '/app/share/app.desktop',
    '/app/package.json',
    '/app/Makefile',
    '/app/.gitignore',
    '/app/.gitattributes',
    '/app/.github/workflows/ci.yml',
    '/app/.editorconfig',
    '/app/roles/windows/tasks/main.yml',
    '/app/files/etc/profile.d/tools.sh',
    '/app/.claude/worktrees/one/src/main.ts',
    '/app/docs/crontab.md',
    '/app/profile.json',
    '/app/git/hooks.ts',
  ])('leaves %s open', (file) => {
    expect(runningNameIn(file)).toBeUndefined();
  });
});

describe('sensitiveNameIn', () => {
  it.each([
    ['/data/.env', '.env'],
    ['/data/.env.production', '.env.production'],
    ['/data/.ENV', '.ENV'],
    ['/data/server.pem', 'server.pem'],
    ['/data/Server.PEM.gz', 'Server.PEM.gz'],
    ['/data/server.key~', 'server.key~'],
    ['/data/robot-key.json', 'robot-key.json'],
    ['/data/id_rsa', 'id_rsa'],
    ['/data/id_work', 'id_work'],
    ['/data/id_ed25519.pub', 'id_ed25519.pub'],
    ['/data/id_rsa.old', 'id_rsa.old'],
    ['/home/ann/.ssh/config', '.ssh'],
    ['/home/ann/.SSH/notes/list.txt', '.SSH'],
    ['/home/ann/.aws/credentials', '.aws'],
    ['/home/ann/.kube/config', '.kube'],
    ['/home/ann/.npmrc', '.npmrc'],
    ['/home/ann/credentials.json', 'credentials.json'],
    ['/home/ann/store.p12', 'store.p12'],
  ])('refuses %s for %s', (file, name) => {
    expect(sensitiveNameIn(file)).toBe(name);
  });

  it.each([
    '/data/users.csv',
    '/data/id_list.csv',
    '/data/id_map.json',
    '/data/id_mapping.csv',
    '/data/id_mapping.csv.gz',
    '/data/id_mapping.zip',
    '/data/environment.json',
    '/data/environment.csv',
    '/data/environments/prod.csv',
    '/data/monkey.json',
    '/data/keys.csv',
    '/data/keys.json',
    '/data/answer_key.json',
    '/data/keyboard.json',
    '/data/tokens.csv',
    '/data/tokenizer.json',
    '/data/secretary.csv',
    '/data/password-policy.md',
    '/data/authors.json',
    '/data/cookies.csv',
    '/data/.env/lib/site.py',
    '/data/config',
    '/data/config.json',
    '/data/settings.xml',
    '/data/ssh/notes.txt',
    '/data/aws/report.csv',
    '/data/gcloud/costs.csv',
    '/data/bitwarden/src/main.ts',
    '/data/tdata/train.csv',
    '/app/.swiftpm/xcode/package.xcworkspace/contents.xcworkspacedata',
    '/app/.aws-sam/build/template.yaml',
    '/app/claude/config.json',
    '/app/.cursor/rules/style.mdc',
    '/data/cog/model.py',
    '/data/zen/quotes.csv',
    '/data/sales-2024-01-01.csv',
    '/data/report copy.xlsx',
    '/data/export (1).csv',
    '/data/archive.tar.gz',
    '/data/passwd.md',
    '/data/password_resets.csv',
    '/data/reset_password.txt',
    '/data/secret-santa.csv',
    '/data/tokens.json',
    '/app/src/credentials.ts',
    '/app/src/password.ts',
    '/app/src/kubeconfig.go',
    '/app/env.d.ts',
    '/data/notes: today.txt',
    '/usr/share/stripe/a',
    '/usr/local/op/a',
  ])('lets %s pass', (file) => {
    expect(sensitiveNameIn(file)).toBeUndefined();
  });

  it('lets a name pass that the user listed, in any letter case, and no other', () => {
    expect(sensitiveNameIn('/data/.env.example', ['.ENV.example'])).toBeUndefined();
    expect(sensitiveNameIn('/data/.env', ['.env.example'])).toBe('.env');
  });

  it('takes a listed directory for its ordinary files, not for the keys in it', () => {
    expect(sensitiveNameIn('/home/ann/.ssh/config', ['.ssh'])).toBeUndefined();
    expect(sensitiveNameIn('/home/ann/.ssh/id_rsa', ['.ssh'])).toBe('id_rsa');
    expect(sensitiveNameIn('/home/ann/.ssh/id_rsa', ['id_rsa'])).toBeUndefined();
  });

  it('takes a path of any length at once', () => {
    const long = `/data/${'. '.repeat(1_000_000)}/${'(1'.repeat(1_000_000)}/${'.filebridge-backup-'.repeat(50_000)}\n`;
    expect(sensitiveNameIn(long)).toBeUndefined();
  });
});

const HOME = '/srv/people/ann';

describe('the places of programs and of the system', () => {
  it.each(closedPlaces.writing)('line %s closes %s for writing', (_pattern, example) => {
    expect(systemNameIn(example, '/', HOME, 'writing')).toBeDefined();
    expect(systemNameIn(example.toUpperCase(), '/', HOME, 'writing')).toBeDefined();
  });

  it.each(closedPlaces.reading)('line %s closes %s for reading', (_pattern, example) => {
    expect(systemNameIn(example, '/', HOME, 'reading')).toBeDefined();
    expect(systemNameIn(example.toUpperCase(), '/', HOME, 'reading')).toBeDefined();
  });

  it.each(['/usr/share/dict/words', '/opt/tool/README.md', '/run/media/ann/stick/a.csv', `${HOME}/bin/tool.sh`])(
    'leaves %s to be read',
    (file) => {
      expect(systemNameIn(file, '/', HOME, 'reading')).toBeUndefined();
    },
  );

  it('opens what the person names, and nothing else', () => {
    expect(systemNameIn(`${HOME}/.config/tool/a.json`, HOME, HOME, 'reading', ['.CONFIG'])).toBeUndefined();
    expect(systemNameIn(`${HOME}/.cache/tool/a.json`, HOME, HOME, 'reading', ['.config'])).toBe('.cache');
  });

  it.each(['.unknown', '.config/unknown/start.sh', 'bin/ls', 'Library/a/b.plist'])(
    'closes %s of a home folder anywhere',
    (name) => {
      expect(systemNameIn(`${HOME}/${name}`, HOME, HOME, 'writing')).toBeDefined();
      expect(systemNameIn(`${HOME}/${name}`, '/srv', HOME, 'writing')).toBeDefined();
      expect(systemNameIn(`C:\\People\\Ann\\${name}`, 'C:\\People', 'C:\\People\\Ann', 'writing')).toBeDefined();
    },
  );

  it('closes what macOS keeps in /private', () => {
    expect(systemNameIn('/private/etc/hosts', '/', HOME, 'writing')).toBe('etc');
  });

  it.each([
    '/home/ann/Documents/report.csv',
    '/home/ann/Documents/.hidden',
    '/home/ann/project/bin/start.js',
    '/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/a.csv',
    '/Users/ann/Library/CloudStorage/Drive/a.csv',
    'C:\\Users\\Ann\\Documents\\a.csv',
    '/data/etc/hosts',
    '/data/home/ann/.unknown',
    '/media/ann/stick/.unknown',
    '/var/www/index.html',
  ])('leaves %s open', (file) => {
    expect(systemNameIn(file, '/', HOME, 'writing')).toBeUndefined();
  });

  it.each([
    ['/home/ann/.config/app/a.json', '/home/ann/.config/app'],
    ['/etc/app/a.conf', '/etc/app'],
    ['/root/.work/a.csv', '/root/.work'],
    ['C:\\Users\\Ann\\AppData\\Local\\Temp\\a.csv', 'C:\\Users\\Ann\\AppData\\Local\\Temp'],
  ])('leaves %s open where %s is allowed', (file, folder) => {
    expect(systemNameIn(file, folder, HOME, 'writing')).toBeUndefined();
  });
});
