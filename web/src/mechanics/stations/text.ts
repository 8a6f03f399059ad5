/** Stations in the text view: building one, who has how many, what they lend. */
import { list, t, tn } from "../../i18n/index.svelte.ts";
import type { Names } from "../../lib/names.ts";
import { isFiller } from "../../text/lexicon.ts";
import { say, unknownPlace, wishOf, type Context, type Reading } from "../../text/reading.ts";
import { mark } from "../../text/words.ts";
import type { TextPart } from "../types.ts";

const placeName = (id: string, names: Names) => mark("place", id, names.place(id));

/** "paris red", "paris 2 red 1 loco". */
function read(rest: string[], _: string, context: Context): Reading {
  const words = rest.filter((word) => !isFiller(word));
  if (!words.length) return say("text.which_place", { example: "station paris" });
  for (let i = words.length; i; i--) {
    const about = context.places.best(words.slice(0, i));
    const wish = wishOf(words.slice(i));
    if (about.length && wish) return { do: "buy", verb: "station", about, wish };
  }
  return unknownPlace(words[0]!, context);
}

export default {
  verbs: {
    station: {
      spellings:
        "station,build station,build,gara,construieste gara,construiesc gara,construieste,construiesc,estacao,construir estacao,construir,construo",
      group: "station",
      bought: true,
      read,
      words: ([place = ""], _, names) => t("text.offer.station", { place: placeName(place, names) }),
    },
  },
  help: ({ stations_each }) => (stations_each ? ["station"] : []),
  paid: (about, payment, names) => t("text.offer.station_with", { place: placeName(about, names), payment }),
  player: ({ stations, stations_left }, { stations_each }, names) => [
    ...(stations_each ? [tn("text.left", stations_left)] : []),
    ...(stations.length ? [t("text.stations_in", { places: list(stations.map((id) => placeName(id, names))) })] : []),
  ],
  lent: (ticket, { borrowed, loans }, names) =>
    borrowed.includes(ticket)
      ? t("text.lent", { tracks: list(loans.flatMap(({ track }) => (track ? [names.track(track)] : []))) })
      : null,
} satisfies TextPart;
