/** How the mail is told: looking is small print, and what was read is the reader's alone. */
import type { TellingPart } from "../types.ts";

export default {
  quiet: ["BagSeen", "BagsLeft"],
  private: (event) => event.kind === "BagSeen" && event.label !== null,
  left: (event) => (event.kind === "BagDelivered" ? event.label : null),
} satisfies TellingPart;
