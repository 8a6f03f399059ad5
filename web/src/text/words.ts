/** Events in words: a sentence in the reader's language for everything that can happen, and the pieces such are made of. */
import { list, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { TELLING } from "../mechanics/telling.ts";
import type { DrewBlind, EventWire } from "../wire.ts";
import { mark, partsOf, plain, sentence, tellFact, type Part, type Seats, type Telling } from "./telling.ts";

export {
  mark,
  partsOf,
  plain,
  points,
  seatName,
  type Part,
  type PartKind,
  type Seats,
  type Telling,
} from "./telling.ts";

/** An event as one sentence; what the reader may not know is not in it. */
export function describe(event: EventWire, names: Names, seats: Seats, me: number | null): string {
  return plain(tell(event, { names, seats, me }));
}

/** The same, in parts. */
export const tell = (event: EventWire, to: Telling): Part[] => partsOf(tellFact("event", event, to));

/** "a red card", "3 red cards". */
export const cards = (card: string, n = 1) => mark("card", card, tn(`thing.card.${card}`, n));
export const trackName = (track: string, names: Names) => mark("track", track, names.track(track));
/** A ticket with its value. */
export const ticketName = (ticket: string, names: Names) => mark("ticket", ticket, names.valuedTicket(ticket));

/** "2 red cards and a locomotive": `n` cards of a colour and so many locomotives. */
export function payment(colour: string, n: number, locos: number): string {
  const told = [];
  if (n && colour !== "loco") told.push(cards(colour, n));
  if (locos) told.push(cards("loco", locos));
  return list(told);
}

/** "2 red cards, a blue card and a locomotive", in the order in which they first come. */
export function heap(all: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const card of all) counts.set(card, (counts.get(card) ?? 0) + 1);
  return list([...counts].map(([card, n]) => cards(card, n)));
}

/** So many cards from the deck that nobody else has seen. */
export function blindly(event: DrewBlind, n: number, to: Telling): Part[] {
  return partsOf(sentence("event.DrewBlind", { seat: event.seat, card: Array<null>(n).fill(null) }, to));
}

/** What only the reader learned: others got the event without it. */
export function isPrivate(event: EventWire, me: number | null): boolean {
  if (me === null || !("seat" in event) || event.seat !== me) return false;
  switch (event.kind) {
    case "DrewBlind":
      return event.card !== null;
    case "TicketsOffered":
    case "TicketsKept":
      return event.tickets !== null;
    default:
      return TELLING.some((part) => part.private?.(event));
  }
}
