/** A tunnel in a plan: what it may cost more before the reader is asked. */
import { tn } from "../../i18n/index.svelte.ts";
import type { PlanPart } from "../types.ts";
import TunnelField from "./TunnelField.svelte";

export default {
  coloured: (track) => track.tunnel,
  more: (claim) => claim.extra,
  claim: () => ({ extra: 0 }),
  Fields: TunnelField,
  notes: (wish) => (wish.extra ? [tn("plan.extra", wish.extra)] : []),
} satisfies PlanPart;
