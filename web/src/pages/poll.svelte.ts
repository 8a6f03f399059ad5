import { reach } from "../lib/reach.svelte.ts";

/** A question asked again and again while the page is looked at. */
export class Poll<T> {
  value = $state.raw<T | null>(null);
  failed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #users = 0; // who want to know

  constructor(
    readonly ask: () => Promise<T>,
    readonly every: () => number,
  ) {}

  get #running(): boolean {
    return this.#users > 0;
  }

  /** Begin, or ask at once if others have begun; returns how to stop. Made for `$effect`. */
  start(): () => void {
    const look = () => {
      if (!document.hidden) void this.now();
    };
    this.#users++;
    void this.now();
    document.addEventListener("visibilitychange", look);
    addEventListener("focus", look);
    const forget = reach.onBack(look);
    return () => {
      this.#users--;
      if (!this.#running) clearTimeout(this.#timer);
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
      forget();
    };
  }

  async now(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const value = await this.ask();
      if (!this.#running) return;
      this.value = value;
      this.failed = false;
    } catch {
      this.failed = true;
    }
    clearTimeout(this.#timer);
    if (this.#running && !document.hidden) this.#timer = setTimeout(() => void this.now(), this.every());
  }
}
