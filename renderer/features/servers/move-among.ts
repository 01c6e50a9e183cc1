/** Arrow keys among things that are laid out in rows and columns. */

const directions: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Moves the focus to the next element in the arrow's direction, from a text field to the first one below. False where nothing moved. */
export function moveAmong(place: HTMLElement, selector: string, { key, target }: KeyboardEvent): boolean {
  const direction = directions[key];
  const [right, down] = direction ?? [0, 0];
  if (direction === undefined || !(target instanceof HTMLElement)) return false;
  const all = [...place.querySelectorAll<HTMLElement>(selector)];
  const at = all.indexOf(target);
  // Within a text field, the arrows to the sides move in the text.
  if (at < 0 && (target instanceof HTMLInputElement ? down !== 1 : true)) return false;
  const next = at < 0 ? all[0] : right === 0 ? nearest(all, target, down) : all[at + right];
  next?.focus();
  return next !== undefined;
}

/** In the same column, of the next row. */
function nearest(all: readonly HTMLElement[], from: HTMLElement, down: number): HTMLElement | undefined {
  const { left, top } = from.getBoundingClientRect();
  const rows = all
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => (box.top - top) * down > 1)
    .sort(
      (one, other) => (one.box.top - other.box.top) * down || Math.abs(one.box.left - left) - Math.abs(other.box.left - left),
    );
  return rows[0]?.element;
}
