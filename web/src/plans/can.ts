/** Whether the reader can plan now: a seat of their own, somebody else to choose, and no clock of minutes. */
import type { TableClient } from "../lib/client.svelte.ts";

export function canPlan(client: TableClient): boolean {
  const { table, view, me } = client;
  if (!table || !view || me === null || table.state !== "playing" || table.clock.kind === "live" || table.here.length)
    return false;
  return view.phase !== "over" && !view.to_act.includes(me) && !table.seats[me]?.proxied;
}

/** How many wishes are kept at the service. */
export const planned = (client: TableClient): number => client.table?.plan?.turns.flat().length ?? 0;
