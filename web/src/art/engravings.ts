/** The large pictures of the nine wagons, drawn as an engraver would: outlines, plank lines, round shading by crowded lines.
 *  All in a box 96 wide; the rail is at y = 44 and nothing stands higher than y = -6. */
import { box, disc, poly, type Wagon } from "./wagons.ts";

/** One picture: `fill` takes the wagon's colour, `line` is drawn thick, `fine` thin, `ink` is filled with ink. */
export interface Engraving {
  fill: string;
  line: string;
  fine: string;
  ink: string;
}

const RAIL = 44;
const n = (value: number): number => Math.round(value * 100) / 100;

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step + 1e-6) + 1 }, (_, i) => n(from + i * step));
}

const level = (x0: number, x1: number, ys: number[]): string => ys.map((y) => `M${x0} ${y}H${x1}`).join("");
const upright = (y0: number, y1: number, xs: number[]): string => xs.map((x) => `M${x} ${y0}V${y1}`).join("");

/** Lines crowded towards both edges: a cylinder lit from the middle. */
function round(x0: number, x1: number, y0: number, y1: number, count = 11): string {
  const ys = Array.from({ length: count }, (_, i) =>
    n((y0 + y1) / 2 - (Math.cos((Math.PI * (i + 0.5)) / count) * (y1 - y0)) / 2),
  );
  return level(
    x0,
    x1,
    ys.filter((y) => y > y0 + (y1 - y0) * 0.42 || y < y0 + (y1 - y0) * 0.12),
  );
}

/** Slanting shade in a box. */
function slant(x: number, y: number, w: number, h: number, step = 1.5): string {
  return steps(step, w + h - 0.1, step)
    .map(
      (k) =>
        `M${n(x + Math.max(0, k - h))} ${n(y + Math.min(h, k))}L${n(x + Math.min(w, k))} ${n(y + Math.max(0, k - w))}`,
    )
    .join("");
}

/** A wheel on the rail with spokes: its rim, its fine inner lines, its hub. */
function wheel(cx: number, r: number, spokes = 8): Engraving {
  const cy = RAIL - r;
  const rays = Array.from({ length: spokes }, (_, i) => {
    const a = (2 * Math.PI * i) / spokes + 0.2;
    return `M${n(cx + Math.cos(a) * r * 0.2)} ${n(cy + Math.sin(a) * r * 0.2)}L${n(cx + Math.cos(a) * r * 0.74)} ${n(cy + Math.sin(a) * r * 0.74)}`;
  });
  return {
    fill: disc(cx, cy, r),
    line: disc(cx, cy, n(r - 0.3)),
    fine: disc(cx, cy, n(r * 0.74)) + rays.join(""),
    ink: disc(cx, cy, n(r * 0.24)),
  };
}

function join(...parts: Partial<Engraving>[]): Engraving {
  const all = (key: keyof Engraving): string => parts.map((part) => part[key] ?? "").join("");
  return { fill: all("fill"), line: all("line"), fine: all("fine"), ink: all("ink") };
}

/** The frame with its buffers, and a bogie: two wheels under an arched side frame. */
const frame: Partial<Engraving> = {
  ink:
    box(4, 33.4, 88, 2.4) +
    box(0.5, 34, 3.5, 1.2) +
    box(92, 34, 3.5, 1.2) +
    box(0, 32.6, 1.2, 4) +
    box(94.8, 32.6, 1.2, 4),
};
const bogie = (x: number): Engraving =>
  join(wheel(x - 6.4, 4.6), wheel(x + 6.4, 4.6), {
    ink: poly(x - 9, 37.4, x - 3, 35.6, x + 3, 35.6, x + 9, 37.4, x + 9, 39, x + 3, 38.2, x - 3, 38.2, x - 9, 39),
  });
const onBogies = join(bogie(19), bogie(77), frame, { line: "M30 36.5 40 40.5H56L66 36.5" });
const onAxles = join(wheel(21, 6.2), wheel(75, 6.2), frame, {
  ink: box(18.6, 35.6, 4.8, 3) + box(72.6, 35.6, 4.8, 3),
  line: "M13 36.5q8 2.5 16 0M67 36.5q8 2.5 16 0",
});

const smoke = (x: number, y: number): string =>
  `M${x} ${y}c-2-4-7-4-8-1-4-2-9 0-8 3M${x - 9} ${y - 3}c-2-4-9-4-10 0-5-2-9 1-8 4M${x - 22} ${y - 3}c-3-3-8-2-9 1-4-1-7 1-7 3`;

export const ENGRAVING: Record<Wagon, Engraving> = {
  box: join(onBogies, {
    fill: "M5 12Q48 4.5 91 12v2.5H88V33.5H8V14.5H5z",
    line:
      "M5 12Q48 4.5 91 12v2.5H5zM8 14.5V33.5H88V14.5" +
      box(36, 15.5, 24, 18) +
      "M36 15.5 60 33.5M60 15.5 36 33.5" +
      "M33 15.5h30",
    fine:
      upright(14.5, 33.5, [...steps(10.6, 34, 2.6), ...steps(62.6, 86, 2.6)]) +
      level(8, 88, [15.3, 16.1, 17.1]) +
      slant(74, 18, 14, 15.5, 1.6) +
      "M14 9.3Q48 3 82 9.3",
    ink: box(37.5, 23.5, 3, 1.5) + box(84, 16, 0.9, 17) + box(11, 16, 0.9, 17),
  }),
  coach: join(onBogies, {
    fill: "M2 14.5q3-4.5 9-5V8.5q0-2 4-2.5h66q4 .5 4 2.5v1q6 .5 9 5zM4 14.5H92V33.5H4z",
    line: "M2 14.5q3-4.5 9-5V8.5q0-2 4-2.5h66q4 .5 4 2.5v1q6 .5 9 5zM4 14.5V33.5H92V14.5M11 9.5H85M4 26.5H92M13 14.5v19M83 14.5v19",
    fine:
      steps(16.6, 76, 8.18)
        .map((x) => `M${x} 24.5v-6q0-2 2.6-2t2.6 2v6zM${n(x + 2.6)} 17v7.5`)
        .join("") +
      upright(6.6, 9.2, steps(16, 80, 4)) +
      level(4, 92, [15.3, 25.5, 28, 29.6, 31, 32.2]) +
      "M6 32V18.5q0-1.5 2.5-1.5t2.5 1.5V32M85 32V18.5q0-1.5 2.5-1.5t2.5 1.5V32",
    ink:
      steps(17.3, 76, 8.18)
        .map((x) => box(x, 18.2, 1.5, 5.6))
        .join("") +
      box(2, 35.8, 6, 1) +
      box(88, 35.8, 6, 1),
  }),
  flat: join(onAxles, {
    fill:
      box(4, 29.5, 88, 4) +
      "M8 23h78a3.2 3.2 0 0 1 0 6.5H8zM14 16.5h64a3.2 3.2 0 0 1 0 6.5H14zM22 10h46a3.2 3.2 0 0 1 0 6.5H22z",
    line:
      box(4, 29.5, 88, 4) +
      "M8 23h78M8 23a3.2 3.2 0 0 0 0 6.5h78M14 16.5h64M14 16.5a3.2 3.2 0 0 0 0 6.5M22 10h46M22 10a3.2 3.2 0 0 0 0 6.5" +
      [
        [86, 26.25],
        [78, 19.75],
        [68, 13.25],
      ]
        .map(([x, y]) => `M${x! - 2.4} ${y}a2.4 3.2 0 1 0 4.8 0a2.4 3.2 0 1 0-4.8 0z`)
        .join("") +
      "M30 33.5V8.5M60 33.5V8.5M30 9Q45 7 60 9",
    fine:
      [
        [86, 26.25],
        [78, 19.75],
        [68, 13.25],
      ]
        .map(([x, y]) => `M${x! - 1.2} ${y}a1.2 1.7 0 1 0 2.4 0a1.2 1.7 0 1 0-2.4 0z`)
        .join("") +
      "M24 12h14m3 0h20M26 13.5h30M21 15.2h42M22 14.3h12M16 18.5h22m4 0h30M15 20h18m6 0h30M14 21.7h58M20 20.9h30M10 25h30m6 0h32M9 26.5h22m8 0h38M9 28.2h70M14 27.4h36" +
      level(4, 92, [31]) +
      upright(31, 33.5, steps(8, 90, 4)),
    ink: box(11, 15, 1.6, 18.5) + box(82.5, 15, 1.6, 18.5) + box(10.4, 33, 2.8, 2) + box(81.9, 33, 2.8, 2),
  }),
  reefer: join(onBogies, {
    fill:
      poly(5, 14, 48, 8, 91, 14, 91, 15.5, 88, 15.5, 88, 33.5, 8, 33.5, 8, 15.5, 5, 15.5) +
      poly(14, 7.5, 24, 6.2, 24, 11.2, 14, 12.6) +
      poly(72, 6.2, 82, 7.5, 82, 12.6, 72, 11.2),
    line:
      poly(5, 14, 48, 8, 91, 14, 91, 15.5, 5, 15.5) +
      "M8 15.5V33.5H88V15.5" +
      poly(14, 7.5, 24, 6.2, 24, 11.2, 14, 12.6) +
      poly(72, 6.2, 82, 7.5, 82, 12.6, 72, 11.2) +
      box(37, 16.5, 22, 17) +
      "M48 16.5v17" +
      "M13 5.9 25 4.3M71 4.3 83 5.9",
    fine:
      level(8, 37, steps(17.6, 33, 2.1)) +
      level(59, 88, steps(17.6, 33, 2.1)) +
      upright(17.2, 33, steps(39.2, 47, 2.2)) +
      upright(17.2, 33, steps(50.2, 58, 2.2)) +
      slant(78, 16, 10, 17.5, 1.6) +
      poly(15, 15, 48, 10.4, 81, 15),
    ink:
      [20.5, 29.5].map((y) => box(36, y, 7, 1) + box(53, y, 7, 1)).join("") +
      box(46.8, 23.5, 2.4, 3.4) +
      box(16, 8.6, 6, 0.8) +
      box(74, 8.6, 6, 0.8),
  }),
  caboose: join(onAxles, {
    fill: "M10 17.5Q48 11.5 86 17.5v2H81V33.5H15V19.5H10zM36 6.5Q48 3.5 60 6.5v1.2H58V14.5H38V7.7H36z",
    line:
      "M10 17.5Q48 11.5 86 17.5v2H10zM15 19.5V33.5H81V19.5M36 6.5Q48 3.5 60 6.5v1.2H36zM38 7.7V14.6M58 7.7V14.6" +
      [20, 43.5, 67].map((x) => box(x, 22, 9, 7)).join("") +
      "M6 33.5V22.5H15M81 22.5H90V33.5M6 26.5H15M81 26.5H90" +
      box(40.5, 8.7, 6.5, 4) +
      box(49, 8.7, 6.5, 4),
    fine:
      upright(19.5, 33.5, [
        ...steps(17, 19.2, 2.2),
        ...steps(31, 42.6, 2.3),
        ...steps(54.5, 66, 2.3),
        ...steps(78, 80.5, 2),
      ]) +
      level(15, 81, [20.3, 21.1]) +
      [24.5, 48, 71.5].map((x) => `M${x} 22v7`).join("") +
      upright(29.8, 33.5, steps(20, 29, 2.3)) +
      upright(29.8, 33.5, steps(43.5, 53, 2.3)) +
      upright(29.8, 33.5, steps(67, 76, 2.3)) +
      "M9 22.5v11M12 22.5v11M84 22.5v11M87 22.5v11M73 5c-3-2 1-4-2-6s0-4-2-5",
    ink:
      box(71, 6.5, 3.6, 8.2) +
      box(70, 5.6, 5.6, 1.4) +
      [21, 44.5, 68].map((x) => box(x, 23, 3, 5)).join("") +
      box(4, 33.4, 12, 1.6) +
      box(80, 33.4, 12, 1.6) +
      box(6, 37.5, 7, 1) +
      box(83, 37.5, 7, 1),
  }),
  hopper: join(onBogies, {
    fill: poly(
      5,
      10.5,
      91,
      10.5,
      91,
      13.5,
      88,
      13.5,
      88,
      22,
      73,
      35,
      59,
      35,
      48,
      25,
      37,
      35,
      23,
      35,
      8,
      22,
      8,
      13.5,
      5,
      13.5,
    ),
    line:
      poly(5, 10.5, 91, 10.5, 91, 13.5, 5, 13.5) +
      poly(8, 13.5, 88, 13.5, 88, 22, 73, 35, 59, 35, 48, 25, 37, 35, 23, 35, 8, 22) +
      "M8 22H88M23 35 26 22M37 35 34 22M59 35 62 22M73 35 70 22",
    fine:
      level(8, 88, [14.4, 15.2]) +
      [19.5, 30.8, 42.2, 53.8, 65.2, 76.5].map((x) => `M${x - 0.6} 13.5V22M${x + 0.6} 13.5V22`).join("") +
      steps(11, 86, 3)
        .map((x) => `M${x} 18v.01`)
        .join("") +
      slant(78, 14, 10, 8) +
      level(27, 33, steps(24, 34, 1.3)) +
      level(63, 69, steps(24, 34, 1.3)) +
      "M12 24l8 7M14 23l7 6.5M84 24l-8 7M82 23l-7 6.5M44 25l-6 6M46 24l-7 7M52 25l6 6M50 24l7 7",
    ink: box(24, 34.5, 12, 2) + box(60, 34.5, 12, 2) + box(8, 13.5, 1.2, 9) + box(86.8, 13.5, 1.2, 9),
  }),
  coal: join(onAxles, {
    fill:
      poly(4, 19, 92, 19, 92, 21.5, 90, 21.5, 84, 34, 12, 34, 6, 21.5, 4, 21.5) +
      poly(
        10,
        19,
        16,
        13,
        21,
        14.5,
        27,
        8,
        34,
        9.5,
        39,
        5.5,
        47,
        8,
        53,
        4.5,
        60,
        8.5,
        66,
        7.5,
        72,
        12.5,
        78,
        12,
        86,
        19,
      ),
    line:
      poly(4, 19, 92, 19, 92, 21.5, 4, 21.5) +
      "M6 21.5 12 34H84L90 21.5" +
      "M26 21.5 28 34M48 21.5V34M70 21.5 68 34" +
      poly(
        10,
        19,
        16,
        13,
        21,
        14.5,
        27,
        8,
        34,
        9.5,
        39,
        5.5,
        47,
        8,
        53,
        4.5,
        60,
        8.5,
        66,
        7.5,
        72,
        12.5,
        78,
        12,
        86,
        19,
      ),
    fine:
      level(8, 88, [23, 24]) +
      "M7.5 25.5H88M8.9 29.5H86.8" +
      slant(72, 24, 12, 9.5) +
      "M21 14.5 24 19M27 8l3 6-6 5M34 9.5 30 14l7 5M39 5.5 42 12l-5 7M47 8l-5 4 8 7M53 4.5l-3 8 0 6.5M60 8.5 50 12.5M60 8.5l-2 6 4 4.5M66 7.5l1 6-9 1M72 12.5l-5 1 4 5.5M78 12l-7 7",
    ink:
      poly(27, 8, 34, 9.5, 30, 14) +
      poly(42, 12, 47, 8, 53, 4.5, 50, 12.5, 46, 15.5) +
      poly(58, 14.5, 60, 8.5, 66, 7.5, 67, 13.5) +
      poly(24, 19, 30, 14, 37, 19) +
      poly(62, 19, 67, 13.5, 71, 19) +
      poly(10, 19, 16, 13, 18, 19) +
      poly(78, 12, 86, 19, 76, 19),
  }),
  tank: join(onBogies, {
    fill: "M13 13.5H83q6 0 6 9t-6 9H13q-6 0-6-9t6-9zM41 13.5V7.5q0-2 7-2t7 2v6z",
    line: "M13 13.5H83q6 0 6 9t-6 9H13q-6 0-6-9t6-9zM41 13.5V7.5q0-2 7-2t7 2v6M39.5 7.5h17M22 13.5v18M24 13.5v18M72 13.5v18M74 13.5v18",
    fine:
      round(9, 87, 13.5, 31.5, 15) +
      round(41.5, 54.5, 4, 14, 9) +
      "M13 13.5q-4 9 0 18M83 13.5q4 9 0 18M46 13.5v18M50 13.5v18" +
      level(46, 50, steps(15, 31, 2)),
    ink:
      poly(9, 33.4, 11, 29.5, 17, 31.5, 19, 33.4) +
      poly(87, 33.4, 85, 29.5, 79, 31.5, 77, 33.4) +
      box(45.5, 3.5, 5, 2) +
      box(14, 20.8, 26, 0.7) +
      box(56, 20.8, 26, 0.7),
  }),
  engine: join(wheel(64, 4.4), wheel(76, 4.4), wheel(20, 8.4, 12), wheel(41, 8.4, 12), {
    fill:
      box(7, 13, 21, 19) +
      box(28, 16.5, 46, 14.5) +
      poly(67, 16.5, 68.5, 10, 64.5, 4.5, 66, 2, 76, 2, 77.5, 4.5, 73.5, 10, 75, 16.5) +
      "M52 16.5v-3q0-3 4-3t4 3v3zM35 16.5v-4.5q0-3.5 4.5-3.5t4.5 3.5v4.5z" +
      box(77, 9.5, 6, 6) +
      poly(81, 33, 95, 43.6, 79, 43.6) +
      box(68, 31, 13, 6.5),
    line:
      "M3.5 11Q17 6.5 31 11v2H3.5zM7 13V33H28V13M28 16.5H76.5V31H28M66 16.5V31" +
      poly(67, 16.5, 68.5, 10, 64.5, 4.5, 66, 2, 76, 2, 77.5, 4.5, 73.5, 10, 75, 16.5) +
      "M52 16.5v-3q0-3 4-3t4 3v3M35 16.5v-4.5q0-3.5 4.5-3.5t4.5 3.5v4.5M28 31.5H82" +
      box(77, 9.5, 6, 6) +
      poly(81, 33, 95, 43.6, 79, 43.6) +
      box(68, 31, 13, 6.5) +
      "M10.5 23.5v-5.5q0-1.5 3-1.5t3 1.5v5.5zM19 23.5v-5.5q0-1.5 3-1.5t3 1.5v5.5z",
    fine:
      round(28, 66, 16.5, 31, 13) +
      round(68, 80.5, 31, 37.5, 8) +
      "M64.5 4.5h13M68.5 10h5M34.5 15h10M51.5 15h9M46.5 16.5v-3.5h3v3.5M46.5 13q1.5-2 3 0M84 10.5l5-2M84 12.5h6M84 14.5l5 2" +
      upright(17, 31, [33, 33.8, 50, 50.8]) +
      upright(25, 32.5, steps(9, 27, 2)) +
      "M83 43l.5-8M86.5 43l-1-6.4M90 43l-2-4.6" +
      smoke(66, 0),
    ink:
      box(66, 16.5, 10.5, 14.5) +
      box(3, 32, 26, 2.4) +
      box(79, 31.4, 5, 2.2) +
      "M20 36.6 41 36.6 74 33.4V35L41 38.4H20z" +
      box(11.5, 18, 1.6, 5) +
      box(20, 18, 1.6, 5) +
      box(0, 34, 4, 1.2) +
      disc(80, 12.5, 1.4),
  }),
};
