/** Stores the window's position between runs, and uses it only where it is still visible. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const areaSchema = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
export type Area = z.infer<typeof areaSchema>;

const placeSchema = areaSchema.extend({ maximized: z.boolean() });
export type Place = z.infer<typeof placeSchema>;

/** How much of the window's top edge must be on a screen, in pixels. */
const GRIP = { width: 100, height: 32 };

/** Undefined if no valid position is stored. */
export function readPlace(file: string): Place | undefined {
  try {
    return placeSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    // The first run, or a file that a crash has cut short: the window opens where windows open.
    return undefined;
  }
}

/** Written synchronously, since the window is closing. */
export function writePlace(file: string, place: Place): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
}

/** The place, made to fit the screen it is on; undefined where no screen shows it any more. */
export function visiblePlace(place: Place | undefined, screens: readonly Area[]): Place | undefined {
  if (place === undefined) return undefined;
  const home = screens.find(
    (screen) =>
      overlap(place.x, place.width, screen.x, screen.width) >= GRIP.width &&
      place.y >= screen.y &&
      place.y + GRIP.height <= screen.y + screen.height,
  );
  if (!home) return undefined;
  return { ...place, width: Math.min(place.width, home.width), height: Math.min(place.height, home.height) };
}

const overlap = (one: number, length: number, other: number, otherLength: number): number =>
  Math.min(one + length, other + otherLength) - Math.max(one, other);
