/** The faces of the five levels: busts on a medallion, told apart by their outlines alone. A box of 64 by 64.
 *  `coat` is filled with ink, `skin` with paper, `lit` is paper on ink, `line` is ink on paper, `fine` the engraver's shading. */
export interface Portrait {
  coat: string;
  skin: string; // over the neck, which all have alike
  hat: string;
  lit: string;
  line: string;
  fine: string;
}

const n = (value: number): number => Math.round(value * 100) / 100;
const dot = (x: number, y: number, r: number): string =>
  `M${n(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const box = (x: number, y: number, w: number, h: number): string => `M${x} ${y}h${w}v${h}h${-w}z`;
const eyes = (y: number): string => dot(28.6, y, 1.05) + dot(35.4, y, 1.05);

const HEAD = "M23.6 27.5c0 11 3.6 16.6 8.4 16.6s8.4-5.6 8.4-16.6c0-6.5-3.4-9.5-8.4-9.5s-8.4 3-8.4 9.5z";
export const NECK = "M28.4 41h7.2v8l-3.6 3.4-3.6-3.4z";
const SHOULDERS = "M10.5 66c.6-11.6 5-16.4 17.2-19.2l4.3 5.6 4.3-5.6C48.5 49.6 52.9 54.4 53.5 66z";

/** Level lines behind the head, parted where it stands. */
export const SKY = Array.from({ length: 17 }, (_, i) => `M0 ${n(5 + 2.6 * i)}H64`).join("");

export const FACES: Record<string, Portrait> = {
  // A straw hat, a wide-eyed smile, a ticket in the band.
  passenger: {
    coat: SHOULDERS,
    skin: `${HEAD}M22.5 10.4h19v8.8h-19z`,
    hat: "M14.5 19.2c5.8-1.8 29.2-1.8 35 0 1.6.6 1.6 2.2 0 2.8-5.8 1.8-29.2 1.8-35 0-1.6-.6-1.6-2.2 0-2.8z",
    lit: "M26 52.5l6 4.2 6-4.2 1.5 4.5-7.5 4-7.5-4z",
    line: eyes(29.8) + box(22.5, 15, 19, 3.4) + box(37.2, 7.6, 4.6, 6),
    fine: "M28.2 36.2c1.8 2.8 5.8 2.8 7.6 0M31.6 31v2.6h1.2M26.2 26.8q2.2-1.4 4 0M33.8 26.8q2-1.4 4 0M24.5 11.8v2.2M27.5 11.5v2.5M30.5 11.4v2.6M33.5 11.4v2.6",
  },
  // A pillbox cap with its strap, two rows of buttons, a trunk on the shoulder.
  porter: {
    coat: SHOULDERS,
    skin: `${HEAD}M41.5 34.5 59.5 30.5 62.5 47 44.5 51z`,
    hat: "M23.4 12.6c5-1.8 12.2-1.8 17.2 0v7.6c-5-1.6-12.2-1.6-17.2 0z",
    lit:
      dot(27.4, 57, 1.1) +
      dot(36.6, 57, 1.1) +
      dot(27.8, 62, 1.1) +
      dot(36.2, 62, 1.1) +
      "M24.5 16.6c4.6-1.4 10.4-1.4 15 0v1.4c-4.6-1.4-10.4-1.4-15 0z",
    line: eyes(29) + "M48 33.1l2.2-.5 2.6 16.6-2.2.5zM43 42.5l17-3.7.3 1.6-17 3.8z",
    fine: "M24 20.5c.6 12 3 20.6 8 22.6 5-2 7.4-10.6 8-22.6M29.5 36.4h5M31.6 30.5v2.8h1.2M26.4 26.4h4M33.6 26.4h4M41.5 34.5 59.5 30.5 62.5 47 44.5 51z",
  },
  // A peaked cap with a badge, a fine moustache.
  conductor: {
    coat: SHOULDERS,
    skin: HEAD,
    hat: "M17.8 13.5c3.6-7.4 24.8-7.4 28.4 0 .6 2.4-2.6 4.3-4.6 5.5v3.2c3 .8 4 2.4 3.6 3.8-6.8-3-19.6-3-26.4 0-.4-1.4.6-3 3.6-3.8V19c-2-1.2-5.2-3.1-4.6-5.5z",
    lit: `${dot(32, 13.2, 2.6)}M22.6 19.4c5.6-1.4 13.2-1.4 18.8 0v1.2c-5.6-1.4-13.2-1.4-18.8 0zM30.9 55h2.2v2.2h-2.2zM30.9 60h2.2v2.2h-2.2zM20 50.5l4.5 6-1.3 1L18.8 51zM44 50.5l-4.5 6 1.3 1 4.4-6.5z`,
    line: `${eyes(29.6)}M32 35.2c-1.8-2-4.4-1.8-5.8.2-1 1.3-2.7 1.5-4 .6 1 3.5 7.6 4.3 9.8 1.2 2.2 3.1 8.8 2.3 9.8-1.2-1.3.9-3 .7-4-.6-1.4-2-4-2.2-5.8-.2z`,
    fine: "M31.6 30.5v2.8h1.2M30.2 40.8h3.6M26.4 27.4q2-1.2 4 0M33.6 27.4q2-1.2 4 0",
  },
  // A soft cap, goggles on it, a knotted neckerchief, a jaw that has not seen a razor.
  driver: {
    coat: SHOULDERS,
    skin: "M23.6 27.5c0 9.5 1.2 13 4.6 16.6h7.6c3.4-3.6 4.6-7.1 4.6-16.6 0-6.5-3.4-9.5-8.4-9.5s-8.4 3-8.4 9.5z",
    hat: "M19.5 20.5c-4.5-3.5-3.5-11 3-11.5 3-5 11.5-6 15.5-2.5 6.5-1.5 11 3.5 8.5 9-.5 2-1.5 3.5-3 5 1.5.8 4.5 2 6 4.2-8-1.8-24-2.6-30-4.2z",
    lit: `${dot(27.6, 16.2, 3.7)}${dot(36.4, 16.2, 3.7)}M18.2 15.2h6v2h-5.2zM39.8 15.2h6.4l-.5 2h-5.9zM31 15.4h2v1.6h-2zM24 50.5l8 3.5 8-3.5 1.5 4.5-6 1.5 2.5 7-6-4-6 4 2.5-7-6-1.5z`,
    line: eyes(30) + dot(27.6, 16.2, 2.5) + dot(36.4, 16.2, 2.5),
    fine: "M31.6 31v2.8h1.2M28.8 37.8q3.2 1.2 6.4 0M26.2 27.2l4-.6M37.8 27.2l-4-.6M25.8 36.5l.8.8M26.8 39l.8.8M38.2 36.5l-.8.8M37.2 39l-.8.8M28.8 41.5l.6.8M31.6 42.4l.6.6M35.2 41.5l-.6.8M28 54l-2 .8M36 54l2 .8",
  },
  // A tall hat, a full beard, an eyeglass on its cord, a chain across the waistcoat.
  stationmaster: {
    coat: SHOULDERS,
    skin: `${HEAD}M23.6 28c-1.6 14 .4 24.5 8.4 27.5 8-3 10-13.5 8.4-27.5-1.6 4.5-3.4 6.5-8.4 6.5s-6.8-2-8.4-6.5z`,
    hat: "M22.5 3.5c5.5 1 13.5 1 19 0-.8 5-.8 9.5 0 14.3 3.6.2 6 .8 7.5 1.7-5 3.6-29 3.6-34 0 1.5-.9 3.9-1.5 7.5-1.7.8-4.8.8-9.3 0-14.3z",
    lit: "M22.2 13.2c5.5 1 14 1 19.6 0v2.6c-5.5 1-14 1-19.6 0zM21 57.5q11 7 22 0v1.6q-11 7-22 0zM14 53.5l5-3.5.9 1.3-5 3.5zM50 53.5l-5-3.5-.9 1.3 5 3.5z",
    line: `${eyes(28.6)}M29.5 38.6q2.5 1.6 5 0l-.5 1.5q-2 1-4 0z`,
    fine: "M35.4 25.3a3.3 3.3 0 1 1-.1 0M38.6 29.8c1.5 4 2.5 9 1.5 14M31.6 30v2.8h1.2M26.4 26h4M26 38c.5 5 1.5 9 3.5 12M29 43c.5 4 1 7 2.4 10M32 44v9.5M35 43c-.5 4-1 7-2.4 10M38 38c-.5 5-1.5 9-3.5 12M28.5 35.6q3.5-2.2 7 0",
  },
};
