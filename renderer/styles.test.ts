/** Styles belong to their component: a class begins the rules of one style sheet only, and a page's rules begin with a class of its own. */
import { describe, expect, it } from 'vitest';

/** The class with which each selector begins; null where it begins with none. */
function leadingClasses(css: string): (string | null)[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g);
  return [...rules].flatMap(([, selectors = '']) => {
    if (/^\s*(?:@|from\b|to\b|\d)/.test(selectors)) return [];
    return selectors.split(/,(?![^(]*\))/).map((selector) => {
      const [first = ''] = selector.trim().split(/[\s>+~]/);
      // `body:has(.dialog) .toasts` is about toasts.
      const own = /^body\b/.test(first) ? selector.trim().slice(first.length) : first;
      return /\.([\w-]+)/.exec(own)?.[1] ?? null;
    });
  });
}

/** Classes that begin rules of several sheets, each with these. */
function shared(sheets: ReadonlyMap<string, string>): string[] {
  const owners = new Map<string, Set<string>>();
  for (const [file, css] of sheets)
    for (const name of leadingClasses(css)) if (name !== null) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  return [...owners].flatMap(([name, files]) => (files.size > 1 ? `.${name}: ${[...files].sort().join(', ')}` : []));
}

const files = import.meta.glob<string>('./**/*.css', { query: '?raw', import: 'default', eager: true });
const sheets = new Map(Object.entries(files).map(([file, css]) => [file.replace('./', ''), css]));

describe('styles', () => {
  it('of one component do not reach into another', () => {
    expect(sheets.size).toBeGreaterThan(15);
    expect(shared(sheets)).toEqual([]);
  });

  it('of a page begin with a class', () => {
    for (const [file, css] of sheets) if (file.startsWith('features/')) expect(leadingClasses(css), file).not.toContain(null);
  });

  it('that leak are found', () => {
    const leak = new Map([
      ['a.css', '.note { color: red } @media (width > 1px) { .note:hover, p .x { color: red } }'],
      ['b.css', '/* .note */ .mine .note { color: blue } .mine:is(.a, .b) {}'],
      ['c.css', '.other .x {} .note.small {}'],
    ]);
    expect(shared(leak)).toEqual(['.note: a.css, c.css']);
    expect(leadingClasses('pre .gap {} [data-x] > .y {} .z {}')).toEqual([null, null, 'z']);
  });
});
