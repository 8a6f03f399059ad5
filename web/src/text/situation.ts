/** A position in words: what is asked, what lies on the table, what the reader holds, how the players stand. */
import { list, num, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { first } from "../mechanics/index.ts";
import { TEXT } from "../mechanics/text.ts";
import type { MapFacts, PlayerWire, ViewWire } from "../wire.ts";
import { question } from "./question.ts";
import { cards, mark, partsOf, points, seatName, ticketName, trackName, type Part, type Telling } from "./words.ts";

export const CARDS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red", "loco"] as const;
/** Phases that are no turn: everybody is asked, or what was drawn is looked at. */
const NO_TURN = new Set(["first_tickets", "keep_tickets", ...TEXT.flatMap((part) => part.noTurn ?? [])]);

/** Everything a reader may know of the position, by headings. */
export function describeView(view: ViewWire, offers: readonly string[], facts: MapFacts, to: Telling) {
  return {
    now: nowWords(view, offers, to),
    table: tableWords(view, facts, to.names),
    hand: handWords(view),
    tickets: ticketRows(view, to.names),
    players: view.players.map((player) => playerWords(player, view, facts, to)),
  };
}

/** What is asked of the reader, or who is waited for. */
export function nowWords(view: ViewWire, offers: readonly string[], to: Telling): Part[][] {
  const said: string[] = [];
  if (view.reader === null) said.push(t("text.watching"));
  if (view.phase === "over") said.push(t("ask.over"));
  else if (offers.length)
    said.push(...(NO_TURN.has(view.phase) ? [] : [t("text.your_turn")]), question(view, offers, to.names));
  else
    said.push(
      t("text.wait", { names: list(view.to_act.map((seat) => mark("seat", String(seat), seatName(to.seats, seat)))) }),
    );
  said.push(...TEXT.flatMap((part) => part.now?.(view) ?? []));
  if (view.turns_left !== null && view.turns_left > 0) said.push(tn("text.last_round", view.turns_left));
  return said.map(partsOf);
}

export function tableWords(view: ViewWire, facts: MapFacts, names: Names): Part[][] {
  const shown = view.display.map((card) => (card ? mark("card", card, t(`thing.colour.${card}`)) : t("text.empty")));
  const said = [
    `${t("text.display")}: ${shown.map((card, i) => `${num(i + 1)}\u00a0${card}`).join(", ")}.`,
    t("text.deck", { cards: tn("common.cards", view.deck) }),
    t("text.ticket_deck", { tickets: tn("common.tickets", view.ticket_deck) }),
  ];
  const discards = CARDS.filter((card) => view.discards[card]).map((card) => cards(card, view.discards[card]));
  if (discards.length) said.push(t("text.discards", { cards: list(discards) }));
  said.push(...TEXT.flatMap((part) => part.table?.(view, facts, names) ?? []));
  return said.map(partsOf);
}

/** The reader's own cards. */
export function handWords(view: ViewWire): Part[] {
  const me = view.reader === null ? undefined : view.players[view.reader];
  if (!me?.cards) return [{ text: t("text.hand_none") }];
  const held = CARDS.filter((card) => me.hand[card]).map((card) => cards(card, me.hand[card]));
  return partsOf(t("text.hand_line", { cards: tn("common.cards", me.cards), heap: list(held) }));
}

export interface TicketRow {
  id: string;
  parts: Part[];
  done: boolean;
  lent: string;
}

/** The reader's own tickets, those still to do first. */
export function ticketRows(view: ViewWire, names: Names): TicketRow[] {
  const me = view.reader === null ? undefined : view.players[view.reader];
  const rows = (me?.tickets ?? []).map((id) => {
    const lent = first(TEXT, (part) => part.lent?.(id, me!, names));
    return {
      id,
      parts: partsOf(ticketName(id, names)),
      done: lent !== null || me!.completed.includes(id),
      lent: lent ?? "",
    };
  });
  return rows.sort((a, b) => Number(a.done) - Number(b.done));
}

/** What there is to know of a player beside points, trains, cards and tickets. */
export function playerMore(player: PlayerWire, facts: MapFacts, names: Names): Part[][] {
  return TEXT.flatMap((part) => part.player?.(player, facts, names) ?? []).map(partsOf);
}

export function playerName(seat: number, view: ViewWire, to: Telling): string {
  const name = seatName(to.seats, seat);
  return seat === view.reader ? t("text.you", { name }) : name;
}

/** A player in one sentence. */
export function playerWords(player: PlayerWire, view: ViewWire, facts: MapFacts, to: Telling): Part[] {
  const counts = [
    points(player.score),
    tn("common.trains", player.trains),
    tn("common.cards", player.cards),
    tn("common.tickets", player.ticket_count),
  ];
  const more = playerMore(player, facts, to.names).map((parts) =>
    parts.map((part) => (part.kind ? mark(part.kind, part.id!, part.text) : part.text)).join(""),
  );
  const acts = view.to_act.includes(player.seat) && view.phase !== "over" ? [t("text.to_act")] : [];
  return partsOf(
    `${mark("seat", String(player.seat), playerName(player.seat, view, to))}: ${[...counts, ...more, ...acts].join(", ")}.`,
  );
}

/** "3 spaces, green, free". */
export function trackKind(id: string, names: Names): string {
  const track = names.tracks.get(id);
  if (!track) return id;
  const kind = [tn("common.spaces", track.length), mark("card", track.colour, t(`thing.colour.${track.colour}`))];
  return [...kind, ...TEXT.flatMap((part) => part.track?.(track) ?? [])].join(", ");
}

/** A track with what it is and whose. */
export function trackWords(
  id: string,
  view: ViewWire,
  offers: readonly string[],
  facts: MapFacts,
  to: Telling,
): Part[] {
  const track = to.names.tracks.get(id)!;
  const value = points(facts.track_points[track.length] ?? 0);
  const said = t("text.track.line", {
    track: trackName(id, to.names),
    kind: `${trackKind(id, to.names)}, ${value}`,
    state: trackState(id, view, to),
  });
  return partsOf(offers.some((line) => line.startsWith(`claim ${id} `)) ? `${said} ${t("text.track.can")}` : said);
}

function trackState(id: string, view: ViewWire, to: Telling): string {
  const owner = view.owners[id];
  if (owner !== undefined && owner === view.reader) return t("text.track.mine");
  if (owner !== undefined)
    return t("text.track.owned", { name: mark("seat", String(owner), seatName(to.seats, owner)) });
  if (view.closed.includes(id)) return t(view.reader === null ? "text.track.shut" : "text.track.closed");
  return t("text.track.free");
}
