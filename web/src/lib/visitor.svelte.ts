/** Who sits at this browser: a guest, asked of the service once, with a name of its own choosing. */
import { lang, setLang, type Lang } from "../i18n/index.svelte.ts";
import type { Me } from "../wire.ts";
import { api } from "./api.ts";

class Visitor {
  me = $state.raw<Me | null>(null);
  #asked: Promise<Me> | null = null;

  /** Asks the service on the first call; later calls share the answer. A failed question is asked anew. */
  load(): Promise<Me> {
    this.#asked ??= api.me().then(
      (me) => (this.me = me),
      (error: unknown) => {
        this.#asked = null;
        throw error;
      },
    );
    return this.#asked;
  }

  async rename(name: string): Promise<void> {
    this.me = await api.changeMe({ name, lang: null });
    this.#asked = Promise.resolve(this.me);
  }

  /** Away until the end of this day, or back again. */
  async holiday(until: string | null): Promise<void> {
    this.me = await api.changeMe({ holiday: until });
    this.#asked = Promise.resolve(this.me);
  }

  /** The language of the page, told to the service too: a notice should speak it. */
  async speak(code: Lang): Promise<void> {
    await setLang(code);
    await api.changeMe({ name: null, lang: lang.code }).then(
      (me) => (this.me = me),
      () => undefined, // the page speaks it all the same
    );
  }
}
export const visitor = new Visitor();
