/** The last move of each player: what they did in their latest turn, in a few words, and what it left on the map. */
import { knows, list, t, tn } from "../i18n/index.svelte.ts";
import { first } from "../mechanics/index.ts";
import { TELLING } from "../mechanics/telling.ts";
import type { EventWire, StepWire } from "../wire.ts";
import { tellFact } from "./telling.ts";
import { cards, mark, partsOf, type Part, type Telling } from "./words.ts";

/** What counts as a move: a card drawn, and what the catalogues have a few words for. The rest follows from it. */
const isMove = (event: EventWire): event is EventWire & { seat: number } =>
  "seat" in event && (event.kind === "DrewCard" || event.kind === "DrewBlind" || knows(`brief.${event.kind}`));

/** The events of each seat's latest move, the oldest seat first. A new move begins with a new turn. */
export function lastMoves(steps: readonly StepWire[]): Map<number, EventWire[]> {
  const moves = new Map<number, EventWire[]>();
  let begun = true;
  for (const event of steps.flatMap((step) => step.events)) {
    if (event.kind === "TurnBegan") begun = true;
    if (!isMove(event)) continue;
    const before = begun ? [] : (moves.get(event.seat) ?? []);
    moves.delete(event.seat);
    moves.set(event.seat, [...before, event]);
    begun = false;
  }
  return moves;
}

/** A move in a few words that need no subject: "Paris–Zürich: 4 points", "2 red cards", "red + locomotive", "2 tickets". */
export function lastWords(events: readonly EventWire[], to: Telling): Part[] {
  const drawn = new Map<string, number>();
  const said: string[] = [];
  for (const event of events) {
    if (event.kind === "DrewCard" || event.kind === "DrewBlind")
      drawn.set(event.card ?? "", (drawn.get(event.card ?? "") ?? 0) + 1);
    else said.push(tellFact("brief", event, to));
  }
  const few = (card: string) => mark("card", card, t(`thing.colour.${card}`));
  const many = (card: string, n: number) => (card ? cards(card, n) : tn("thing.card.any", n));
  if (drawn.size)
    said.push([...drawn].map(([card, n]) => (card && drawn.size > 1 ? few(card) : many(card, n))).join(" + "));
  return partsOf(list(said));
}

/** Tracks and places that the last moves left on the map, with the seat that did it. */
export function leftBy(moves: ReadonlyMap<number, EventWire[]>): Map<string, number> {
  const left = new Map<string, number>();
  for (const [seat, events] of moves) {
    for (const event of events) {
      if (event.kind === "TrackClaimed") left.set(event.track, seat);
      const place = first(TELLING, (part) => part.left?.(event));
      if (place) left.set(place, seat);
    }
  }
  return left;
}
