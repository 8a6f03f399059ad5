/** The colours hold for every kind of sight: simulated here, by our own arithmetic, from the values of tokens.css. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { difference, type Rgb } from "../browser/sight.ts";
import { CARD_COLOUR, CARD_INK, HATCH, type CardColour } from "../src/art/palette.ts";
import { LOOKS, PATTERNS } from "../src/art/pieces.ts";

type Triple = [number, number, number];
const css = readFileSync("src/style/tokens.css", "utf8");
const names = Object.keys(CARD_COLOUR) as CardColour[];

/** The value of a custom property by day (0) or by night (1). */
function token(name: string, night: 0 | 1): string {
  const value = new RegExp(`--${name}: ([^;]+);`).exec(css)?.[1];
  if (!value) throw new Error(`tokens.css has no --${name}`);
  const pair = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
  return pair ? pair[1 + night]! : value;
}

function linear(hex: string): Triple {
  return [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

/** CIEDE2000 of two colours written in hexadecimal. */
const apart = (a: string, b: string) => difference(linear(a) as Rgb, linear(b) as Rgb);

const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function times(m: number[], [r, g, b]: Triple): Triple {
  const row = (i: number) => Math.min(1, Math.max(0, m[i]! * r + m[i + 1]! * g + m[i + 2]! * b));
  return [row(0), row(3), row(6)];
}

/** Machado, Oliveira and Fernandes (2009), full severity, on linear light; grey vision keeps the luminance alone. */
const SIGHT: Record<string, (c: Triple) => Triple> = {
  common: (c) => c,
  protan: (c) =>
    times([0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998], c),
  deutan: (c) => times([0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881], c),
  tritan: (c) => times([1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039], c),
  grey: (c) => [luminance(c), luminance(c), luminance(c)],
};

function oklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function distance(a: string, b: string, sight: (c: Triple) => Triple): number {
  const [p, q] = [oklab(sight(linear(a))), oklab(sight(linear(b)))];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** The least distance (OKLab) two colours of one set may have, and the closest two that are. */
function closest(colours: readonly string[], sight: (c: Triple) => Triple): number {
  return Math.min(...colours.flatMap((a, i) => colours.slice(i + 1).map((b) => distance(a, b, sight))));
}

const papers = ["paper", "paper-2", "paper-3", "land"];
const nights = [0, 1] as const;
const SEATS = [0, 1, 2, 3, 4];
const SIGNS = [0, 1, 2, 3, 4, 5];
const [APART, NEARLY] = [15, 10]; // CIEDE2000

describe("tokens.css and palette.ts say the same", () => {
  test.each(names)("%s", (name) => {
    expect(token(`card-${name}`, 0)).toBe(CARD_COLOUR[name]);
    expect(token(`card-${name}-ink`, 0)).toBe(CARD_INK[name]);
  });
});

describe("colours stay apart", () => {
  const cards = Object.values(CARD_COLOUR);
  const LEAST: Record<string, number> = { common: 0.14, protan: 0.09, deutan: 0.09, tritan: 0.1, grey: 0.06 };
  test.each(Object.keys(SIGHT))("cards, %s sight", (kind) => {
    expect(closest(cards, SIGHT[kind]!)).toBeGreaterThanOrEqual(LEAST[kind]!);
  });
  // Pieces must be far from the free spaces in light, by day and by night, so they are near each other in it:
  // who sees few colours tells them by outline and pattern. browser/pieces.spec.ts measures both in the drawing.
  test.each(nights)("seats, common sight (%i)", (night) => {
    expect(
      closest(
        SEATS.map((seat) => token(`seat-${seat}`, night)),
        SIGHT.common!,
      ),
    ).toBeGreaterThanOrEqual(0.13);
  });
  test("no two card colours share a hatch", () => {
    expect(new Set(Object.values(HATCH)).size).toBe(names.length);
  });
  // Red is told apart by its figure too: as far from the red card as the others it would be nearly black.
  test.each(nights)("no seat has the colour of a card (%i)", (night) => {
    const near = SEATS.flatMap((seat) =>
      names.map((card) => ({ seat, card, apart: apart(token(`seat-${seat}`, night), token(`card-${card}`, night)) })),
    );
    expect(near.filter((pair) => pair.apart < NEARLY)).toEqual([]);
    expect(near.filter((pair) => pair.apart < APART).map(({ seat, card }) => `${seat} ${card}`)).toEqual(
      night ? [] : ["1 red"],
    );
  });
  test("no seat has the pattern of a card, nor that of another seat", () => {
    expect(new Set(PATTERNS).size).toBe(LOOKS.length);
    expect(PATTERNS.filter((pattern) => Object.values<string>(HATCH).includes(pattern))).toEqual([]);
  });
  test.each(nights)("the light is no path's colour, nor that of what was done last (%i)", (night) => {
    for (const other of [...SIGNS.map((sign) => `ticket-${sign}`), "way", "way-edge", "glow"])
      expect(apart(token("lit", night), token(other, night)), other).toBeGreaterThanOrEqual(APART);
  });
  test.each(nights)("no two tickets' paths have one colour (%i)", (night) => {
    for (const sign of SIGNS)
      for (const other of SIGNS.filter((one) => one > sign))
        expect(apart(token(`ticket-${sign}`, night), token(`ticket-${other}`, night))).toBeGreaterThanOrEqual(APART);
  });
});

describe("contrast", () => {
  test.each(names)("ink reads on %s", (name) => {
    expect(contrast(CARD_COLOUR[name], CARD_INK[name])).toBeGreaterThanOrEqual(4.5);
  });
  test.each(SEATS)("the pattern of seat %i can be seen, and its rim stands out of paper and sea", (seat) => {
    for (const night of nights) {
      expect(contrast(token(`seat-${seat}`, night), token(`seat-${seat}-ink`, night))).toBeGreaterThanOrEqual(4.5);
      for (const paper of [...papers, "sea"])
        expect(contrast(token(`seat-${seat}-rim`, night), token(paper, night))).toBeGreaterThanOrEqual(3);
    }
  });
  test.each(names)("the print of a free %s space reads on its face", (name) => {
    for (const night of nights)
      expect(contrast(token(`slot-${name}`, night), token(`slot-${name}-ink`, night))).toBeGreaterThanOrEqual(3);
  });
  test.each(["ink", "ink-2", "accent", "accent-2", "good", "bad", "warn", "focus"])(
    "%s reads as text on every paper",
    (name) => {
      for (const night of nights)
        for (const paper of papers)
          expect(
            contrast(token(name, night), token(paper, night)),
            `${name} on ${paper}, ${night}`,
          ).toBeGreaterThanOrEqual(4.5);
    },
  );
  test.each(["slot-edge", "piece-edge", "line", "brass"])("%s is a line that can be seen", (name) => {
    for (const night of nights)
      for (const paper of papers)
        expect(
          contrast(token(name, night), token(paper, night)),
          `${name} on ${paper}, ${night}`,
        ).toBeGreaterThanOrEqual(3);
  });
  test("outlines of slots and pieces can be seen on the sea, and text on the accent", () => {
    for (const night of nights) {
      expect(contrast(token("slot-edge", night), token("sea", night))).toBeGreaterThanOrEqual(3);
      expect(contrast(token("piece-edge", night), token("sea", night))).toBeGreaterThanOrEqual(3);
      expect(contrast(token("ink", night), token("sea", night))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token("accent-ink", night), token("accent", night))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token("accent-ink", night), token("accent-2", night))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token("enamel-ink", night), token("enamel", night))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token("focus-gap", night), token("focus", night))).toBeGreaterThanOrEqual(3);
    }
    expect(contrast(token("stock-ink-2", 0), token("stock", 0))).toBeGreaterThanOrEqual(4.5);
  });
});
