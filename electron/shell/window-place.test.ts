import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPlace, visiblePlace, writePlace } from './window-place.ts';

const left = { x: 0, y: 25, width: 1920, height: 1055 };
const right = { x: 1920, y: 0, width: 1280, height: 1024 };
const place = { x: 2000, y: 100, width: 900, height: 700, maximized: false };

describe("the window's place", () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'filebridge-place-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('comes back as it was kept', () => {
    const file = path.join(directory, 'new', 'window.json');
    expect(readPlace(file)).toBeUndefined();
    writePlace(file, place);
    expect(readPlace(file)).toEqual(place);
  });

  it('is forgotten when the file makes no sense', () => {
    const file = path.join(directory, 'broken.json');
    for (const text of ['{"x":1', '{"x":1,"y":2,"width":-3,"height":4,"maximized":false}']) {
      writeFileSync(file, text);
      expect(readPlace(file)).toBeUndefined();
    }
  });

  it('is used while a screen shows it', () => {
    expect(visiblePlace(place, [left, right])).toEqual(place);
    expect(visiblePlace(undefined, [left])).toBeUndefined();
  });

  it('is given up with the screen it was on, or where its title bar cannot be reached', () => {
    expect(visiblePlace(place, [left])).toBeUndefined();
    expect(visiblePlace({ ...place, x: 1850, y: 1060 }, [left])).toBeUndefined();
    expect(visiblePlace({ ...place, x: 100, y: 0 }, [left])).toBeUndefined();
    expect(visiblePlace({ ...place, x: 1880 }, [left])).toBeUndefined();
  });

  it('shrinks to a smaller screen', () => {
    expect(visiblePlace({ ...place, x: 10, width: 3000, height: 2000 }, [left])).toMatchObject({ width: 1920, height: 1055 });
  });
});
