import { describe, expect, it } from 'vitest';

const files = import.meta.glob<Record<string, string>>('../**/texts.*.json', { eager: true, import: 'default' });
const english = Object.keys(files).filter((file) => file.endsWith('.en.json'));
const read = (file: string): Record<string, string> => files[file] ?? {};
const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();

describe('texts', () => {
  it.each(english)('%s has a German twin with the same keys and holes', (file) => {
    const en = read(file);
    const de = read(file.replace('.en.json', '.de.json'));
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en))
      expect({ key, holes: holes(de[key] ?? '') }).toEqual({ key, holes: holes(text) });
  });

  it.each(english)('%s gives every plural both its forms', (file) => {
    const keys = Object.keys(read(file));
    const plurals = keys.flatMap((key) => /^(.*)_(?:one|other)$/.exec(key)?.[1] ?? []);
    for (const plural of plurals) expect(keys).toEqual(expect.arrayContaining([`${plural}_one`, `${plural}_other`]));
  });
});
