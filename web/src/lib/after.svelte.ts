/** Work of one step in two frames, so that neither is a long task. */
import { untrack } from "svelte";

/** What `value` says, once a frame that shows its change has been drawn; the first value is there at once. */
export function after<Value>(value: () => Value): { readonly now: Value } {
  let now = $state.raw(untrack(value));
  let [waiting, gone] = [false, false];
  const follow = () => {
    waiting = false;
    if (!gone) now = untrack(value); // the latest: of steps in a row none waits for the others to end
  };
  $effect(() => {
    void value();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => setTimeout(follow));
  });
  $effect(() => () => void (gone = true));
  return {
    get now() {
      return now;
    },
  };
}
