/** Terrain cards of the players. */
import type { Screen } from "../../table/screen.svelte.ts";

/** The most cards of a kind before any other player. */
export const mostOfOthers = (screen: Screen, terrain: string): number =>
  Math.max(
    0,
    ...screen.view.players
      .filter((player) => player.seat !== screen.client.me)
      .map((player) => player.terrain[terrain] ?? 0),
  );
