/** Refuses to parse JSON that could take more heap than there is: a few bytes of text can become an object of many. */
import v8 from 'node:v8';

/** Smaller texts are parsed in any case (bytes). */
const SMALL = 256 * 1024;
/** Heap that a byte of text takes at most, as in `[{},{},…]`. */
const WORST = 48;
/** Heap per byte of text, per object or list, and per comma. */
const COST = { byte: 2, open: 64, comma: 16 } as const;
/** Part of the free heap that one text may take. */
const SHARE = 0.7;

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const COMMA = 0x2c;

function freeHeap(): number {
  const { heap_size_limit: limit, used_heap_size: used } = v8.getHeapStatistics();
  return limit - used;
}

/** Whether the text can be parsed safely. Counts values only where the worst case would not fit. */
export function fitsHeap(text: readonly Uint8Array[], bytes: number, free = freeHeap): boolean {
  if (bytes < SMALL) return true;
  const room = free() * SHARE;
  if (bytes * WORST <= room) return true;
  let cost = bytes * COST.byte;
  for (const part of text) {
    for (let at = 0; at < part.length; at += 1) {
      const code = part[at];
      if (code === COMMA) cost += COST.comma;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) cost += COST.open;
    }
    if (cost > room) return false;
  }
  return cost <= room;
}

export const TOO_MUCH =
  'The request has too many values for the memory of Filebridge. Name files by path instead of sending their content';

/** The id of a request that is not parsed, where it stands before or behind the parameters as clients write it. */
export function idOfUnparsed(text: readonly Uint8Array[]): string | number | undefined {
  const first = Buffer.from(text[0] ?? []).toString('latin1', 0, 200);
  const last = Buffer.from(text.at(-1) ?? []);
  const found =
    /^\s*\{[^{[]*?"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")/.exec(first) ??
    /[}\]]\s*,[^{}[\]]*?"id"\s*:\s*(\d{1,15}|"[^"\\]{0,100}")[^{}[\]]*\}\s*$/.exec(
      last.toString('latin1', Math.max(0, last.length - 300)),
    );
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
}
