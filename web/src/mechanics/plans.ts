/** What the mechanics add to a plan. */
import { inOrder } from "./index.ts";
import type { PlanPart } from "./types.ts";

export const PLANS = inOrder(import.meta.glob<PlanPart>("./*/plans.ts", { eager: true, import: "default" }));
