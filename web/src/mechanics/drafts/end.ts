/** Drafts in a replay: what lies before one player is not for the others. */
import type { EndPart } from "../types.ts";

export default {
  veilView: ({ to_act }, eyes) => (to_act[0] === eyes ? {} : { pack: [] }),
  veilEvent: (event) => (event.kind === "TicketPicked" ? { ...event, ticket: null } : null),
} satisfies EndPart;
