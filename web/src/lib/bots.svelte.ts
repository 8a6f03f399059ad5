/** The bots this service offers, and their names: levels in the reader's language, others as they call themselves. */
import { knows, t } from "../i18n/index.svelte.ts";
import type { BotFact } from "../wire.ts";
import { api } from "./api.ts";

/** Who has never chosen a level meets the gentlest: to win one's first game is a good beginning. */
export const FIRST_LEVEL = "passenger";
const LEVELS = [FIRST_LEVEL, "porter", "conductor", "driver", "stationmaster"];

class Bots {
  known = $state.raw<BotFact[]>([]);
  levels = $derived(this.known.filter((bot) => bot.level !== null));
  #asked: Promise<BotFact[]> | undefined;

  /** What is offered, asked for once; a failure is asked for again. */
  load(): Promise<BotFact[]> {
    this.#asked ??= api.bots().then(
      (known) => (this.known = known),
      (error: unknown) => {
        this.#asked = undefined;
        throw error;
      },
    );
    return this.#asked;
  }

  /** A bot that is offered: the one wished for, else the level nearest to it. */
  fit(wish: string): string {
    if (!this.known.length || this.known.some((bot) => bot.id === wish)) return wish;
    const at = Math.max(0, LEVELS.indexOf(wish === "path" ? "conductor" : wish));
    const near = [...this.levels].sort((a, b) => Math.abs(a.level! - 1 - at) - Math.abs(b.level! - 1 - at))[0];
    return (near ?? this.known[0]!).id;
  }
}
export const bots = new Bots();

/** A bot's name. */
export function botName(bot: string): string {
  return knows(`common.bot.${bot}`) ? t(`common.bot.${bot}`) : bot;
}

/** How it plays, in one sentence; a bot of the service's owner speaks for itself. */
export function botStyle(bot: string): string {
  if (knows(`common.style.${bot}`)) return t(`common.style.${bot}`);
  return bots.known.find((known) => known.id === bot)?.about ?? "";
}
