/** Ferries, for those who learn a map that has them. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ tracks }) => tracks.some((track) => track.ferry > 0),
} satisfies LearnPart;
