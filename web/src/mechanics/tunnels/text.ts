/** Tunnels in the text view: what was turned up, and giving up. */
import { t, tn } from "../../i18n/index.svelte.ts";
import { move } from "../../text/reading.ts";
import { heap } from "../../text/words.ts";
import type { TextPart } from "../types.ts";

export default {
  verbs: {
    decline: {
      spellings: "decline,give up,no,renunta,renunt,nu,desistir,desisto,nao",
      group: "pay",
      read: () => move("decline"),
      words: () => t("text.offer.decline"),
    },
  },
  due: ({ tunnel }) => tunnel?.extra ?? null,
  now: ({ tunnel }) =>
    tunnel ? [t("text.tunnel", { cards: heap(tunnel.cards), due: tn("common.cards", tunnel.extra) })] : [],
  track: ({ tunnel }) => (tunnel ? [t("text.track.tunnel")] : []),
} satisfies TextPart;
