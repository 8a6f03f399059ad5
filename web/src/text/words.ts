/**
 * Events in words: a sentence in the reader's language for everything that can happen.
 * A sentence is made of parts, so that a page can show cards and tracks in it; `describe` is the plain text of them.
 */
import { list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import type { EventWire } from "../wire.ts";

export type Seats = readonly { name: string }[];
export type PartKind = "card" | "terrain" | "track" | "place" | "ticket" | "seat" | "points";
/** A piece of a sentence; `id` is what it stands for. */
export interface Part { text: string; kind?: PartKind; id?: string }

/** Who is told it, and by which names. */
export interface Telling { names: Names; seats: Seats; me: number | null }

// A marked piece goes through the catalogue's sentence as text: OPEN kind BETWEEN id BETWEEN text CLOSE.
const OPEN = "\uE000", BETWEEN = "\uE001", CLOSE = "\uE002";
const MARKED = /\uE000(.*?)\uE001(.*?)\uE001(.*?)\uE002/su;

export const mark = (kind: PartKind, id: string, text: string) =>
  OPEN + [kind, id, text.replace(/[\uE000-\uE002]/gu, "")].join(BETWEEN) + CLOSE;

/** A sentence with marks as its parts. */
export function partsOf(marked: string): Part[] {
  const pieces = marked.split(MARKED);
  const parts: Part[] = [];
  for (let i = 0; i < pieces.length; i += 4) {
    if (pieces[i]) parts.push({ text: pieces[i]! });
    if (i + 3 < pieces.length) parts.push({ kind: pieces[i + 1] as PartKind, id: pieces[i + 2]!, text: pieces[i + 3]! });
  }
  return parts;
}

export const plain = (parts: Part[]) => parts.map((part) => part.text).join("");

/** An event as one sentence; what the reader may not know is not in it. */
export function describe(event: EventWire, names: Names, seats: Seats, me: number | null): string {
  return plain(tell(event, { names, seats, me }));
}

/** The same, in parts. */
export function tell(event: EventWire, to: Telling): Part[] {
  return partsOf(sentence(event, to));
}

export function seatName(seats: Seats, seat: number): string {
  return seats[seat]?.name || t(`common.seat.${seat}`);
}

/** "a red card", "3 red cards". */
export const cards = (card: string, n = 1) => mark("card", card, tn(`log.card.${card}`, n));
export const terrains = (terrain: string, n = 1) => mark("terrain", terrain, tn(`log.terrain.${terrain}`, n));
export const points = (n: number) => mark("points", String(n), tn("common.points", n));
export const trackName = (track: string, names: Names) => mark("track", track, names.track(track));

/** A ticket with its value. */
export function ticketName(ticket: string, names: Names): string {
  return mark("ticket", ticket, `${names.ticket(ticket)} (${names.tickets.get(ticket)?.points ?? 0})`);
}

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
export function blindly(event: EventWire, n: number, to: Telling): Part[] {
  return partsOf(person(event, to, "DrewBlind", { card: tn("log.card.any", n) }));
}

function sentence(event: EventWire, to: Telling): string {
  switch (event.kind) {
    case "DrewCard":
      return person(event, to, event.kind, { card: cards(event.card!), place: event.place! });
    case "DrewBlind":
      return person(event, to, event.kind, { card: event.card ? cards(event.card) : tn("log.card.any", 1) });
    case "DrewTerrain":
    case "TerrainFilled":
    case "TerrainPlayed":
    case "TerrainReshuffled":
      return ofTerrain(event, to);
    case "DisplayFilled":
      return t("log.DisplayFilled", { place: event.place!, card: cards(event.card!) });
    case "DisplaySwept":
    case "SecondDraftCardUp":
      return t(`log.${event.kind}`);
    case "DeckReshuffled":
      return tn("log.DeckReshuffled", event.cards as number);
    case "FestivalLaid":
      return t("log.FestivalLaid", { group: to.names.group(event.group!) });
    case "FestivalsTaken":
      return person(event, to, event.kind, { festivals: tn("log.festivals", event.count!), group: to.names.group(event.group!) });
    case "TicketsOffered":
    case "TicketsKept":
    case "TicketPicked":
      return ofTickets(event, to);
    case "TrackClaimed":
    case "TunnelTried":
    case "TunnelCardsTurned":
    case "TunnelFailed":
    case "StationBuilt":
      return ofTracks(event, to);
    default:
      return ofCourse(event, to);
  }
}

function ofTerrain(event: EventWire, to: Telling): string {
  if (event.kind === "TerrainReshuffled") return tn("log.TerrainReshuffled", event.cards as number);
  const card = terrains(event.terrain!);
  if (event.kind === "TerrainFilled") return t("log.TerrainFilled", { place: event.place!, card });
  if (event.kind === "DrewTerrain") {
    if (event.place == null) return person(event, to, "DrewTerrainDeck", { card });
    return person(event, to, event.kind, { card, place: event.place });
  }
  const [n, locos] = [event.cards as number, event.locos ?? 0];
  const played = [n ? terrains(event.terrain!, n) : "", locos ? cards("loco", locos) : ""].filter(Boolean);
  return person(event, to, event.kind, { payment: list(played) });
}

function ofTickets(event: EventWire, to: Telling): string {
  if (event.kind === "TicketPicked") {
    const ticket = event.ticket ? t("log.ticket.this", { ticket: ticketName(event.ticket, to.names) }) : t("log.ticket.any");
    return person(event, to, event.kind, { ticket });
  }
  const which = event.tickets?.length ? `: ${list(event.tickets.map((id) => ticketName(id, to.names)))}` : "";
  if (event.kind === "TicketsOffered") return person(event, to, event.kind, { tickets: tn("common.tickets", event.count!), which });
  return person(event, to, event.kind, { kept: event.kept!, tickets: tn("common.tickets", event.offered!), which });
}

function ofTracks(event: EventWire, to: Telling): string {
  if (event.kind === "TunnelCardsTurned") return turnedUp(event.cards as string[], event.extra ?? 0);
  if (event.kind === "TunnelFailed") return person(event, to, event.kind, { track: trackName(event.track!, to.names) });
  const paid = payment(event.colour!, event.cards as number, event.locos ?? 0);
  if (event.kind === "StationBuilt") {
    const place = String(event.place);
    return person(event, to, event.kind, { place: mark("place", place, to.names.place(place)), payment: paid });
  }
  const track = trackName(event.track!, to.names);
  if (event.kind === "TunnelTried") return person(event, to, event.kind, { track, payment: paid });
  return person(event, to, event.kind, {
    track, payment: paid, points: points(event.points!), doubled: event.doubled ? t("log.doubled") : "",
  });
}

function turnedUp(turned: string[], extra: number): string {
  if (!turned.length) return t("log.TunnelCardsTurned.none");
  const told = { cards: heap(turned) };
  return extra ? tn("log.TunnelCardsTurned.due", extra, told) : t("log.TunnelCardsTurned.free", told);
}

/** The course of the game. */
function ofCourse(event: EventWire, to: Telling): string {
  switch (event.kind) {
    case "DraftBegan":
      return t(`log.DraftBegan.${event.number === 1 ? "first" : "second"}`, { cards: event.cards as number });
    case "PacksPassed":
      return t("log.PacksPassed", { step: event.step! });
    case "GameEnded":
      return t(`log.GameEnded.${(event.reason ?? "").replace(" ", "_")}`);
    default: // ChoiceMade, Passed, LastRoundBegan, TurnBegan, TakenBack
      return person(event, to, event.kind);
  }
}

/** "You draw …" for the reader, "Ana draws …" for all others. */
function person(event: EventWire, to: Telling, key: string, params: Record<string, string | number> = {}): string {
  const seat = event.seat ?? -1;
  if (seat === to.me) return t(`log.${key}.you`, params);
  const name = seat < 0 ? t("log.nobody") : mark("seat", String(seat), seatName(to.seats, seat));
  return t(`log.${key}.they`, { name, ...params });
}

/** What only the reader learned: others got the event without it. */
export function isPrivate(event: EventWire, me: number | null): boolean {
  return me !== null && event.seat === me && Boolean((event.kind === "DrewBlind" && event.card) || event.tickets || event.ticket);
}
