/** Piles to draw from that ask first, since what is drawn cannot be put back. */
import { num, t, tn } from "../i18n/index.svelte.ts";
import { TABLE } from "../mechanics/table.ts";
import type { Pile } from "../mechanics/types.ts";

const TICKETS: Pile = {
  id: "tickets",
  line: (offers) => offers.tickets,
  question: ({ facts, view }) =>
    tn("game.draw.tickets_ask", Math.min(facts.ticket_draw, view.ticket_deck), { keep: num(facts.ticket_keep) }),
  words: () => t("game.draw.tickets"),
  sign: "tickets",
};

export const PILES: Pile[] = [TICKETS, ...TABLE.flatMap((part) => part.piles ?? [])];
