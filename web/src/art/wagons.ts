/** The nine train cards: which wagon belongs to which colour, and its outline as a small silhouette. */

export const COLOURS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"] as const;
export const CARDS = [...COLOURS, "loco"] as const;
export type Card = (typeof CARDS)[number];
export type Wagon = "box" | "coach" | "flat" | "reefer" | "caboose" | "hopper" | "coal" | "tank" | "engine";

/** The wagon on each card; its name in words is the text `art.wagon.<wagon>`. */
export const WAGON: Record<Card, Wagon> = {
  purple: "box",
  blue: "coach",
  orange: "flat",
  white: "reefer",
  green: "caboose",
  yellow: "hopper",
  black: "coal",
  red: "tank",
  loco: "engine",
};

export function isCard(id: string): id is Card {
  return id in WAGON;
}

/** A rectangle as path data. */
export function box(x: number, y: number, w: number, h: number): string {
  return `M${x} ${y}h${w}v${h}h${-w}z`;
}

/** A circle as path data. */
export function disc(cx: number, cy: number, r: number): string {
  return `M${cx - r} ${cy}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
}

/** A closed polygon as path data. */
export function poly(...points: number[]): string {
  const pairs = points.map((value, i) => (i % 2 ? `${value}` : `${i ? "L" : "M"}${value} `));
  return `${pairs.join("")}z`;
}

/** A star with `n` points, for the ice sign of the refrigerator car. */
export function star(cx: number, cy: number, outer: number, inner: number, n = 6): string {
  const points = Array.from({ length: 2 * n }, (_, i) => {
    const r = i % 2 ? inner : outer;
    const a = (Math.PI * i) / n;
    return [cx + r * Math.sin(a), cy - r * Math.cos(a)].map((value) => +value.toFixed(2));
  });
  return poly(...points.flat());
}

const frame = box(2, 16.4, 44, 1.7) + box(0, 16.7, 48, 1.1);
const twoAxles = frame + disc(11.5, 19.8, 3.7) + disc(36.5, 19.8, 3.7);
const bogies = frame + disc(8.5, 20.3, 3.2) + disc(15.5, 20.3, 3.2) + disc(32.5, 20.3, 3.2) + disc(39.5, 20.3, 3.2);

/** A silhouette in a 48 × 24 box: `body` is filled even-odd, so inner shapes are holes; `gear` is filled plain. */
export const SILHOUETTE: Record<Wagon, { body: string; gear: string }> = {
  box: {
    body:
      "M3.5 4.6Q24 .8 44.5 4.6V6H43v10H5V6H3.5z" + box(18, 7, 1.2, 9) + box(28.8, 7, 1.2, 9) + box(21, 10.6, 6, 1.2),
    gear: twoAxles,
  },
  coach: {
    body:
      "M2 6.3q2-3 6-3h3V1.6h26v1.7h3q4 0 6 3z" +
      box(2.6, 7, 42.8, 9.2) +
      [5.4, 11.8, 18.2, 26, 32.4, 38.8].map((x) => box(x, 8.6, 3.8, 3.9)).join(""),
    gear: bogies,
  },
  flat: {
    body: box(2.5, 13.4, 43, 2.8) + box(7, 9.8, 34, 3) + box(12, 6.2, 24, 3) + box(17.5, 2.6, 13, 3),
    gear: twoAxles + box(5, 5.6, 1.3, 9) + box(41.7, 5.6, 1.3, 9),
  },
  reefer: {
    body:
      poly(3.5, 6.8, 24, 3, 44.5, 6.8, 44.5, 7.8, 43, 7.8, 43, 16.2, 5, 16.2, 5, 7.8, 3.5, 7.8) +
      star(24, 10.8, 4.6, 1.9),
    gear: twoAxles + box(6.5, 2, 6.5, 3.6) + box(35, 2, 6.5, 3.6),
  },
  caboose: {
    body:
      "M5 8.6Q24 5.2 43 8.6v1H40v6.6H8V9.6H5z" +
      box(12, 10.8, 4.4, 3.4) +
      box(21.8, 10.8, 4.4, 3.4) +
      box(31.6, 10.8, 4.4, 3.4),
    gear:
      twoAxles +
      "M16 2.8Q24 .6 32 2.8v1h-1.2V7.5H17.2V3.8H16z" +
      box(3.2, 10.4, 1.2, 6) +
      box(43.6, 10.4, 1.2, 6) +
      box(3.2, 12.4, 5, 0.9) +
      box(40, 12.4, 4.8, 0.9) +
      box(36, 3, 1.8, 4),
  },
  hopper: {
    body:
      poly(
        3.5,
        3.6,
        44.5,
        3.6,
        44.5,
        5.6,
        43,
        5.6,
        43,
        9.6,
        36.5,
        16.2,
        29.5,
        16.2,
        24,
        11.6,
        18.5,
        16.2,
        11.5,
        16.2,
        5,
        9.6,
        5,
        5.6,
        3.5,
        5.6,
      ) +
      box(13.4, 6.6, 1.2, 4.6) +
      box(23.4, 6.6, 1.2, 3) +
      box(33.4, 6.6, 1.2, 4.6),
    gear: bogies,
  },
  coal: {
    body:
      poly(3, 8.8, 45, 8.8, 45, 10, 43.8, 10, 40.5, 16.2, 7.5, 16.2, 4.2, 10, 3, 10) +
      poly(6, 8, 9.5, 5, 13, 5.4, 17, 2.2, 22, 3.6, 26, 1.4, 31, 4, 35, 3.4, 42, 8) +
      box(15.4, 10.6, 1.2, 5.6) +
      box(31.4, 10.6, 1.2, 5.6),
    gear: twoAxles,
  },
  tank: {
    body: "M8.6 6h30.8a4.6 4.6 0 0 1 0 9.4H8.6a4.6 4.6 0 0 1 0-9.4z" + box(12.6, 6, 1.2, 9.4) + box(34.2, 6, 1.2, 9.4),
    gear: bogies + box(20, 2.6, 8, 3.4) + box(18.8, 1.6, 10.4, 1.3) + box(6, 15.2, 4, 2) + box(38, 15.2, 4, 2),
  },
  engine: {
    body:
      box(3, 4.2, 12.5, 12) + box(5.8, 6.6, 6.6, 4.4) + "M15.5 8h24.5q2.5 0 2.5 2.5v4.5H15.5z" + box(34.6, 8, 1.1, 7),
    gear:
      box(1.6, 2.2, 15.4, 2) +
      poly(36, 2.4, 42.4, 2.4, 40.8, 4.4, 40.8, 8.2, 37.6, 8.2, 37.6, 4.4) +
      "M22 8.2V6.5a2.8 2.8 0 0 1 5.6 0v1.7z" +
      box(1, 15.6, 43, 1.7) +
      poly(43, 15.6, 48, 22.6, 42.4, 22.6) +
      disc(9, 18.6, 4.6) +
      disc(20, 18.6, 4.6) +
      disc(31.4, 20, 3.2) +
      disc(39, 20, 3.2),
  },
};
