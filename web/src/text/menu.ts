/** The offers in words: what the reader can do now, in groups, numbered through. */
import { list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import type { MapFacts, Payment, ViewWire } from "../wire.ts";
import { trackKind } from "./situation.ts";
import { cards, mark, partsOf, payment, plain, points, terrains, ticketName, trackName, type Part } from "./words.ts";

export type GroupKind = "draw" | "claim" | "station" | "tickets" | "pay" | "other";
/** One thing to do: a line to send, or a track or place whose price is asked for first. */
export interface Item { number: number; parts: Part[]; line?: string; about?: string }
export interface Group { kind: GroupKind; items: Item[] }

const GROUP: Record<string, GroupKind> = {
  draw: "draw", terrain: "draw", claim: "claim", station: "station", tickets: "tickets", keep: "tickets", return: "tickets", take: "tickets",
  locos: "pay", double: "pay", single: "pay", decline: "pay",
};
const ORDER: GroupKind[] = ["draw", "tickets", "pay", "claim", "station", "other"];

/** What the offers come to. All ways to claim one track are one item; which tickets to keep is chosen elsewhere. */
export function menuOf(offers: readonly string[], view: ViewWire, facts: MapFacts, names: Names): Group[] {
  const items = new Map<GroupKind, Map<string, Omit<Item, "number">>>();
  for (const line of offers) {
    const [verb = "", subject = ""] = line.split(" ");
    if (verb === "keep") continue;
    const kind = GROUP[verb] ?? "other";
    const group = items.get(kind) ?? new Map<string, Omit<Item, "number">>();
    items.set(kind, group);
    const bought = verb === "claim" || verb === "station";
    const key = bought ? subject : line;
    if (!group.has(key)) group.set(key, bought ? { about: subject, parts: partsOf(subjectWords(verb, subject, facts, names)) } : { line, parts: partsOf(offerWords(line, view, names)) });
  }
  let number = 0;
  return ORDER.filter((kind) => items.has(kind)).map((kind) => ({
    kind,
    items: sorted(kind, [...items.get(kind)!.values()]).map((item) => ({ ...item, number: ++number })),
  }));
}

/** Tracks and places in the order of their names; all else as it is offered. */
function sorted<T extends { parts: Part[] }>(kind: GroupKind, items: T[]): T[] {
  return kind === "claim" || kind === "station" ? items.sort((a, b) => plain(a.parts).localeCompare(plain(b.parts))) : items;
}

function subjectWords(verb: string, id: string, facts: MapFacts, names: Names): string {
  if (verb === "station") return t("text.offer.station", { place: mark("place", id, names.place(id)) });
  const value = points(facts.track_points[names.tracks.get(id)?.length ?? 0] ?? 0);
  return `${t("text.offer.claim", { track: trackName(id, names) })}: ${trackKind(id, names)}, ${value}`;
}

/** One way to pay, in words. */
export function paymentWords(paid: Payment, about: string, names: Names): Part[] {
  const told = { payment: payment(paid.colour, paid.cards, paid.locos) };
  if (names.tracks.has(about)) return partsOf(t("text.offer.claim_with", { track: trackName(about, names), ...told }));
  return partsOf(t("text.offer.station_with", { place: mark("place", about, names.place(about)), ...told }));
}

/** A line of the notation in words. */
export function offerWords(line: string, view: ViewWire, names: Names): string {
  const [verb = "", ...rest] = line.split(" ");
  const word = rest[0] ?? "";
  switch (verb) {
    case "draw":
      if (word === "deck") return tn("text.offer.draw_deck", view.deck);
      return t("text.offer.draw", { card: cards(view.display[Number(word) - 1] ?? "any"), place: word });
    case "terrain":
      if (word === "deck") return tn("text.offer.terrain_deck", view.terrain_deck);
      return t("text.offer.terrain", { card: terrains(view.terrain_display[Number(word) - 1] ?? ""), place: word });
    case "claim":
      return t("text.offer.colour", { track: trackName(word, names), colour: mark("card", rest[1] ?? "", t(`log.adj.${rest[1]}`)) });
    case "station":
      return t("text.offer.station", { place: mark("place", word, names.place(word)) });
    case "locos":
      return locosWords(Number(word), view, names);
    case "double":
      return Number(word) ? tn("text.offer.double_locos", Number(word)) : t("text.offer.double");
    case "festival":
      return t("text.offer.festival", { place: mark("place", word, names.place(word)) });
    case "keep":
      return t("text.offer.keep", { tickets: list(rest.map((id) => ticketName(id, names))) });
    case "return":
    case "take":
      return t(`text.offer.${verb}`, { ticket: ticketName(word, names) });
    default: // tickets, single, decline, pass
      return t(`text.offer.${verb}`);
  }
}

/** So many locomotives, and how many cards of the colour that leaves, where the position tells it. */
function locosWords(locos: number, view: ViewWire, names: Names): string {
  const track = names.tracks.get(view.pending ?? "");
  const due = view.tunnel ? view.tunnel.extra : track ? track.length : 0;
  const told = [];
  if (due > locos) {
    const known = !view.tunnel && track && track.colour !== "gray";
    told.push(known ? cards(track.colour, due - locos) : tn("text.offer.rest", due - locos));
  }
  if (locos) told.push(cards("loco", locos));
  return told.length ? t("text.offer.pay", { payment: list(told) }) : t("text.offer.no_locos");
}

/** The tickets the reader chooses from now, in the order in which they are numbered. */
export function ticketsNow(offers: readonly string[], view: ViewWire): string[] {
  const verb = offers[0]?.split(" ")[0];
  if (verb === "keep") return view.offered;
  if (verb === "take") return view.pack;
  return verb === "return" ? offers.map((line) => line.split(" ")[1] ?? "") : [];
}
