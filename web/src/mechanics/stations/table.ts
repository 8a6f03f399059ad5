/** Stations in a turn: a button, a key, cities to choose from, and how many a player has left. */
import { list, t, tn } from "../../i18n/index.svelte.ts";
import type { Offers } from "../../table/offers.ts";
import type { TablePart } from "../types.ts";
import { loanWords } from "./help.ts";

/** Where one can be built now. */
export const sitesIn = (offers: Offers): string[] => [...new Set(offers.of("station").map(([place]) => place!))];

export default {
  sites: (screen) => (screen.sheet?.kind.startsWith("station") ? sitesIn(screen.offers) : []),
  point: (screen, place) => {
    const open = screen.sites.has(place) && sitesIn(screen.offers).includes(place);
    if (open) screen.sheet = { kind: "station", id: place };
    return open;
  },
  buttons: ({ offers }) =>
    offers.of("station").length
      ? [{ testid: "station", sign: "#station", words: t("game.station.short"), sheet: "stations" }]
      : [],
  help: ({ offers }) => (offers.of("station").length ? t("game.turn.help_station") : null),
  keys: [
    {
      key: "s",
      words: () => t("game.help.s"),
      press: (screen) => {
        if (!screen.offers.of("station").length) return false;
        screen.toggle("stations");
        return true;
      },
    },
  ],
  player: ({ facts }, { stations_left: n }) =>
    facts.stations_each ? [{ id: "stations", sign: "#station", n, words: tn("common.stations", n) }] : [],
  details: ({ names }, { stations }) =>
    stations.length ? [t("game.player.stations", { places: list(stations.map((place) => names.place(place))) })] : [],
  plan: (screen, { loans }) =>
    loans.length
      ? {
          testid: "plan-loan",
          sign: "#station",
          words: loanWords(
            screen,
            loans.map(({ track }) => track!),
          ),
        }
      : null,
  sounds: { StationBuilt: "build" },
} satisfies TablePart;
