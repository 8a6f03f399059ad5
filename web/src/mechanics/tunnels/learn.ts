/** Tunnels, for those who learn a map that has them. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ tracks }) => tracks.some((track) => track.tunnel),
  numbers: ({ tunnel_cards }) => ({ tunnel_cards }),
} satisfies LearnPart;
