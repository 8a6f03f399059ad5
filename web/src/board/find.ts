/** Finding tracks and places on a board: under a point, in a direction, by the first letters of a name. */
import type { BoardArt, Point } from "./types.ts";

export type Direction = "left" | "right" | "up" | "down";

/** How many pixels beside a track or a place it is still found: a fingertip is broader than a pointer. */
export const REACH = { finger: 20, pointer: 14 };
/** Pixels about a fingertip in which it may have meant another track. */
export const MEANT = 12;

const STEP: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};

/** How far a point is from a space. */
function slotDistance(x: number, y: number, angle: number, w: number, h: number, at: Point): number {
  const turn = (-angle * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const u = Math.abs((at.x - x) * c - (at.y - y) * s) - w / 2;
  const v = Math.abs((at.x - x) * s + (at.y - y) * c) - h / 2;
  return Math.hypot(Math.max(u, 0), Math.max(v, 0));
}

/** The track nearest to a point, no further than `reach`: every space gets all the room up to its neighbours. */
export function trackAt(art: BoardArt, at: Point, reach: number): string | null {
  let [best, found]: [number, string | null] = [reach, null];
  for (const [id, track] of Object.entries(art.tracks)) {
    for (const [x, y, angle] of track.slots) {
      const far = slotDistance(x, y, angle, track.w, art.slot, at);
      if (far < best || (far === 0 && found === null)) [best, found] = [far, id];
    }
  }
  return found;
}

/** All tracks no further than `reach` from a point, the nearest first: what a fingertip may have meant. */
export function tracksNear(art: BoardArt, at: Point, reach: number): string[] {
  return Object.entries(art.tracks)
    .map(([id, track]) => ({
      id,
      far: Math.min(...track.slots.map(([x, y, angle]) => slotDistance(x, y, angle, track.w, art.slot, at))),
    }))
    .filter(({ far }) => far <= reach)
    .sort((one, other) => one.far - other.far)
    .map(({ id }) => id);
}

/** The place nearest to a point, no further than `reach` from its rim. */
export function placeAt(art: BoardArt, at: Point, reach: number): string | null {
  let [best, found]: [number, string | null] = [reach + art.dot, null];
  for (const [id, place] of Object.entries(art.places)) {
    const far = Math.hypot(place.x - at.x, place.y - at.y);
    if (far < best) [best, found] = [far, id];
  }
  return found;
}

/** Middle of a track: of its middle space, or between its two middle ones. */
export function middleOf(art: BoardArt, id: string): Point {
  const slots = art.tracks[id]?.slots ?? [];
  const [a, b] = [slots[Math.floor((slots.length - 1) / 2)], slots[Math.ceil((slots.length - 1) / 2)]];
  return a && b ? { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 } : { x: 0, y: 0 };
}

/** The nearest of the points in a direction, those straight ahead before those aside. */
export function towards(from: Point, points: Map<string, Point>, direction: Direction): string | null {
  const step = STEP[direction];
  let [best, found]: [number, string | null] = [Infinity, null];
  for (const [id, point] of points) {
    const [dx, dy] = [point.x - from.x, point.y - from.y];
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y - dy * step.x);
    if (ahead <= 0.5 || aside > ahead * 2.5) continue;
    const cost = ahead + aside * 1.6;
    if (cost < best) [best, found] = [cost, id];
  }
  return found;
}

/** A name as it is typed without marks: "Zürich" → "zurich". */
export const plain = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ø/gi, "o")
    .replace(/ł/gi, "l")
    .toLowerCase();

/** What was typed so far; a pause begins a new word. */
export class Typed {
  private text = "";
  private last = 0;

  /** The letters with one more, at a time in milliseconds. */
  add(letter: string, now: number): string {
    this.text = now - this.last > 900 ? letter : this.text + letter;
    this.last = now;
    return plain(this.text);
  }
}
