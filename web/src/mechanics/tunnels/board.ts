/** Tunnels on the board: rock about the spaces. */
import { t, tn } from "../../i18n/index.svelte.ts";
import type { BoardPart } from "../types.ts";
import Rock from "./Rock.svelte";

export default {
  track: (track) => (track.tunnel ? { Under: Rock } : null),
  kind: (track, colour) => (track.tunnel ? t("board.kind.tunnel", { colour }) : null),
  notes: (track, facts) => (track.tunnel ? [tn("board.note.tunnel", facts.tunnel_cards)] : []),
  signs: (track) => (track.tunnel ? ["#tunnel"] : []),
} satisfies BoardPart;
