import { describe, expect, it } from 'vitest';
import { sensitiveNameIn } from './sensitive.ts';

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
    ['/home/ann/.kube/config', 'config'],
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
    '/data/environment.json',
    '/data/monkey.json',
    '/data/keys.csv',
    '/data/.env/lib/site.py',
    '/data/config',
    '/data/ssh/notes.txt',
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
});
