/** Drafts in the text view: which ticket to take from the pack. */
import { t } from "../../i18n/index.svelte.ts";
import { chosenTickets } from "../../text/reading.ts";
import { ticketName } from "../../text/words.ts";
import type { TextPart } from "../types.ts";

export default {
  verbs: {
    take: {
      group: "tickets",
      taken: true,
      tickets: ({ pack }) => pack,
      read: (_, written, context) => chosenTickets("take", written, context.view.pack, context),
      words: ([ticket = ""], _, names) => t("text.offer.take", { ticket: ticketName(ticket, names) }),
    },
  },
  noTurn: ["draft", "keep_drafted"],
  aside: ({ phase, offered }, names) =>
    phase === "draft" && offered.length
      ? [`${t("text.taken")}: ${offered.map((id) => names.ticket(id)).join(", ")}`]
      : [],
} satisfies TextPart;
