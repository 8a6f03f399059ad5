/** What the mechanics leave on the board. */
import type { MapFacts, TrackFact, ViewWire } from "../wire.ts";
import { inOrder } from "./index.ts";
import type { BoardPart, PlaceMark, TrackMark } from "./types.ts";

export const BOARD = inOrder(import.meta.glob<BoardPart>("./*/board.ts", { eager: true, import: "default" }));

/** All that lies at each place. */
export function marksAt(facts: MapFacts, view: ViewWire | null): Map<string, PlaceMark[]> {
  const at = new Map<string, PlaceMark[]>();
  for (const part of BOARD)
    for (const [place, mark] of part.places?.(facts, view) ?? []) at.set(place, [...(at.get(place) ?? []), mark]);
  return at;
}

/** All that is printed on a track. */
export const marksOn = (track: TrackFact, facts: MapFacts): TrackMark[] =>
  BOARD.flatMap((part) => part.track?.(track, facts) ?? []);
