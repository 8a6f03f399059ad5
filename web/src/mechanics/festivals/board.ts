/** Festivals on the board: how many cards lie at a city. */
import { tn } from "../../i18n/index.svelte.ts";
import type { BoardPart, PlaceMark } from "../types.ts";

export default {
  places: (facts, view) =>
    new Map(
      facts.festivals.flatMap((group) => {
        const count = view?.festivals[group.id] ?? 0;
        const mark: PlaceMark = { count, words: () => tn("board.place.festival", count) };
        return group.places.map((place): [string, PlaceMark] => [place, mark]);
      }),
    ),
} satisfies BoardPart;
