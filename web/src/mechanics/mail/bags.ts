/** What a reader knows of the bags: their worth, and whether one would be delivered as it is taken. */
import type { BagWire, MapFacts, ViewWire } from "../../wire.ts";

/** A bag whose label the reader knows. */
export type Read = BagWire & { label: string };
export const isRead = (bag: BagWire): bag is Read => bag.label !== null;

export const valueOf = (facts: MapFacts, label: string): number => facts.mail[label] ?? 0;

/** The bags the reader carries. */
export const carriedBy = (view: ViewWire, seat: number | null): Read[] =>
  seat === null ? [] : (view.players[seat]?.carried ?? []).filter(isRead);

/** The bags that lie at the ends of a track. */
export const bagsAt = (view: ViewWire, ends: readonly string[]): BagWire[] =>
  ends.flatMap((end) => view.bags.find(({ place }) => place === end) ?? []);

/** Whether a chain of the player's own tracks joins two places; none passes a dead end. */
export function joined(facts: MapFacts, view: ViewWire, seat: number | null, from: string, to: string): boolean {
  const ends = new Set(facts.places.filter((place) => place.dead_end).map(({ id }) => id));
  const own = facts.tracks.filter((track) => seat !== null && view.owners[track.id] === seat);
  const reached = new Set([from]);
  for (const place of reached) {
    if (place !== from && ends.has(place)) continue;
    for (const { a, b } of own) {
      if (a === place) reached.add(b);
      if (b === place) reached.add(a);
    }
  }
  return reached.has(to);
}
