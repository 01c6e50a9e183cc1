import { describe, expect, it } from 'vitest';
import { searchWords } from './word-search.ts';

const things = [
  { name: 'Gadget', about: 'Writes e-mail and a to-do list for café owners' },
  { name: 'Mailbox', about: 'Keeps letters' },
  { name: 'Tables', about: 'Counts Straßen' },
];
const search = (typed: string) => {
  const { found, near } = searchWords(things, typed, ({ name, about }) => [name, about]);
  return [found.map(({ name }) => name), near.map(({ name }) => name)];
};

describe('a search by words', () => {
  it.each([
    ['words in any order', 'owners cafe', ['Gadget']],
    ['a name before a description', 'mail', ['Mailbox', 'Gadget']],
    ['hyphens or none', 'e-mail', ['Gadget']],
    ['one word in two', 'to do', ['Gadget']],
    ['accents and ß written otherwise', 'strassen', ['Tables']],
    ['the beginning of a word', 'lett', ['Mailbox']],
    ['words that say nothing', 'open my letters', ['Mailbox']],
    ['nothing typed', '  ', ['Gadget', 'Mailbox', 'Tables']],
  ])('takes %s', (_what, typed, names) => {
    expect(search(typed)).toEqual([names, []]);
  });

  it.each([
    ['a wrong letter', 'lettors', ['Mailbox']],
    ['letters that changed places', 'tabels', ['Tables']],
    ['a word that nothing has', 'letters yesterday', ['Mailbox']],
  ])('has near misses for %s', (_what, typed, names) => {
    expect(search(typed)).toEqual([[], names]);
  });

  it.each(['xyz', 'ba', 'letters yesterday today'])('has nothing for “%s”', (typed) => {
    expect(search(typed)).toEqual([[], []]);
  });
});
