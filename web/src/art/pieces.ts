/**
 * The players' pieces as shapes. Five looks, each with an outline and a pattern of its own, so that no piece is told by colour
 * alone. The board draws all trains of a track as a few paths; badges show a single train.
 */
import type { SlotArt } from "../board/types.ts";

export const LOOKS = [0, 1, 2, 3, 4] as const;

/** A step of a path about the middle of a piece: a corner, or an arc to it (`sweep` 1 bulges outward). */
type Corner = [x: number, y: number, radius?: number, sweep?: 0 | 1];

const near = (v: number) => Math.round(v * 100) / 100;

/** Outlines of a train of w × h: round ends, cut corners, pointed ends, hollow corners, square. */
function outline(look: number, w: number, h: number): Corner[] {
  const [u, v] = [w / 2, h / 2];
  const cut = h * 0.3;
  const boxed = (c: number, radius?: number, sweep?: 0 | 1): Corner[] => [
    [-u + c, -v],
    [u - c, -v],
    [u, -v + c, radius, sweep],
    [u, v - c],
    [u - c, v, radius, sweep],
    [-u + c, v],
    [-u, v - c, radius, sweep],
    [-u, -v + c],
    [-u + c, -v, radius, sweep],
  ];
  switch (look) {
    case 0:
      return boxed(h * 0.48, h * 0.48, 1);
    case 1:
      return boxed(cut);
    case 2:
      return [
        [-u + v * 0.8, -v],
        [u - v * 0.8, -v],
        [u + h * 0.06, 0],
        [u - v * 0.8, v],
        [-u + v * 0.8, v],
        [-u - h * 0.06, 0],
      ];
    case 3:
      return boxed(h * 0.24, h * 0.24, 0);
    default:
      return boxed(h * 0.09, h * 0.09, 1);
  }
}

/** The pattern of each look: solid figures, where the hatches of cards and free spaces are lines and dots all over. */
export const PATTERNS = ["ring", "bow tie", "arrowhead", "quarters", "lozenge"] as const;

/** A circle about the middle; drawn the other way round it is a hole. */
const circle = (r: number, sweep: 0 | 1): Corner[] => [
  [-r, 0],
  [r, 0, r, sweep],
  [-r, 0, r, sweep],
];

/** The figures in a body that reaches `u` along and `v` across from its middle. */
const FIGURES: Record<(typeof PATTERNS)[number], (u: number, v: number) => Corner[][]> = {
  ring: (_, v) => [circle(v * 0.82, 1), circle(v * 0.42, 0)],
  "bow tie": (u, v) =>
    [-1, 1].map((side) => [
      [side * u * 0.46, -v * 0.72],
      [0, 0],
      [side * u * 0.46, v * 0.72],
    ]),
  arrowhead: (u, v) => [
    [
      [-u * 0.42, -v * 0.84],
      [u * 0.5, 0],
      [-u * 0.42, v * 0.84],
      [-u * 0.12, 0],
    ],
  ],
  quarters: (u, v) =>
    [-1, 1].map((side) => [
      [0, 0],
      [side * u * 0.5, 0],
      [side * u * 0.5, side * v * 0.64],
      [0, side * v * 0.64],
    ]),
  lozenge: (u, v) => [
    [
      [-u * 0.3, 0],
      [0, -v * 0.78],
      [u * 0.3, 0],
      [0, v * 0.78],
    ],
  ],
};

/** Path data of a shape, turned and moved to each of the spaces. */
function drawn(slots: readonly SlotArt[], shape: Corner[]): string {
  return slots
    .map(([x, y, angle]) => {
      const turn = (angle * Math.PI) / 180;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const at = (p: number, q: number) => `${near(x + p * c - q * s)} ${near(y + p * s + q * c)}`;
      return `${shape.map(([p, q, r, sweep], i) => `${r ? `A${near(r)} ${near(r)} 0 0 ${sweep} ` : i ? "L" : "M"}${at(p, q)}`).join("")}Z`;
    })
    .join("");
}

export interface PiecePaths {
  outline: string;
  body: string;
  light: string;
  shade: string;
  pattern: string;
}

/** The trains on these spaces: the outline, the body within its rim, light on its upper edge and shade on the lower, and the pattern. */
export function trainPaths(look: number, slots: readonly SlotArt[], w: number, h: number, rim: number): PiecePaths {
  const body = outline(look, w - 2 * rim, h - 2 * rim);
  const [u, v] = [(w - 2 * rim) / 2, (h - 2 * rim) / 2];
  const inset = look === 2 ? v * 0.8 : h * 0.24;
  return {
    outline: drawn(slots, outline(look, w, h)),
    body: drawn(slots, body),
    light: drawn(slots, [
      [-u + inset, -v],
      [u - inset, -v],
      [u - inset - v * 0.3, -v * 0.5],
      [-u + inset + v * 0.3, -v * 0.5],
    ]),
    shade: drawn(slots, [
      [-u + inset, v],
      [u - inset, v],
      [u - inset * 0.6, v * 0.55],
      [-u + inset * 0.6, v * 0.55],
    ]),
    pattern: FIGURES[PATTERNS[look]!](u, v)
      .map((one) => drawn(slots, one))
      .join(""),
  };
}
