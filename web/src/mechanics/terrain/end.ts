/** Terrain in a replay: the cards that a player has. */
import { t } from "../../i18n/index.svelte.ts";
import type { EndPart } from "../types.ts";

export default {
  player: (player) =>
    Object.entries(player.terrain).flatMap(([id, n]) =>
      n ? [{ id, words: t(`art.terrain.${id}`), sign: `#terrain-${id}` as const, n }] : [],
    ),
} satisfies EndPart;
