/** What a reader knows of the bags, and their worth. */
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
