import { describe, expect, it } from 'vitest';
import { allowedLink, signInLink } from './links.ts';

describe('links for the system', () => {
  it('are pages and known apps', () => {
    expect(allowedLink('https://example.com/a?b=c')).toBe('https://example.com/a?b=c');
    expect(allowedLink('cursor://anysphere.cursor-deeplink/mcp/install?name=x')).toMatch(/^cursor:/);
    expect(allowedLink('vscode:mcp/install?%7B%7D')).toBe('vscode:mcp/install?%7B%7D');
  });

  it.each(['http://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'ms-msdt:/id', 'smb://host/x', '/etc', ''])(
    'are not %s',
    (link) => expect(() => allowedLink(link)).toThrow('does not open links of this kind'),
  );
});

describe('links of sign-in pages', () => {
  it('are web pages', () => {
    expect(signInLink('http://127.0.0.1:8080/authorize?a=b')).toBe('http://127.0.0.1:8080/authorize?a=b');
  });

  it.each(['file:///etc/passwd', 'vscode:x', 'javascript:alert(1)', '-e', ''])('are not %s', (link) =>
    expect(() => signInLink(link)).toThrow('no address of a sign-in page'),
  );
});
