/** The maps this service offers, in its order, and what they are called. */
import { knows, lang, t } from "../i18n/index.svelte.ts";
import type { MapFacts } from "../wire.ts";
import { api } from "./api.ts";

const KEY = "maps"; // the last list that was told, for a device without a network

function kept(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
  } catch {
    return []; // a list that cannot be read is no list
  }
}

class Maps {
  known = $state.raw<string[]>(kept());
  #asked: Promise<string[]> | undefined;
  #own = $state.raw<Record<string, MapFacts>>({}); // maps that the page has no name for
  #sought = new Set<string>();

  /** The ids, asked for once; a failure is asked for again. */
  load(): Promise<string[]> {
    this.#asked ??= api.maps().then(
      (known) => {
        localStorage.setItem(KEY, JSON.stringify(known));
        return (this.known = known);
      },
      (error: unknown) => {
        this.#asked = undefined;
        throw error;
      },
    );
    return this.#asked;
  }

  /** A map that is offered: the one wished for, else the first. */
  fit(wish: string): string {
    return this.known.includes(wish) ? wish : (this.known[0] ?? wish);
  }

  /** What a map of somebody else's calls itself; its id until the service has told. */
  ownName(map: string): string {
    return this.#learn(map)?.name ?? map;
  }

  /** So many others as wished for, or as this map lets sit down. */
  opponents(map: string, wish: number): number {
    const own = isOurs(map) ? undefined : this.#learn(map);
    return own ? Math.min(Math.max(wish, own.min_players - 1), own.max_players - 1) : wish;
  }

  #learn(map: string): MapFacts | undefined {
    const key = `${lang.code} ${map}`; // in another language it may have another name
    if (map && !this.#sought.has(key)) {
      this.#sought.add(key);
      api.facts(map).then(
        (facts) => (this.#own = { ...this.#own, [key]: facts }),
        () => undefined, // a map that is gone has no other name
      );
    }
    return this.#own[key];
  }
}
export const maps = new Maps();

/** Whether the page has words for a map. */
function isOurs(map: string): boolean {
  return knows(`common.map.${map}`);
}

/** A map's name in the reader's language; a map of somebody else's has its own. */
export function mapName(map: string, own?: string): string {
  return isOurs(map) ? t(`common.map.${map}`) : (own ?? maps.ownName(map));
}

/** What a map has to offer, in one sentence; a map of somebody else's says nothing. */
export function mapBlurb(map: string): string {
  return knows(`shell.blurb.${map}`) ? t(`shell.blurb.${map}`) : "";
}
