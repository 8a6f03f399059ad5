/** The spaces of a track as one path, so that a track is a few nodes however long it is. */
import type { SlotArt } from "./types.ts";

const near = (v: number) => Math.round(v * 100) / 100;

/** Rounded boxes of w × h about each space, turned with it. */
export function boxesPath(slots: SlotArt[], w: number, h: number, round: number): string {
  const [u, v] = [w / 2, h / 2];
  return slots
    .map(([x, y, angle]) => {
      const turn = (angle * Math.PI) / 180;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const at = (p: number, q: number) => `${near(x + p * c - q * s)} ${near(y + p * s + q * c)}`;
      const arc = `A${round} ${round} 0 0 1 `;
      return (
        `M${at(-u + round, -v)}L${at(u - round, -v)}${arc}${at(u, -v + round)}` +
        `L${at(u, v - round)}${arc}${at(u - round, v)}L${at(-u + round, v)}${arc}${at(-u, v - round)}` +
        `L${at(-u, -v + round)}${arc}${at(-u + round, -v)}Z`
      );
    })
    .join("");
}

/** Which spaces show a locomotive: spread over the middle of the track. */
export function locoSpaces(length: number, count: number): Set<number> {
  const first = Math.floor((length - count) / 2);
  return new Set(Array.from({ length: count }, (_, i) => first + i));
}

/** A space moved on by so much in its own direction. */
export function along([x, y, angle]: SlotArt, by: number): SlotArt {
  const turn = (angle * Math.PI) / 180;
  return [x + Math.cos(turn) * by, y + Math.sin(turn) * by, angle];
}
