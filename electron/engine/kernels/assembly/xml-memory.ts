/** Memory of the XML kernel: grows as it is needed, and is given out from one end to the other. */

/** End of what was allocated. */
export let top: usize = 0;

/** Everything from here on is free. */
export function allocateFrom(at: usize): void {
  top = (at + 7) & ~7;
}

/** Makes memory reach `to`. False where there is no more. */
export function reserve(to: usize): bool {
  const pages = <i32>((to + 0xffff) >> 16) - memory.size();
  if (pages <= 0) return true;
  // By a quarter at least, so that it is not done often.
  const wanted = max(pages, memory.size() >> 2);
  return memory.grow(wanted) >= 0 || memory.grow(pages) >= 0;
}

/** Zeroed memory; 0 where there is no more. */
export function allocate(bytes: usize): usize {
  const at = top;
  if (!reserve(at + bytes + 64)) return 0;
  if (bytes > 48) memory.fill(at, 0, bytes);
  else {
    v128.store(at, i8x16.splat(0));
    v128.store(at + 16, i8x16.splat(0));
    v128.store(at + 32, i8x16.splat(0));
  }
  top = at + bytes;
  return at;
}
