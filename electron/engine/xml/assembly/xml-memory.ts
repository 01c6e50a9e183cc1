/** Memory of the XML kernel: tables and stacks at the bottom, the JSON output above them. */

/** End of allocated memory. */
let top: usize = 0;
/** Start of the JSON, and its current end. */
export let json: usize = 0;
export let written: usize = 0;

/** Start of free memory. */
export function layOut(from: usize): void {
  top = (from + 15) & ~15;
  json = top;
  written = top;
}

export function writtenTo(place: usize): void {
  written = place;
}

/** Grows memory up to `to`. False if there is not enough. */
export function reserve(to: usize): bool {
  const pages = <i32>((to + 0xffff) >> 16) - memory.size();
  if (pages <= 0) return true;
  // Grows by at least a quarter, to grow rarely.
  const wanted = max(pages, memory.size() >> 2);
  return memory.grow(wanted) >= 0 || memory.grow(pages) >= 0;
}

/** Makes room for `below` bytes of allocations and `above` bytes of JSON. Only this function moves the JSON. */
export function makeRoom(below: usize, above: usize): bool {
  if (top + below > json) {
    // Doubles the space, to move rarely.
    const by = (max(below, top) + 15) & ~15;
    if (!reserve(written + by + above)) return false;
    memory.copy(json + by, json, written - json);
    json += by;
    written += by;
  }
  return reserve(written + above);
}

/** Allocates zeroed memory, for which there must be room. */
export function allocate(bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  memory.fill(at, 0, top - at);
  return at;
}

/** Copies the first `used` bytes at `from` to a larger allocation, for which there must be room. */
export function widened(from: usize, used: usize, bytes: usize): usize {
  const at = top;
  top = (at + bytes + 15) & ~15;
  memory.copy(at, from, used);
  return at;
}
