import type { BoardArt } from "../../src/board/types.ts";

export function buildBoard(facts: unknown, config: unknown, geography: unknown): { art: BoardArt; clashes: string[] };
