/** How a draft is told: as a chapter of its own; what others take without being seen is not worth a sentence. */
import type { TellingPart } from "../types.ts";

export default {
  chapter: (event) => (event.kind === "DraftBegan" ? "draft" : null),
  quiet: ["PacksPassed"],
  silent: (event) => event.kind === "TicketPicked" && !event.ticket,
  private: (event) => event.kind === "TicketPicked" && event.ticket !== null,
} satisfies TellingPart;
