/** A game that begins with one click, from wherever it is offered. */
import { api } from "../lib/api.ts";
import { bots } from "../lib/bots.svelte.ts";
import { maps } from "../lib/maps.svelte.ts";
import { go } from "../lib/route.svelte.ts";
import { visitor } from "../lib/visitor.svelte.ts";
import type { NewTable } from "../wire.ts";

/** Makes a table and goes there; `game` is asked for when it is known which bots and maps there are. */
export async function begin(game: () => NewTable): Promise<void> {
  await visitor.load();
  await Promise.all([bots.load(), maps.load()]);
  go(`/t/${(await api.create(game())).id}`);
}
