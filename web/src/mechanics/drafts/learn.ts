/** Drafts, for those who learn a map that has them. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ first_tickets }) => "draft" in first_tickets,
  numbers: ({ first_tickets }) => ({ draft: first_tickets.draft ?? 0, keep_exactly: first_tickets.keep_exactly ?? 0 }),
} satisfies LearnPart;
