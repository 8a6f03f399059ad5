/** Tunnels in a turn: all at the table see the cards turned up, also those that cost nothing. */
import type { TablePart } from "../types.ts";

export default {
  scene: (view, offers) => (offers.of("decline").length || view.tunnel ? "tunnel" : null),
  moment: {
    of: (event) => event.kind === "TunnelCardsTurned" && !event.extra,
    load: () => import("./FreeBanner.svelte"),
  },
} satisfies TablePart;
