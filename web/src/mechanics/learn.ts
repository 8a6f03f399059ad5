/** What the mechanics say about a map to those who learn: which of them it uses, and their numbers. */
import type { MapFacts } from "../wire.ts";
import { MECHANICS } from "./index.ts";
import type { LearnPart } from "./types.ts";

const LEARN = import.meta.glob<LearnPart>("./*/learn.ts", { eager: true, import: "default" });
const part = (name: string) => LEARN[`./${name}/learn.ts`];

/** The mechanics that a map uses; without the facts of the map, all of them. */
export const usedOn = (facts?: MapFacts): string[] =>
  MECHANICS.filter((name) => part(name) && (!facts || part(name)!.used(facts)));

/** Their numbers, by the names that the texts give them. */
export const numbersOf = (facts: MapFacts): Record<string, number> =>
  Object.assign({}, ...usedOn(facts).map((name) => part(name)!.numbers?.(facts)));

/** Their lines among the numbers of a map: the key of the words, and how many. */
export const linesOf = (facts: MapFacts): [string, number][] =>
  usedOn(facts).flatMap((name) => part(name)!.lines?.(facts) ?? []);
