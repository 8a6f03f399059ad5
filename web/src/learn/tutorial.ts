/** The tutorial's game: always the same deal, against one gentle bot. */
import type { NewTable } from "../wire.ts";

/**
 * A friendly deal: New York–Atlanta and Montréal–Atlanta share nearly all their way, the third ticket crosses the whole
 * board, and the three blue cards in the first hand pay for Montréal–New York at once.
 */
export const TUTORIAL_DEAL = 1408;

/** On the first map that the service tells. */
export function tutorialGame(map: string): NewTable {
  return {
    map,
    seats: [{ kind: "me" }, { kind: "bot", bot: "random" }],
    order: "fixed",
    seed: TUTORIAL_DEAL,
    start: true,
  };
}
