/** A ferry in a plan: it takes its locomotives. */
import type { PlanPart } from "../types.ts";

export default {
  locos: (track) => track.ferry,
  coloured: (track) => track.ferry > 0,
} satisfies PlanPart;
