import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../../shared/lib/fixtures/eventually.ts';
import { RowPages } from './row-pages.ts';

const TOTAL = 1_000_000;

/** Rows that are their own numbers. */
function openPages(hold?: Promise<void>) {
  const asked: number[] = [];
  const changed = vi.fn();
  const pages = new RowPages(async (start, count) => {
    asked.push(start);
    await hold;
    return Array.from({ length: count }, (_, i) => String(start + i));
  }, changed);
  return { pages, asked, changed };
}

const soon = (check: () => void) => eventually(check);
const shown = (pages: RowPages, index: number) => pages.row(index);

describe('rows in pages', () => {
  it('asks for what is seen and gives it when it came', async () => {
    const { pages, asked } = openPages();
    expect(shown(pages, 250)).toBeUndefined();
    pages.want(250, 290, TOTAL);
    await soon(() => expect(shown(pages, 250)).toEqual({ kind: 'value', cell: '250' }));
    // The first page too: columns are judged by it.
    expect(asked).toEqual([0, 200]);
  });

  it('asks once for a page, however often it is seen', async () => {
    const { pages, asked } = openPages();
    for (let i = 0; i < 5; i += 1) pages.want(0, 40, TOTAL);
    await soon(() => expect(pages.first()).toHaveLength(100));
    pages.want(10, 50, TOTAL);
    expect(asked).toEqual([0]);
  });

  it('leaves out what was only passed by', async () => {
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { pages, asked } = openPages(hold);
    for (let row = 0; row < 500_000; row += 5_000) pages.want(row, row + 40, TOTAL);
    release();
    await soon(() => expect(shown(pages, 495_000)).toBeDefined());
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('asks again for the last page as the file is read on', async () => {
    const { pages } = openPages();
    pages.want(0, 40, 30);
    await soon(() => expect(shown(pages, 29)).toBeDefined());
    pages.want(0, 40, 70);
    await soon(() => expect(shown(pages, 39)).toBeDefined());
  });

  it('does not ask over and over for rows that are not there yet', async () => {
    const asked: number[] = [];
    const pages = new RowPages(
      async (start) => {
        asked.push(start);
        return ['1', '2'];
      },
      () => undefined,
    );
    pages.want(0, 40, 30);
    await soon(() => expect(shown(pages, 1)).toBeDefined());
    pages.want(0, 40, 30);
    // What must not happen has no event: all that is due is done.
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setTimeout(resolve));
    expect(asked).toEqual([0]);
    pages.want(0, 40, 31);
    expect(asked).toEqual([0, 0]);
  });

  it('forgets pages seen long ago, but never the first', async () => {
    const { pages } = openPages();
    for (let page = 0; page < 120; page += 1) {
      pages.want(page * 100, page * 100 + 1, TOTAL);
      await soon(() => expect(shown(pages, page * 100)).toBeDefined());
    }
    expect(pages.first()).toHaveLength(100);
    expect(shown(pages, 100)).toBeUndefined();
  });

  it('stops at a failure until asked to go on', async () => {
    let works = false;
    const changed = vi.fn();
    const pages = new RowPages(async () => {
      if (!works) throw new Error('gone');
      return ['1'];
    }, changed);
    pages.want(0, 1, 1);
    await soon(() => expect(changed).toHaveBeenCalledWith(expect.objectContaining({ message: 'gone' })));
    pages.want(0, 1, 1);
    works = true;
    expect(changed).toHaveBeenCalledTimes(1);
    pages.retry();
    await soon(() => expect(shown(pages, 0)).toBeDefined());
  });
});
