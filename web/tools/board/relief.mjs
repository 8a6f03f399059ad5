// Little engraved mountains along the great ranges, wherever the board has room for them.
import { discGap } from "./shapes.mjs";

const STEP = 15;
const CLEAR = 7.5;

/** A number from 0 to 1 that looks random and is the same every time. */
const wobble = (i) => {
  const v = Math.sin(i * 127.1 + 11.7) * 43758.5453;
  return v - Math.floor(v);
};

/** Points along a range, a step apart, scattered a little to both sides. */
function scatter(line, width, seed) {
  const found = [];
  for (let k = 1; k < line.length; k++) {
    const [[ax, ay], [bx, by]] = [line[k - 1], line[k]];
    const length = Math.hypot(bx - ax, by - ay);
    for (let far = 0; far < length; far += STEP / 2) {
      const i = seed * 1000 + k * 100 + far;
      const [off, t] = [(wobble(i) - 0.5) * width, far / length];
      found.push({
        x: ax + (bx - ax) * t - ((by - ay) / length) * off,
        y: ay + (by - ay) * t + ((bx - ax) / length) * off,
        size: 0.75 + 0.6 * wobble(i + 5),
      });
    }
  }
  return found;
}

/** One peak: its two flanks, and three strokes of shade on the right one. */
function peak({ x, y, size }) {
  const at = (u, v) => `${(x + u * size).toFixed(1)} ${(y + v * size).toFixed(1)}`;
  return `M${at(-6, 4)}L${at(-2.4, -2.2)}L${at(0, -5)}L${at(3, 0)}L${at(6.5, 4)}M${at(0, -5)}L${at(1, 0.6)}M${at(1.6, -2.6)}L${at(2.6, 2)}M${at(3, 0)}L${at(4.2, 3)}`;
}

/** The relief of a board as one path. */
export function relief(config, art, onBoard) {
  const boxes = [
    ...Object.values(art.tracks).flatMap((track) =>
      track.slots.map(([x, y, angle]) => ({ x, y, angle, w: track.w, h: art.slot })),
    ),
    ...Object.values(art.places).flatMap(({ label }) => (label ? [{ ...label, angle: 0 }] : [])),
    { ...art.cartouche, angle: 0 },
  ];
  const free = ({ x, y }) =>
    x > 24 &&
    y > 24 &&
    x < art.width - 24 &&
    y < art.height - 24 &&
    boxes.every((box) => discGap(box, x, y, CLEAR) > 0) &&
    Object.values(art.places).every((place) => Math.hypot(place.x - x, place.y - y) > art.dot + CLEAR + 2);
  const chosen = [];
  (config.ranges ?? []).forEach(({ width, line }, seed) => {
    for (const spot of scatter(line.map(onBoard), width, seed)) {
      if (free(spot) && chosen.every((other) => Math.abs(other.x - spot.x) > 13 || Math.abs(other.y - spot.y) > 9))
        chosen.push(spot);
    }
  });
  return chosen
    .sort((p, q) => p.y - q.y)
    .map(peak)
    .join("");
}
