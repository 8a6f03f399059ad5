/** A draft of tickets: who has taken one waits with those taken so far before them. */
import { t } from "../../i18n/index.svelte.ts";
import type { TablePart } from "../types.ts";

export default {
  scene: (view, offers) => (view.phase === "draft" && offers.count ? "draft" : null),
  waits: (view) => (view.phase === "draft" ? "draft" : null),
  choices: (view) => view.pack,
  keeping: (view) => (view.phase === "keep_drafted" ? t("game.keep.drafted") : null),
  sounds: { TicketPicked: "ticket" },
} satisfies TablePart;
