/** Whether the service can be reached. What fails is told here; while it is away the page asks, and hears when it is back. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000]; // milliseconds between two questions, the last one for good

class Reach {
  lost = $state(false); // nobody answered, twice
  offline = $state(!navigator.onLine); // this device has no network at all
  #asking = false;
  #wake = () => {};
  #waiting = new Set<() => void>();

  constructor() {
    for (const event of ["online", "offline"]) addEventListener(event, () => this.#changed());
  }

  /** Somebody asked and nobody answered: is it the service, or this one question? */
  async missed(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    for (let tries = 0; !(await answers()); tries++) {
      this.lost = true;
      await this.#pause(PAUSES[Math.min(tries, PAUSES.length - 1)]!);
    }
    this.#asking = false;
    if (!this.lost) return;
    this.lost = false;
    for (const tell of this.#waiting) tell();
  }

  /** Says when the service is back; returns how to stop. */
  onBack(tell: () => void): () => void {
    this.#waiting.add(tell);
    return () => this.#waiting.delete(tell);
  }

  #changed(): void {
    this.offline = !navigator.onLine;
    this.#wake();
    if (this.offline) void this.missed();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
export const reach = new Reach();

const answers = () =>
  fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(8000) }).then(
    (reply) => reply.ok,
    () => false,
  );
