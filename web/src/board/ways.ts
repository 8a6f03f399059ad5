/** Ways along the tracks: lines beside the spaces, so that several tickets can share a track and still be told apart. */
import type { MapFacts } from "../wire.ts";
import type { BoardArt, Point, SlotArt } from "./types.ts";

export interface Way {
  tracks: string[];
  kind: number;
}

const GAP = 2.6; // between the spaces and the first line
const STEP = 4.4; // between two lines
const MARK = 9; // about a small mark at a place

const near = (v: number) => Math.round(v * 10) / 10;

/** The edges of a space, moved aside. */
function edges([x, y, angle]: SlotArt, w: number, aside: number): [Point, Point] {
  const turn = (angle * Math.PI) / 180;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const at = (along: number): Point => ({ x: x + along * c - aside * s, y: y + along * s + aside * c });
  return [at(-w / 2), at(w / 2)];
}

/** Along one track from place to place, so far aside. */
export function beside(art: BoardArt, track: { id: string; a: string; b: string }, aside: number): string {
  const drawn = art.tracks[track.id];
  const [a, b] = [art.places[track.a], art.places[track.b]];
  if (!drawn || !a || !b) return "";
  const first = drawn.slots[0]!;
  const forward = Math.hypot(first[0] - a.x, first[1] - a.y) <= Math.hypot(first[0] - b.x, first[1] - b.y);
  const points = drawn.slots.flatMap((slot) => alongFrom(slot, drawn.w, aside, forward ? a : b, drawn.slots));
  const ends = forward ? [a, b] : [b, a];
  return [ends[0]!, ...points, ends[1]!].map(({ x, y }, i) => `${i ? "L" : "M"}${near(x)} ${near(y)}`).join("");
}

/** The two edges of a space in the order in which the way passes them. */
function alongFrom(slot: SlotArt, w: number, aside: number, start: Point, slots: SlotArt[]): Point[] {
  const i = slots.indexOf(slot);
  const before = i > 0 ? { x: slots[i - 1]![0], y: slots[i - 1]![1] } : start;
  const [one, other] = edges(slot, w, aside);
  const far = (p: Point) => Math.hypot(p.x - before.x, p.y - before.y);
  return far(one) <= far(other) ? [one, other] : [other, one];
}

/** Path data for each way: on each track the ways take turns on its two sides, the further out the more there are. */
export function waysPaths(art: BoardArt, facts: MapFacts, ways: readonly Way[]): string[] {
  const byId = new Map(facts.tracks.map((track) => [track.id, track]));
  const used = new Map<string, number>();
  return ways.map((way) =>
    way.tracks
      .map((id) => {
        const track = byId.get(id);
        if (!track) return "";
        const n = used.get(id) ?? 0;
        used.set(id, n + 1);
        const aside = (art.slot / 2 + GAP + Math.floor(n / 2) * STEP) * (n % 2 ? -1 : 1);
        return beside(art, track, aside);
      })
      .join(""),
  );
}

/** Where a place has room for signs: the direction in which its label, the spaces about it and what stands there are farthest. */
export function roomBy(art: BoardArt, place: string, reach: number, standing: readonly Point[] = []): Point {
  const at = art.places[place]!;
  let [best, found]: [number, Point] = [-Infinity, { x: 0, y: -reach }];
  for (let i = 0; i < 24; i++) {
    const turn = (i * Math.PI) / 12;
    const spot = { x: Math.sin(turn) * reach, y: -Math.cos(turn) * reach };
    const clear = standing.map((other) => Math.hypot(other.x - spot.x, other.y - spot.y) - MARK);
    const room = Math.min(roomAt(art, { x: at.x + spot.x, y: at.y + spot.y }, place), ...clear);
    if (room > best + 0.01) [best, found] = [room, spot];
  }
  return found;
}

const found = new WeakMap<BoardArt, Map<string, Point[]>>();

/** Where so many small marks of a place have room, beside the signs of tickets if there are any. */
export function roomsBy(art: BoardArt, place: string, marks: number, signs: boolean): Point[] {
  const known = found.get(art) ?? new Map<string, Point[]>();
  found.set(art, known);
  const key = `${place} ${marks} ${signs}`;
  const spots = known.get(key) ?? roomsFor(art, place, marks, signs);
  known.set(key, spots);
  return spots;
}

function roomsFor(art: BoardArt, place: string, marks: number, signs: boolean): Point[] {
  const standing = signs ? [roomBy(art, place, art.dot + 12)] : [];
  for (let i = 0; i < marks; i++) standing.push(roomBy(art, place, art.dot + MARK - 1, standing));
  return standing.slice(-marks);
}

function roomAt(art: BoardArt, p: Point, own: string): number {
  let room = Math.min(p.x - 24, p.y - 24, art.width - 24 - p.x, art.height - 24 - p.y);
  for (const [id, place] of Object.entries(art.places)) {
    if (id !== own) room = Math.min(room, Math.hypot(place.x - p.x, place.y - p.y) - art.dot);
    const label = place.label;
    if (label)
      room = Math.min(
        room,
        Math.hypot(
          Math.max(0, Math.abs(label.x - p.x) - label.w / 2),
          Math.max(0, Math.abs(label.y - p.y) - label.h / 2),
        ),
      );
  }
  for (const track of Object.values(art.tracks)) {
    for (const [x, y] of track.slots) {
      const far = Math.hypot(x - p.x, y - p.y);
      if (far < 60) room = Math.min(room, far - track.w / 2.6);
    }
  }
  return room;
}
