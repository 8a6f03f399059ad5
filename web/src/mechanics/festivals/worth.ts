/** What the reader's set of festival cards is worth, and would be with those that lie at the city. */
import type { Screen } from "../../table/screen.svelte.ts";

export function festivalWorth(screen: Screen, group: string): { before: number; after: number } {
  const table = screen.facts.festival_points;
  const worth = (n: number) => table[Math.min(n, table.length - 1)] ?? 0;
  const mine = screen.mine?.festivals[group] ?? 0;
  return { before: worth(mine), after: worth(mine + (screen.view.festivals[group] ?? 0)) };
}
