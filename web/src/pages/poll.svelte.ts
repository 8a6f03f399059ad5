/** A question asked again and again while the page is looked at. */
export class Poll<T> {
  value = $state.raw<T | null>(null);
  failed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = false;

  constructor(readonly ask: () => Promise<T>, readonly every: number) {}

  /** Begin; returns how to stop. Made for `$effect`. */
  start(): () => void {
    const look = () => {
      if (!document.hidden) void this.now();
    };
    this.#running = true;
    void this.now();
    document.addEventListener("visibilitychange", look);
    return () => {
      this.#running = false;
      clearTimeout(this.#timer);
      document.removeEventListener("visibilitychange", look);
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
    if (this.#running && !document.hidden) this.#timer = setTimeout(() => void this.now(), this.every);
  }
}
