import { describe, expect, it } from 'vitest';
import { isSecretName, looksSecret } from './secret-looks.ts';

describe('looksSecret', () => {
  it.each([
    ['API_KEY', 'abc'],
    ['dbPassword', 'hunter2'],
    ['X-Auth-Token', 'abc'],
    ['Authorization', 'Bearer abc'],
    ['GITHUB_PERSONAL_ACCESS_TOKEN', 'x'],
    ['OPENAI', 'sk-abcdef'],
    ['DATABASE_URL', 'postgres://ann:hunter2@db.example/orders'],
  ])('takes %s=%s for a secret', (name, value) => expect(looksSecret(name, value)).toBe(true));

  it.each([
    ['API_KEY', '${API_KEY}'],
    ['API_KEY', ''],
    ['KEY_FILE', '/home/ann/key'],
    ['MAX_TOKENS', '4096'],
    ['AUTH', 'true'],
    ['LOG_LEVEL', 'debug'],
    ['DATABASE_URL', 'postgres://db.example/orders'],
    ['PUBLIC_KEY', 'abc'],
    ['MONKEY', 'banana'],
  ])('leaves %s=%s alone', (name, value) => expect(looksSecret(name, value)).toBe(false));
});

describe('isSecretName', () => {
  it('reads words, not letters', () => {
    expect(['apikey', 'accessToken', 'client-secret'].every(isSecretName)).toBe(true);
    expect(['keyboard', 'tokens', 'author', 'compass'].some(isSecretName)).toBe(false);
  });
});
