/** Festivals, for those who learn a map that has them. */
import type { LearnPart } from "../types.ts";

export default {
  used: ({ festivals }) => festivals.length > 0,
  lines: ({ festivals }) => [["learn.numbers.festivals", festivals.reduce((sum, { cards }) => sum + cards, 0)]],
} satisfies LearnPart;
