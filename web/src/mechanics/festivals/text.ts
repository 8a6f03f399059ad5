/** Festivals in the text view: which city's cards to take, what lies where, who has how many. */
import { num, t, tn } from "../../i18n/index.svelte.ts";
import type { Names } from "../../lib/names.ts";
import { move, say, type Context, type Reading } from "../../text/reading.ts";
import { mark } from "../../text/words.ts";
import type { TextPart } from "../types.ts";

/** "Sevilla 2, Porto / Coimbra 1". */
const counts = (cards: Record<string, number>, names: Names) =>
  Object.entries(cards)
    .filter(([, n]) => n)
    .map(([group, n]) => `${names.thing("group", group)} ${num(n)}`)
    .join(", ");

function read(rest: string[], _: string, context: Context): Reading {
  const ends = context.offers.filter((line) => line.startsWith("festival ")).map((line) => line.split(" ")[1]!);
  const meant = context.places.ranks(rest);
  const fitting = (ends.length ? ends : [...meant.keys()]).filter((id) => meant.has(id));
  if (fitting.length === 1) return move(`festival ${fitting[0]}`);
  return rest.length
    ? say("text.no_place", { word: rest.join(" ") })
    : say("text.which_place", { example: `festival ${ends[0] ?? "sevilla"}` });
}

export default {
  verbs: {
    festival: {
      spellings: "festival,festivals,festivaluri,festivais",
      group: "other",
      taken: "bare",
      read,
      words: ([place = ""], _, names) => t("text.offer.festival", { place: mark("place", place, names.place(place)) }),
    },
  },
  table: ({ festivals }, _, names) => {
    const cards = counts(festivals, names);
    return cards ? [t("text.festivals", { cards })] : [];
  },
  player: ({ festivals, festival_count }, _, names) => {
    const known = counts(festivals, names);
    return festival_count ? [tn("thing.festival", festival_count) + (known && ` (${known})`)] : [];
  },
} satisfies TextPart;
