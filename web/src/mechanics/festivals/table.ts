/** Festivals in a turn: a city to choose, also on the board, and the cards that each player has. */
import { tn } from "../../i18n/index.svelte.ts";
import type { Offers } from "../../table/offers.ts";
import type { TablePart } from "../types.ts";

/** The cities whose cards can be taken. */
export const citiesIn = (offers: Offers): string[] => offers.of("festival").map(([place]) => place!);

export default {
  scene: (_, offers) => (offers.of("festival").length ? "festival" : null),
  sites: ({ offers }) => citiesIn(offers),
  point: (screen, place) => {
    const open = citiesIn(screen.offers).includes(place);
    if (open) screen.picked = place;
    return open;
  },
  hand: ({ names }, { festivals }) =>
    Object.entries(festivals).map(([id, n]) => ({ id, sign: "#festival", n, words: names.thing("group", id) })),
  player: ({ facts }, { festival_count: n }) =>
    facts.festivals.length ? [{ id: "festivals", sign: "#festival", n, words: tn("game.player.festivals", n) }] : [],
  details: ({ names }, { festivals }) =>
    Object.entries(festivals).map(([group, n]) => `${names.thing("group", group)}: ${n}`),
} satisfies TablePart;
