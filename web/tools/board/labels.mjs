// Finds a spot for every label where it touches no slot, no dot, no ornament and no other label.
import { boxGap, discGap, uprightGap } from "./shapes.mjs";
import { textWidth } from "./metrics.mjs";

const TURNS = 24;
const PAD = 1.5;

/** A name on one line, and on two where it has a space or a hyphen to break at. */
function layouts(name) {
  const parts = name.split(/(?<=[ -])/);
  const split =
    parts.length === 2
      ? [parts.map((part) => part.trim())]
      : parts.length === 3
        ? [
            [parts[0].trim(), (parts[1] + parts[2]).trim()],
            [(parts[0] + parts[1]).trim(), parts[2].trim()],
          ]
        : [];
  return [[name], ...split];
}

/** All spots about a dot, the best first: near, to the right or left before above and below, on one line before two. */
export function candidates(place, size) {
  const found = [];
  layouts(place.name).forEach((lines, style) => {
    const w = Math.max(...lines.map(textWidth)) * size.font + 2;
    const h = lines.length * size.font * 1.02 + 1;
    for (let k = 0; k < TURNS; k++) {
      const turn = (k / TURNS) * 2 * Math.PI;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      for (const far of [2, 5, 9, 14, 20]) {
        const reach = size.dot + far;
        const x = place.x + c * reach + Math.max(-1, Math.min(1, c * 2.2)) * (w / 2);
        const y = place.y + s * reach + Math.max(-1, Math.min(1, s * 1.4)) * (h / 2);
        const askew = Math.abs(s) * 3 + (Math.abs(c) > 0.3 && Math.abs(s) > 0.3 ? 1.5 : 0);
        found.push({ x, y, w, h, angle: 0, lines, turn, cost: far + askew + (style ? 6 : 0) });
      }
    }
  });
  return found.sort((p, q) => p.cost - q.cost);
}

/** How badly a spot collides with what cannot move; 0 when it is free. */
function clash(spot, place, scene) {
  let bad = 0;
  const { width, height, edge } = scene;
  const out = Math.max(
    edge - (spot.x - spot.w / 2),
    spot.x + spot.w / 2 - (width - edge),
    edge - (spot.y - spot.h / 2),
    spot.y + spot.h / 2 - (height - edge),
  );
  bad += Math.max(0, out) * 4;
  for (const slot of scene.slots) {
    const reach = (slot.w + slot.h) / 2 + PAD;
    if (Math.abs(slot.x - spot.x) > spot.w / 2 + reach || Math.abs(slot.y - spot.y) > spot.h / 2 + reach) continue;
    bad += Math.max(0, PAD - boxGap(spot, slot));
  }
  for (const other of scene.places) {
    if (Math.abs(other.x - spot.x) > spot.w / 2 + 20 || Math.abs(other.y - spot.y) > spot.h / 2 + 20) continue;
    const clear = other === place ? 1 : PAD + 1;
    bad += Math.max(0, clear - discGap(spot, other.x, other.y, scene.size.dot)) * 2;
  }
  for (const box of scene.boxes) bad += Math.max(0, PAD - uprightGap(spot, box));
  return bad;
}

/** Chooses a spot for each place; `clashes` names those that found none. */
export function placeLabels(scene) {
  const named = scene.places.filter((place) => place.kind !== "way_station");
  const options = new Map(
    named.map((place) => {
      const all = candidates(place, scene.size).map((spot) => ({ ...spot, bad: clash(spot, place, scene) }));
      const free = all.filter((spot) => spot.bad === 0);
      return [
        place,
        free.length
          ? free
          : [all.reduce((best, spot) => (spot.bad * 5 + spot.cost < best.bad * 5 + best.cost ? spot : best))],
      ];
    }),
  );
  const chosen = new Map(named.map((place) => [place, options.get(place)[0]]));
  const quarrel = (place, spot) =>
    named.reduce(
      (sum, other) => (other === place ? sum : sum + (uprightGap(spot, chosen.get(other)) < PAD ? 40 : 0)),
      0,
    );
  for (let round = 0; round < 60; round++) {
    let moved = false;
    for (const place of named) {
      const cost = (spot) => spot.cost + quarrel(place, spot) * (1 + round / 5);
      const best = options.get(place).reduce((p, q) => (cost(q) < cost(p) ? q : p));
      if (best !== chosen.get(place) && cost(best) < cost(chosen.get(place))) {
        chosen.set(place, best);
        moved = true;
      }
    }
    if (!moved) break;
  }
  const clashes = named.filter((place) => chosen.get(place).bad > 0 || quarrel(place, chosen.get(place)) > 0);
  return { chosen, clashes };
}
