/** The offers in words: what the reader can do now, in groups, numbered through. */
import { list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { first } from "../mechanics/index.ts";
import { TEXT } from "../mechanics/text.ts";
import type { MapFacts, Payment, ViewWire } from "../wire.ts";
import { trackKind } from "./situation.ts";
import { OWN_VERBS, ownVerb } from "./verbs.ts";
import { cards, mark, partsOf, payment, plain, points, ticketName, trackName, type Part } from "./words.ts";

/** One of ORDER. */
export type GroupKind = string;
/** One thing to do: a line to send, or a track or place whose price is asked for first. */
export interface Item {
  number: number;
  parts: Part[];
  line?: string;
  about?: string;
}
export interface Group {
  kind: GroupKind;
  items: Item[];
}

const GROUP: Record<string, GroupKind> = {
  draw: "draw",
  claim: "claim",
  tickets: "tickets",
  keep: "tickets",
  return: "tickets",
  locos: "pay",
};
const CORE = ["draw", "tickets", "pay", "claim"];
const OWN = [...OWN_VERBS.values()].map(({ group }) => group).filter((group) => group !== "other");
const ORDER = [...new Set([...CORE, ...OWN]), "other"];

/** What the offers come to. All ways to claim one track are one item; which tickets to keep is chosen elsewhere. */
export function menuOf(offers: readonly string[], view: ViewWire, facts: MapFacts, names: Names): Group[] {
  const items = new Map<GroupKind, Map<string, Omit<Item, "number">>>();
  for (const line of offers) {
    const [verb = "", subject = ""] = line.split(" ");
    if (verb === "keep") continue;
    const own = ownVerb(line)?.own;
    const kind = own?.group ?? GROUP[verb] ?? "other";
    const group = items.get(kind) ?? new Map<string, Omit<Item, "number">>();
    items.set(kind, group);
    const bought = verb === "claim" || own?.bought;
    const key = bought ? subject : line;
    if (!group.has(key))
      group.set(
        key,
        bought
          ? { about: subject, parts: partsOf(own ? offerWords(line, view, names) : claimWords(subject, facts, names)) }
          : { line, parts: partsOf(offerWords(line, view, names)) },
      );
  }
  let number = 0;
  return ORDER.filter((kind) => items.has(kind)).map((kind) => ({
    kind,
    items: sorted([...items.get(kind)!.values()]).map((item) => ({ ...item, number: ++number })),
  }));
}

/** Tracks and places in the order of their names; all else as it is offered. */
function sorted<T extends { parts: Part[]; about?: string }>(items: T[]): T[] {
  return items.every(({ about }) => about) ? items.sort((a, b) => plain(a.parts).localeCompare(plain(b.parts))) : items;
}

function claimWords(id: string, facts: MapFacts, names: Names): string {
  const value = points(facts.track_points[names.tracks.get(id)?.length ?? 0] ?? 0);
  return `${t("text.offer.claim", { track: trackName(id, names) })}: ${trackKind(id, names)}, ${value}`;
}

/** One way to pay, in words. */
export function paymentWords(paid: Payment, about: string, names: Names): Part[] {
  const told = { payment: payment(paid.colour, paid.cards, paid.locos) };
  if (names.tracks.has(about)) return partsOf(t("text.offer.claim_with", { track: trackName(about, names), ...told }));
  return partsOf(first(TEXT, (part) => part.paid?.(about, told.payment, names)) ?? told.payment);
}

/** A line of the notation in words. */
export function offerWords(line: string, view: ViewWire, names: Names): string {
  const found = ownVerb(line);
  if (found) return found.own.words(found.rest, view, names);
  const [verb = "", ...rest] = line.split(" ");
  const word = rest[0] ?? "";
  switch (verb) {
    case "draw":
      if (word === "deck") return tn("text.offer.draw_deck", view.deck);
      return t("text.offer.draw", { card: cards(view.display[Number(word) - 1] ?? "any"), place: word });
    case "claim":
      return t("text.offer.colour", {
        track: trackName(word, names),
        colour: mark("card", rest[1] ?? "", t(`thing.colour.${rest[1]}`)),
      });
    case "locos":
      return locosWords(Number(word), view, names);
    case "keep":
      return t("text.offer.keep", { tickets: list(rest.map((id) => ticketName(id, names))) });
    case "return":
      return t("text.offer.return", { ticket: ticketName(word, names) });
    default: // tickets, pass
      return t(`text.offer.${verb}`);
  }
}

/** So many locomotives, and how many cards of the colour that leaves, where the position tells it. */
function locosWords(locos: number, view: ViewWire, names: Names): string {
  const track = names.tracks.get(view.pending ?? "");
  const extra = first(TEXT, (part) => part.due?.(view));
  const due = extra ?? track?.length ?? 0;
  const told = [];
  if (due > locos) {
    const known = extra === null && track && track.colour !== "gray";
    told.push(known ? cards(track.colour, due - locos) : tn("text.offer.rest", due - locos));
  }
  if (locos) told.push(cards("loco", locos));
  return told.length ? t("text.offer.pay", { payment: list(told) }) : t("text.offer.no_locos");
}

/** The tickets the reader chooses from now, in the order in which they are numbered. */
export function ticketsNow(offers: readonly string[], view: ViewWire): string[] {
  const verb = offers[0]?.split(" ")[0];
  if (verb === "keep") return view.offered;
  const own = ownVerb(offers[0] ?? "")?.own;
  if (own?.tickets) return own.tickets(view);
  return verb === "return" ? offers.map((line) => line.split(" ")[1] ?? "") : [];
}
