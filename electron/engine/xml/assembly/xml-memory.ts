/** Memory of the XML kernel: tables and stacks below, the JSON that is written above them. */

/** End of what was allocated. */
let top: usize = 0;
/** Where the JSON begins, and how far it is written. */
export let json: usize = 0;
export let written: usize = 0;

/** Everything from here on is free. */
export function layOut(from: usize): void {
  top = (from + 15) & ~15;
  json = top;
  written = top;
}

export function writtenTo(place: usize): void {
  written = place;
}

/** Makes memory reach `to`. False where there is no more. */
export function reserve(to: usize): bool {
  const pages = <i32>((to + 0xffff) >> 16) - memory.size();
  if (pages <= 0) return true;
  // By a quarter at least, so that it is not done often.
  const wanted = max(pages, memory.size() >> 2);
  return memory.grow(wanted) >= 0 || memory.grow(pages) >= 0;
}

/** Makes room for `below` bytes that can then be allocated, and as many of JSON as `above` says. Only this moves the JSON. */
export function makeRoom(below: usize, above: usize): bool {
  if (top + below > json) {
    // As much again as there is, so that it is not done often.
    const by = (max(below, top) + 15) & ~15;
    if (!reserve(written + by + above)) return false;
    memory.copy(json + by, json, written - json);
    json += by;
    written += by;
  }
  return reserve(written + above);
}

/** Zeroed memory, for which there has to be room. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  memory.fill(at, 0, top - at);
  return at;
}

/** A wider place for the first `used` bytes at `from`; there has to be room for it. */
export function widened(from: usize, used: usize, bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  memory.copy(at, from, used);
  return at;
}
