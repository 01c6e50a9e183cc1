import { describe, expect, it } from 'vitest';
import { approvalNotice, noticeText, problemMemory } from './notice-content.ts';
import { textsIn } from './texts.ts';

it('lets nobody put markup into a notification where it would be shown as such', () => {
  const said = '<a href="http://evil.example">Tom & Jerry</a>';
  expect(noticeText(said, 'linux')).toBe('&lt;a href="http://evil.example"&gt;Tom &amp; Jerry&lt;/a&gt;');
  expect(noticeText(said, 'win32')).toBe(said);
  expect(noticeText('server a\u202Eb', 'win32')).toBe('server a⟨U+202E⟩b');
});

it('names a call that needs approval, with every character of the names visible', () => {
  const t = textsIn('en');
  const call = { client: 'an\u200Bagent', server: 'db\n', tool: `drop\u202Esrebmun${'x'.repeat(500)}` };
  const notice = approvalNotice(call, t);
  expect(notice).toMatch(
    /^'an⟨U\+200B⟩agent' wants to use drop⟨U\+202E⟩srebmunx{50,60}… on db⟨U\+000A⟩\. Open Filebridge to see/,
  );
  expect(approvalNotice({ ...call, client: null }, t)).toMatch(/^An agent wants to use drop/);
  expect(approvalNotice(call, textsIn('de'))).toContain('Öffnen Sie Filebridge');
});

const problem = (id: string, message = 'is down') => ({
  kind: 'server_failing' as const,
  id,
  message,
  hint: null,
  server: id,
  remedies: [],
});
const hour = 60 * 60_000;

describe('problems to tell of', () => {
  it('are shown once, even if they are seen again', () => {
    const fresh = problemMemory();
    expect(fresh([problem('db')], 0).map(({ id }) => id)).toEqual(['db']);
    expect(fresh([problem('db'), problem('web')], 1).map(({ id }) => id)).toEqual(['web']);
    expect(fresh([], 2)).toEqual([]);
    expect(fresh([problem('db')], 3)).toEqual([]);
  });

  it('are shown again when they change, or return after a long time', () => {
    const fresh = problemMemory();
    fresh([problem('db')], 0);
    expect(fresh([problem('db', 'refuses the password')], 1)).toHaveLength(1);
    expect(fresh([problem('db')], 2 * hour)).toHaveLength(1);
  });
});
