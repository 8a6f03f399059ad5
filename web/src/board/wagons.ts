/** Wagons in the spaces of a track as two paths: drawn one by one they were most of what a browser has to go through. */
import { SILHOUETTE, WAGON, type Card } from "../art/wagons.ts";
import type { SlotArt } from "./types.ts";

/** A command of a path, what stands before its points, and its points, all absolute. */
type Step = [letter: string, before: (scale: number) => string, points: [x: number, y: number][]];

/** What a silhouette is drawn in. */
const BOX = { w: 48, h: 24 };
const near = (v: number) => Math.round(v * 1000) / 1000;
const none = () => "";

/** Reads path data as our silhouettes are written: M, L, H, V, Q, Z and arcs of circles, each letter with its numbers. */
function stepsOf(path: string): Step[] {
  let pen: [number, number] = [0, 0];
  return [...path.matchAll(/([a-z])([^a-z]*)/gi)].map(([, letter, rest]): Step => {
    const n = (rest!.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const [ox, oy] = letter! < "a" ? [0, 0] : pen;
    const point = (i: number): [number, number] => [ox + n[i]!, oy + n[i + 1]!];
    const to = (x: number, y: number) => (pen = [x, y]);
    switch (letter!.toUpperCase()) {
      case "Z":
        return ["Z", none, []];
      case "H":
        return ["L", none, [to(ox + n[0]!, pen[1])]];
      case "V":
        return ["L", none, [to(pen[0], oy + n[0]!)]];
      case "Q":
        return ["Q", none, [point(0), to(...point(2))]];
      case "A":
        return ["A", (scale) => `${near(n[0]! * scale)} ${near(n[1]! * scale)} 0 ${n[3]} ${n[4]} `, [to(...point(5))]];
      default:
        return [letter!.toUpperCase(), none, [to(...point(0))]];
    }
  });
}

const read = new Map<string, Step[]>();

/** The wagon of a card, `width` wide, in each of these spaces: `body` is filled even-odd, `gear` plain. */
export function wagonPaths(card: Card, slots: readonly SlotArt[], width: number): { body: string; gear: string } {
  const { body, gear } = SILHOUETTE[WAGON[card]];
  return { body: stamped(body, slots, width / BOX.w), gear: stamped(gear, slots, width / BOX.w) };
}

/** A drawing `scale` times as large, with its middle in each space and turned with it. */
function stamped(path: string, slots: readonly SlotArt[], scale: number): string {
  const steps = read.get(path) ?? stepsOf(path);
  read.set(path, steps);
  return slots
    .map(([x, y, angle]) => {
      const turn = (angle * Math.PI) / 180;
      const [c, s] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
      const at = ([p, q]: [number, number]) => {
        const [u, v] = [p - BOX.w / 2, q - BOX.h / 2];
        return `${near(x + u * c - v * s)} ${near(y + u * s + v * c)}`;
      };
      return steps.map(([letter, before, points]) => letter + before(scale) + points.map(at).join(" ")).join("");
    })
    .join("");
}
