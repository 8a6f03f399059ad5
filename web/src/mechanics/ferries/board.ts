/** Ferries on the board: water under the track, and the spaces that ask for a locomotive. */
import { t, tn } from "../../i18n/index.svelte.ts";
import type { BoardPart } from "../types.ts";
import Wake from "./Wake.svelte";

export default {
  track: (track) => (track.ferry ? { Under: Wake, locos: track.ferry } : null),
  kind: (track, colour) => (track.ferry ? t("board.kind.ferry", { colour }) : null),
  notes: (track) => (track.ferry ? [tn("board.note.ferry", track.ferry)] : []),
  signs: (track) => (track.ferry ? ["#ferry"] : []),
} satisfies BoardPart;
