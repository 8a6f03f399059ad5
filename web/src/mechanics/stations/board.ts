/** Stations on the board: a piece in a city. */
import { t } from "../../i18n/index.svelte.ts";
import type { BoardPart, PlaceMark } from "../types.ts";

export default {
  places: (_, view) =>
    new Map(
      view?.players.flatMap(({ seat, stations }) =>
        stations.map((place): [string, PlaceMark] => [
          place,
          { symbol: "#station", seat, words: (nameOf) => t("board.place.station", { who: nameOf(seat) }) },
        ]),
      ),
    ),
} satisfies BoardPart;
