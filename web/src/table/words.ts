/** Sentences of the game screen that depend on the position. */
import { list, num, said, t, tn } from "../i18n/index.svelte.ts";
import type { Refusal } from "../lib/client.svelte.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { ChatWire, HelpWire, TableWire } from "../wire.ts";
import { dueWords, partsOf, plain as textOf, tellFact, type Telling } from "../text/telling.ts";
import type { Screen } from "./screen.svelte.ts";

/** Who has to do what, in one line. */
export function status(screen: Screen): string {
  const { phase } = screen.view;
  if (screen.over) return dueWords(phase);
  if (screen.client.myTurn)
    return phase === "turn" ? t("game.status.your_turn") : dueWords(screen.sceneName === "return" ? "return" : phase);
  const names = screen.view.to_act.map((seat) => screen.name(seat));
  return names.length === 1
    ? t("game.status.turn_of", { name: names[0]! })
    : t("game.status.waiting", { names: list(names) });
}

/** Why something was refused, in the reader's language: by the rule, or by what the server says of it. */
export function why(refusal: Pick<Refusal, "why" | "reason" | "code">, to: Telling): string {
  return refusal.why ? textOf(partsOf(tellFact("why", refusal.why, to))) : said(refusal);
}

/** "4:05", "1:02:09", "2 d 3 h" in the shortest form that tells enough. */
export function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  if (whole >= 86_400) return `${num(Math.floor(whole / 86_400))} d ${num(Math.floor((whole % 86_400) / 3600))} h`;
  const minutes = Math.floor(whole / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
  return `${minutes}:${two(whole % 60)}`;
}

/** Letters without accents or case, for looking for a city. */
export const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The points of a track by its length. */
export const pointsOf = (screen: Screen, track: string): number =>
  screen.facts.track_points[screen.names.tracks.get(track)?.length ?? 0] ?? 0;

/** "completes Berlin–București", or how many trains fewer it will take. */
export function helpWords(screen: Screen, { ticket, before, after }: HelpWire): string {
  const said = { ticket: screen.names.ticket(ticket) };
  if (!after) return t("game.aid.completes", said);
  return before === null ? tn("game.aid.opens", after, said) : tn("game.aid.nearer", before - after, said);
}

/** "3 spaces, colour: green, worth 4 points": a track for the ear. */
export function trackWords(screen: Screen, id: string): string {
  const track = screen.names.tracks.get(id);
  if (!track) return id;
  const colour =
    track.colour === "gray"
      ? t("game.track.gray")
      : t("game.track.colour", { colour: t(`common.card.${track.colour}`) });
  return [
    screen.names.track(id),
    tn("game.track.length", track.length),
    colour,
    tn("game.track.points", pointsOf(screen, id)),
  ].join(", ");
}

/** What was said, without the blocked and, where only phrases are wanted, without free text. */
export function linesShown(chat: readonly ChatWire[], table: TableWire | null): ChatWire[] {
  const blocked = (line: ChatWire) => line.seat !== null && table?.seats[line.seat]?.blocked;
  return chat.filter((line) => !blocked(line) && (line.phrase !== null || !settings.phrasesOnly));
}
