/** The tables of numbers that mechanics add to a page of rules. */
import type { Component, Snippet } from "svelte";
import type { MapFacts } from "../wire.ts";
import { inOrder } from "./index.ts";

/** `ladder` draws a table of two rows: its caption, the head of the first row, and pairs of a size and its points. */
export interface NumbersProps {
  facts: MapFacts;
  ladder: Snippet<[caption: string, head: string, steps: (readonly [number, number])[]]>;
}

export const NUMBERS = inOrder(
  import.meta.glob<Component<NumbersProps>>("./*/Numbers.svelte", { eager: true, import: "default" }),
);
