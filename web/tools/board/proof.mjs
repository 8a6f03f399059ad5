// What must never happen on a board, each found as a sentence; an empty list is the proof.
import { boxGap, corners, discGap } from "./shapes.mjs";

const RIM = 14; // the neat line

const boxesOf = ({ tracks, slot }) =>
  Object.entries(tracks).flatMap(([id, track]) =>
    track.slots.map(([x, y, angle], i) => ({ id, i, x, y, angle, w: track.w, h: slot })),
  );

const labelsOf = ({ places }) =>
  Object.entries(places).flatMap(([id, { label }]) => (label ? [{ id, ...label, angle: 0 }] : []));

const near = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 + 20 && Math.abs(a.y - b.y) < (a.h + b.h + a.w + b.w) / 2;

/** Everything that overlaps and should not. */
export function clashesOf(art) {
  const [slots, labels, dots] = [boxesOf(art), labelsOf(art), Object.entries(art.places)];
  const found = [];
  slots.forEach((slot, i) => {
    for (const other of slots.slice(i + 1)) {
      if (near(slot, other) && boxGap(slot, other) < 0)
        found.push(`slots ${slot.id}/${slot.i} and ${other.id}/${other.i} overlap`);
    }
    for (const [id, place] of dots) {
      if (discGap(slot, place.x, place.y, art.dot) < 0) found.push(`slot ${slot.id}/${slot.i} covers the dot of ${id}`);
    }
    if (corners(slot).some(([x, y]) => x < RIM || x > art.width - RIM || y < RIM || y > art.height - RIM)) {
      found.push(`slot ${slot.id}/${slot.i} leaves the board`);
    }
  });
  labels.forEach((label, i) => {
    for (const other of labels.slice(i + 1)) {
      if (boxGap(label, other) < 0) found.push(`labels of ${label.id} and ${other.id} overlap`);
    }
    for (const slot of slots) {
      if (near(label, slot) && boxGap(label, slot) < 0)
        found.push(`label of ${label.id} touches slot ${slot.id}/${slot.i}`);
    }
    for (const [id, place] of dots) {
      if (discGap(label, place.x, place.y, art.dot) < 0) found.push(`label of ${label.id} covers the dot of ${id}`);
    }
  });
  return found;
}
