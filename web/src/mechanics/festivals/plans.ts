/** Festivals in a plan: whose cards are to be taken. */
import { t } from "../../i18n/index.svelte.ts";
import type { PlanPart } from "../types.ts";
import FestivalField from "./FestivalField.svelte";

export default {
  claim: () => ({ festival: null }),
  Fields: FestivalField,
  notes: (wish, names) => (wish.festival ? [t("plan.festival", { place: names.place(wish.festival) })] : []),
} satisfies PlanPart;
