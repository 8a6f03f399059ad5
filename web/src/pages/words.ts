/** Small words the pages share: clocks, failures, lists of names. */
import { lang, list, t, tn } from "../i18n/index.svelte.ts";
import type { ClockOption, TableLine } from "../wire.ts";

export function clockWords(clock: ClockOption): string {
  if (clock.kind === "live") return t("shell.clock.liveShort", { m: Math.round(clock.pool / 60), s: clock.increment });
  if (clock.kind === "days") return daysWords(clock.days);
  return t("shell.clock.noneShort");
}

export function daysWords(days: number): string {
  return days < 1 ? tn("shell.clock.hours", Math.round(days * 24)) : tn("shell.clock.daysEach", days);
}

/** The time of day at which something ends. */
export const untilWords = (moment: Date): string =>
  new Intl.DateTimeFormat(lang.code, { timeStyle: "short" }).format(moment);

export const failure = (error: unknown): string =>
  t("common.error", { reason: error instanceof Error ? error.message : String(error) });

/** The reader's result in a finished game, or null for one who only watched. */
export function resultWords(line: TableLine): string | null {
  if (line.here && line.places)
    return t("pass.won", { names: list(line.names.filter((_, seat) => line.places![seat] === 1)) });
  if (line.you === null || !line.places || !line.totals) return null;
  const place = line.places[line.you] ?? 0;
  const points = tn("common.points", line.totals[line.you] ?? 0);
  return t(place === 1 ? "shell.games.won" : "shell.games.placed", { place, of: line.places.length, points });
}

/** What needs the reader first: their turn, then games that run, then tables that wait, each newest first. */
export function sorted(lines: TableLine[]): TableLine[] {
  const rank = (line: TableLine) =>
    line.aside ? 4 : line.your_turn ? 0 : line.state === "playing" ? 1 : line.state === "open" ? 2 : 3;
  return [...lines].sort((a, b) => rank(a) - rank(b) || b.updated - a.updated);
}
