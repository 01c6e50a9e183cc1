import { expect, it } from 'vitest';
import { fitsTemplate } from './upstream-offers.ts';

it.each([
  ['page://a/{id}', 'page://a/7', true],
  ['page://a/{id}', 'page://b/7', false],
  ['page://a/{id}/end', 'page://a/7/end', true],
  ['page://a/{id}/end', 'page://a/end', false],
  ['page://a/{id}/{part}.txt', 'page://a/7/8.txt', true],
  ['page://a/{id}/{part}.txt', 'page://a/7.txt', false],
  ['page://a{?q}', 'page://a', true],
  ['page://a', 'page://a', true],
  ['page://a', 'page://ab', false],
  ['{+uri}', 'https://example.com', true],
  ['a{x}a', 'a', false],
])('%s fits %s: %s', (template, uri, fits) => {
  expect(fitsTemplate(template, uri)).toBe(fits);
});

it('takes linear time for a hostile template', () => {
  const template = `${'{a}x'.repeat(400)}{b}y`;
  expect(fitsTemplate(template, 'x'.repeat(2_000_000))).toBe(false);
});

it('does not try how a URI may be cut among expressions', () => {
  expect(fitsTemplate(`a://${'{a}{b}{c}{d}{e}{f}'.repeat(100)}!`, `a://${'x'.repeat(100_000)}`)).toBe(false);
});
