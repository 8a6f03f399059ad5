import type { BoardArt } from "../../src/board/types.ts";

export function clashesOf(art: Pick<BoardArt, "places" | "tracks" | "slot" | "dot" | "width" | "height">): string[];
