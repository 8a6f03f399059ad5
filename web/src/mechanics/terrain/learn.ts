/** Terrain, for those who learn a map that has it. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ terrain }) => terrain.length > 0,
  lines: ({ terrain }) => [["learn.numbers.terrain", terrain.reduce((sum, { cards }) => sum + cards, 0)]],
} satisfies LearnPart;
