/** Stations at the end: points for those kept, and what those built have lent. */
import { t, tn } from "../../i18n/index.svelte.ts";
import type { EndPart } from "../types.ts";

export default {
  line: {
    id: "stations",
    there: (facts) => facts.stations_each > 0,
    sign: "#station",
    points: (sheet) => sheet.stations,
    words: (sheet, facts, names) => [
      tn("end.stations.kept", facts.stations_each - sheet.loans.length, {
        each: tn("common.points", facts.station_points),
      }),
      ...sheet.loans.map(({ place, track }) =>
        track
          ? t("end.stations.lent", { place: names.place(place), track: names.track(track) })
          : t("end.stations.unused", { place: names.place(place) }),
      ),
    ],
    shown: (sheet) => ({
      trails: [],
      path: sheet.loans.flatMap((loan) => loan.track ?? []),
      lit: sheet.loans.map((loan) => loan.place),
    }),
  },
  tie: { id: "stations", of: (sheet) => sheet.loans.length },
  row: {
    there: (facts) => facts.stations_each > 0,
    title: () => t("end.table.built"),
    of: (sheet) => sheet.loans.length,
  },
  player: (player, { facts }) =>
    facts.stations_each ? [{ id: "stations", words: tn("common.stations", player.stations_left) }] : [],
} satisfies EndPart;
