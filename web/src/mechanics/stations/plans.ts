/** A station to wish for. */
import { t } from "../../i18n/index.svelte.ts";
import type { Wish } from "../../plans/words.ts";
import type { PlanPart } from "../types.ts";
import StationForm from "./StationForm.svelte";

const placeOf = (wish: Wish) => (wish.do === "station" ? wish.place : "");

export default {
  wish: {
    do: "station",
    there: (facts) => facts.stations_each > 0,
    button: () => t("plan.add.station"),
    Form: StationForm,
    words: (wish, names) => t("plan.wish.station", { place: names.place(placeOf(wish)) }),
    lit: (wish) => [placeOf(wish)],
  },
} satisfies PlanPart;
