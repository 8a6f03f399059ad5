/** Terrain in a plan: its cards can be drawn, and a claim doubled. */
import { t } from "../../i18n/index.svelte.ts";
import type { PlanPart } from "../types.ts";
import DoubleField from "./DoubleField.svelte";

const KINDS = ["desert", "jungle", "mountain"];

export default {
  cards: ({ terrain }) => (terrain.length ? ["terrain", ...terrain.map((one) => one.id)] : []),
  card: (card) => {
    if (card === "terrain") return t("plan.card.terrain");
    return KINDS.includes(card) ? t(`art.terrain.${card}`) : null;
  },
  claim: () => ({ double: null }),
  Fields: DoubleField,
  notes: ({ double }) => (double === null ? [] : [t(double ? "plan.double.yes" : "plan.double.no")]),
} satisfies PlanPart;
