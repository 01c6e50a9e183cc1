import { expect, it } from 'vitest';
import { noticeText } from './notice-text.ts';

it('lets nobody put markup into a notification where it would be shown as such', () => {
  const said = '<a href="http://evil.example">Tom & Jerry</a>';
  expect(noticeText(said, 'linux')).toBe('&lt;a href="http://evil.example"&gt;Tom &amp; Jerry&lt;/a&gt;');
  expect(noticeText(said, 'win32')).toBe(said);
});
