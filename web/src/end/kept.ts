/** What this browser wrote down when it sat down at a table, to be compared with what the server says after the game. */
import type { Kept } from "./fair.ts";

const KEY = "fair.kept";
const MOST = 200;

function all(): Record<string, Kept> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Record<string, Kept>;
  } catch {
    return {};
  }
}

export function keepSeed(table: string, seed: string, commitment: string): void {
  const { [table]: _, ...others } = all();
  const latest = [...Object.entries(others), [table, { seed, commitment }]].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest)));
  } catch {
    // No room, or storage is forbidden: the page then has nothing to compare, and says so.
  }
}

export function keptSeed(table: string): Kept | null {
  return all()[table] ?? null;
}
