/** Ferries in the text view. */
import { tn } from "../../i18n/index.svelte.ts";
import type { TextPart } from "../types.ts";

export default {
  track: ({ ferry }) => (ferry ? [tn("text.track.ferry", ferry)] : []),
} satisfies TextPart;
