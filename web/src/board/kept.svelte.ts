/** What is drawn of each of many things: whoever reads one hears of it only when that one is another. */
import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";

/**
 * Values by id, made anew whenever what `make` reads changes. A move makes all tracks of a board anew, and one of them is
 * another: the others are compared here, in a plain loop, and nothing of what draws them is asked again.
 */
export function kept<Value>(make: () => Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const values = new SvelteMap<string, Value>();
  const texts = new Map<string, string>();
  $effect.pre(() => {
    for (const [id, value] of make()) {
      const text = JSON.stringify(value);
      if (texts.get(id) === text) continue;
      texts.set(id, text);
      untrack(() => values.set(id, value));
    }
  });
  return values;
}
