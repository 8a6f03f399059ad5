/** How a tunnel is told. */
import type { TellingPart } from "../types.ts";

export default {
  about: (view) => view.tunnel?.track,
  quiet: ["TunnelCardsTurned"],
} satisfies TellingPart;
