/** Mail in a turn: a city whose bag is taken, also on the board, and what each player carries and has delivered. */
import { list, t, tn } from "../../i18n/index.svelte.ts";
import type { Names } from "../../lib/names.ts";
import type { Offers } from "../../table/offers.ts";
import type { BagLine, BagWire } from "../../wire.ts";
import type { TablePart } from "../types.ts";
import { isRead, valueOf } from "./bags.ts";

/** The cities whose bag can be taken, and those where nothing is laid down for it. */
export const citiesIn = (offers: Offers): string[] => [...new Set(taken(offers).map(([place]) => place!))];
export const freelyIn = (offers: Offers): string[] =>
  taken(offers).flatMap(([place, laid]) => (laid === undefined ? [place!] : []));
const taken = (offers: Offers) => offers.of("take").flatMap(([what, ...rest]) => (what === "bag" ? [rest] : []));

export const mailPoints = (delivered: readonly BagLine[]) => delivered.reduce((sum, { points }) => sum + points, 0);

/** "Cluj-Napoca → Sibiu, 3 points", as far as the reader knows. */
export function bagWords(bag: BagWire, names: Names): string {
  const from = names.place(bag.place);
  if (!isRead(bag)) return t("game.bag.unread", { from });
  const points = tn("common.points", valueOf(names.facts, bag.label));
  return t("game.bag.read", { from, to: names.place(bag.label), points });
}

export default {
  scene: (view, offers) => (view.phase === "mail" && offers.count ? "mail" : null),
  sites: ({ offers }) => citiesIn(offers),
  point: (screen, place) => {
    const open = citiesIn(screen.offers).includes(place);
    if (open) screen.picked = place;
    return open;
  },
  player: ({ facts }, { carried, delivered }) =>
    facts.mail_carry
      ? [
          { id: "bags", sign: "#bag", n: carried.length, words: tn("game.player.bags", carried.length) },
          {
            id: "mail",
            sign: "#stamp",
            n: mailPoints(delivered),
            words: tn("game.player.mail", mailPoints(delivered)),
          },
        ]
      : [],
  details: ({ names }, { carried, delivered, stamps }) => [
    ...carried.map((bag) => bagWords(bag, names)),
    ...(delivered.length
      ? [t("game.player.delivered", { places: list(delivered.map(({ label }) => names.place(label))) })]
      : []),
    ...(stamps ? [tn("game.player.stamps", stamps)] : []),
  ],
  sounds: { BagTaken: "ticket", BagDelivered: "build" },
} satisfies TablePart;
