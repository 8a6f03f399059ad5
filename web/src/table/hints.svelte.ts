/**
 * The place for hints: whatever explains the table stands here and never over the board. On a telephone it lies between
 * the board and the cards, on a wide screen above the panels beside the board; it scrolls inside itself when it is long.
 *
 * A component inside the game hands its words to `Hints.svelte` as a child. One that stands outside it (the tutorial)
 * writes a snippet: `$effect(() => hints.show(card))` with `{#snippet card()}…{/snippet}`; it goes with the component.
 */
import type { Snippet } from "svelte";

class Hints {
  shown = $state.raw<Snippet | null>(null);

  /** Puts a hint there; the function returned takes it away, unless another has come in its place. */
  show(hint: Snippet): () => void {
    this.shown = hint;
    return () => {
      if (this.shown === hint) this.shown = null;
    };
  }
}
export const hints = new Hints();
