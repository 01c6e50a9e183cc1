import { expect, it } from 'vitest';
import { KeptAnswers } from './stored-answers.ts';

it('keeps apart what clients were given links to, and forgets them with the client', () => {
  const kept = new KeptAnswers();
  kept.link('one', 'db', ['note://1']);
  kept.link('one', 'web', ['note://1']);
  expect(kept.linkedBy('one', 'note://1')).toEqual(['db', 'web']);
  expect(kept.linkedBy('other', 'note://1')).toEqual([]);
  kept.forget('one');
  expect(kept.linkedBy('one', 'note://1')).toEqual([]);
});

it('remembers a bounded number of links, the newest, and none that is very long', () => {
  const kept = new KeptAnswers();
  const long = `note://${'x'.repeat(10_000)}`;
  kept.link('one', 'db', [long, ...Array.from({ length: 1_500 }, (_, i) => `note://${i}`)]);
  expect(kept.linkedBy('one', 'note://0')).toEqual([]);
  expect(kept.linkedBy('one', 'note://1499')).toEqual(['db']);
  kept.link('two', 'db', [long]);
  expect(kept.linkedBy('two', long)).toEqual([]);
});
