/** Where a hint stands: beside what it speaks of, inside the window, and never over it if there is room elsewhere. */
export interface Box { left: number; top: number; width: number; height: number }

const GAP = 14;
const EDGE = 8;

export function place(card: { width: number; height: number }, target: Box | null, window: { width: number; height: number }): { left: number; top: number } {
  const clampX = (x: number) => Math.max(EDGE, Math.min(x, window.width - card.width - EDGE));
  const clampY = (y: number) => Math.max(EDGE, Math.min(y, window.height - card.height - EDGE));
  if (!target) return { left: clampX((window.width - card.width) / 2), top: clampY(window.height - card.height - 4 * EDGE) };
  const middle = { left: target.left + target.width / 2 - card.width / 2, top: target.top + target.height / 2 - card.height / 2 };
  const spots = [
    { left: clampX(middle.left), top: target.top - card.height - GAP }, // above
    { left: clampX(middle.left), top: target.top + target.height + GAP }, // below
    { left: target.left - card.width - GAP, top: clampY(middle.top) }, // before
    { left: target.left + target.width + GAP, top: clampY(middle.top) }, // after
  ];
  const fits = (spot: { left: number; top: number }) =>
    spot.left >= EDGE && spot.top >= EDGE && spot.left + card.width <= window.width - EDGE && spot.top + card.height <= window.height - EDGE;
  // Something as large as the board leaves no room beside it: a corner of it is given up.
  return spots.find(fits) ?? { left: clampX(target.left + EDGE), top: clampY(target.top + target.height - card.height - EDGE) };
}
