/** Sentences of the game screen that depend on the position. */
import { list, num, said, t, tn } from "../i18n/index.svelte.ts";
import type { Refusal } from "../lib/client.svelte.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { ChatWire, TableWire } from "../wire.ts";
import type { Screen, SceneName } from "./screen.svelte.ts";

const SCENE_STATUS: Record<SceneName, string> = {
  first: "game.status.first_tickets",
  keep: "game.status.keep",
  return: "game.status.return",
  draft: "game.status.draft",
  festival: "game.status.festival",
  double: "game.status.double",
  tunnel: "game.status.tunnel",
  pay: "game.status.pay",
};

const PHASE_STATUS: Record<string, string> = {
  turn: "game.status.your_turn",
  draw_first: "game.status.draw",
  draw_second: "game.status.second",
};

/** Who has to do what, in one line. */
export function status(screen: Screen): string {
  if (screen.over) return t("game.status.over");
  if (screen.client.myTurn) {
    const scene = screen.sceneName;
    return t(scene ? SCENE_STATUS[scene] : (PHASE_STATUS[screen.view.phase] ?? "game.status.your_turn"));
  }
  const names = screen.view.to_act.map((seat) => screen.name(seat));
  return names.length === 1 ? t("game.status.turn_of", { name: names[0]! }) : t("game.status.waiting", { names: list(names) });
}

/** Why something was refused, in the reader's language: by the rule, or by what the server says of it. */
export function why(refusal: Pick<Refusal, "clause" | "reason" | "code">): string {
  const key = `why.${refusal.clause}`;
  const words = refusal.clause ? t(key) : key;
  return words === key ? said(refusal) : words;
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

/** The points of a track by its length. */
export const pointsOf = (screen: Screen, track: string): number =>
  screen.facts.track_points[screen.names.tracks.get(track)?.length ?? 0] ?? 0;

/** "3 spaces, colour: green, worth 4 points": a track for the ear. */
export function trackWords(screen: Screen, id: string): string {
  const track = screen.names.tracks.get(id);
  if (!track) return id;
  const colour = track.colour === "gray" ? t("game.track.gray") : t("game.track.colour", { colour: t(`common.card.${track.colour}`) });
  return [screen.names.track(id), tn("game.track.length", track.length), colour, tn("game.track.points", pointsOf(screen, id))].join(", ");
}

/** What was said, without the blocked and, where only phrases are wanted, without free text. */
export function linesShown(chat: readonly ChatWire[], table: TableWire | null): ChatWire[] {
  const blocked = (line: ChatWire) => line.seat !== null && table?.seats[line.seat]?.blocked;
  return chat.filter((line) => !blocked(line) && (line.phrase !== null || !settings.phrasesOnly));
}
