/**
 * What did not get through is tried again with the same key: a few times by itself, then whenever the visitor says so.
 * What the page shows of it stands in `again`.
 */
const PAUSES = [300, 600, 1200, 2400, 4000]; // milliseconds
const QUIET = 1000; // a deed that gets through within this time is not worth a word

/** A name for one intention; randomUUID is not there on plain http at an address of the house. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** How long to wait after so many tries, scattered so that not all come back at once; null when it is enough. */
export function pauseAfter(tries: number): number | null {
  const pause = PAUSES[tries];
  return pause === undefined ? null : pause * (0.75 + Math.random() / 2);
}

/** A deed that nobody could do so far, and what the visitor can say to it. */
interface Question {
  reason: string;
  retry: () => void;
  stop: () => void;
}

class Again {
  trying = $state(0); // deeds that have been tried for more than a second
  questions = $state.raw<Question[]>([]);

  /** Does it until it is done, is refused for good, or the visitor leaves it. */
  async insist<T>(deed: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
    for (;;) {
      const outcome = await this.#someTimes(deed, passes);
      if ("done" in outcome) return outcome.done;
      if (!(await this.#ask((outcome.failed as Error).message))) throw outcome.failed;
    }
  }

  async #someTimes<T>(
    deed: () => Promise<T>,
    passes: (error: unknown) => boolean,
  ): Promise<{ done: T } | { failed: unknown }> {
    let quiet = () => {};
    try {
      for (let tries = 0; ; tries++) {
        try {
          return { done: await deed() };
        } catch (failed) {
          if (!passes(failed)) throw failed;
          const pause = pauseAfter(tries);
          if (pause === null) return { failed };
          if (!tries) quiet = this.begin();
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    } finally {
      quiet();
    }
  }

  /** Something is being tried again; after a while the page says so. Returns how to end it. */
  begin(): () => void {
    let shown = false;
    const timer = setTimeout(() => {
      shown = true;
      this.trying++;
    }, QUIET);
    return () => {
      clearTimeout(timer);
      if (shown) this.trying--;
      shown = false;
    };
  }

  #ask(reason: string): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (again: boolean) => () => {
        this.questions = this.questions.filter((one) => one !== question);
        resolve(again);
      };
      const question: Question = { reason, retry: answer(true), stop: answer(false) };
      this.questions = [...this.questions, question];
    });
  }
}
export const again = new Again();
