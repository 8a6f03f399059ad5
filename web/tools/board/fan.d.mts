import type { BoardArt } from "../../src/board/types.ts";
import type { MapFacts } from "../../src/wire.ts";

export function drawBoard(facts: Pick<MapFacts, "id" | "places" | "tracks" | "outline">): {
  art: BoardArt;
  clashes: string[];
};
