/** Where a plate of words goes: near a point, inside the room there is, and off what it speaks of. */
import type { Point } from "./types.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Size {
  width: number;
  height: number;
}

const AWAY = 14;
const EDGE = 6;

const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** Of the spots about the point the nearest that covers nothing of `clear`; failing that, the one that covers least. */
export function spotFor(at: Point, tip: Size, room: Size, clear: readonly Box[]): Point {
  const within = (p: Point): Point => ({
    x: Math.max(EDGE, Math.min(p.x, room.width - tip.width - EDGE)),
    y: Math.max(EDGE, Math.min(p.y, room.height - tip.height - EDGE)),
  });
  let [best, found]: [number, Point] = [Infinity, within({ x: at.x + AWAY, y: at.y + AWAY })];
  for (let far = AWAY; far <= AWAY + 180; far += 20) {
    const xs = [at.x + far, at.x - far - tip.width, at.x - tip.width / 2];
    const ys = [at.y + far, at.y - far - tip.height, at.y - tip.height / 2];
    for (const x of xs) {
      for (const y of ys) {
        const spot = within({ x, y });
        const over = [...clear, { ...at, width: 1, height: 1 }].reduce(
          (sum, box) => sum + shared({ ...spot, ...tip }, box),
          0,
        );
        if (over < best) [best, found] = [over, spot];
        if (best === 0) return found;
      }
    }
  }
  return found;
}
