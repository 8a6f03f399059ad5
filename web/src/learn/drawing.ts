/** What the drawings of the lessons are made of: Picture.svelte draws the pieces, a mechanic's pictures put them together. */
import type { Snippet } from "svelte";

export interface Spot {
  x: number;
  y: number;
  turn: number;
}

export interface Kit {
  city: Snippet<[x: number, y: number]>;
  /** Free spaces; with "dashed" in a dashed outline. */
  slots: Snippet<[spots: Spot[], colour: string, kind?: string]>;
  trains: Snippet<[spots: Spot[], seat: number]>;
  card: Snippet<[x: number, y: number, colour: string, turn?: number]>;
  ticket: Snippet<[x: number, y: number, turn?: number, done?: boolean]>;
  symbolCard: Snippet<[x: number, y: number, symbol: string, turn?: number]>;
  badge: Snippet<[x: number, y: number, text: string]>;
}

export interface PictureProps {
  draw: Kit;
}

/** The middles of `n` spaces on the straight line between two places. */
export function between(x1: number, y1: number, x2: number, y2: number, n: number): Spot[] {
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const far = Math.hypot(x2 - x1, y2 - y1);
  const from = (far - n * 34) / 2 + 17;
  return Array.from({ length: n }, (_, i) => {
    const part = (from + i * 34) / far;
    return { x: x1 + (x2 - x1) * part, y: y1 + (y2 - y1) * part, turn };
  });
}
