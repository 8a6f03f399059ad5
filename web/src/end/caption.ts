/** A scene of the end in words. */
import { lang, list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import type { MapFacts, ScoreWire } from "../wire.ts";
import { partsOf, reasonsOf, type Reason, type Scene, stopsOf } from "./show.ts";

export interface Caption {
  head: string;
  lines: string[];
  points: number | null;
}

export type NameOf = (seat: number) => string;

/** +12, −5, 0 */
export const signed = (n: number) =>
  new Intl.NumberFormat(lang.code, { signDisplay: "exceptZero" }).format(n).replace("-", "−");

export function captionOf(
  scene: Scene,
  scores: ScoreWire[],
  facts: MapFacts,
  names: Names,
  nameOf: NameOf,
  me: number | null = null,
): Caption {
  switch (scene.part) {
    case "tracks":
      return { head: t("end.part.tracks"), lines: [t("end.scene.tracks")], points: null };
    case "ticket":
      return ticketCaption(scene, names);
    case "path":
      return { head: t("end.part.path"), lines: [pathLine(scene.sheet!)], points: scene.gain };
    case "globetrotter":
      return { head: t("end.part.globetrotter"), lines: [globetrotterLine(scores, facts, nameOf)], points: null };
    case "verdict":
      return verdictOf(scores, facts, nameOf, me);
    default: {
      const lines = scene.line!.words(scene.sheet!, facts, names);
      return { head: t(`end.part.${scene.part}`), lines, points: scene.gain };
    }
  }
}

function ticketCaption(scene: Scene, names: Names): Caption {
  const line = scene.ticket!;
  const lines = line.completed ? [wayOf(line.path, names)] : [t("end.ticket.missed")];
  if (line.borrowed.length)
    lines.push(t("end.ticket.borrowed", { tracks: list(line.borrowed.map((track) => names.track(track))) }));
  return { head: names.ticket(line.ticket), lines, points: line.points };
}

/** "by way of A, B and C", or "by one track". */
export function wayOf(path: string[], names: Names): string {
  const between = stopsOf(path, names.facts.tracks).slice(1, -1);
  if (!between.length) return t("end.ticket.direct");
  return t("end.ticket.way", { places: list(between.map((place) => names.place(place))) });
}

function pathLine(sheet: ScoreWire): string {
  const length = tn("common.trains", sheet.longest_path);
  return t(sheet.longest_path_bonus ? "end.path.best" : "end.path.other", { length });
}

function globetrotterLine(scores: ScoreWire[], facts: MapFacts, nameOf: NameOf): string {
  const best = scores.filter((sheet) => sheet.globetrotter_bonus);
  if (!best.length) return t("end.globetrotter.none");
  const said = {
    names: list(best.map((sheet) => nameOf(sheet.seat))),
    tickets: tn("common.tickets", best[0]!.completed),
  };
  return tn("end.globetrotter.best", best.length, { ...said, points: signed(facts.globetrotter) });
}

/** Who wins and by what; then every tie that was broken, and where the difference came from: a player reads that of their own game (MyGame). */
function verdictOf(scores: ScoreWire[], facts: MapFacts, nameOf: NameOf, me: number | null): Caption {
  const winners = scores.filter((sheet) => sheet.place === 1);
  const first = winners[0];
  if (!first) return { head: t("end.title"), lines: [], points: null };
  const said = { names: list(winners.map((sheet) => nameOf(sheet.seat))), points: tn("common.points", first.total) };
  const reasons = reasonsOf(scores);
  const lines = reasons.filter((reason) => reason.by !== "points").map((reason) => reasonLine(reason, nameOf));
  const second = reasons[0];
  if (second && winners.length === 1 && me === null) {
    if (second.by === "points") lines.unshift(marginLine(second, nameOf));
    lines.push(differenceLine(second, facts, nameOf));
  }
  return { head: tn("end.verdict.wins", winners.length, said), lines, points: null };
}

function marginLine({ before, after }: Reason, nameOf: NameOf): string {
  return tn("end.verdict.margin", before.total - after.total, { name: nameOf(after.seat) });
}

function reasonLine({ before, after, by, mine, theirs }: Reason, nameOf: NameOf): string {
  const said = { winner: nameOf(before.seat), other: nameOf(after.seat), points: tn("common.points", before.total) };
  return t(`end.tie.${by}`, { ...said, mine, theirs });
}

function differenceLine({ before, after }: Reason, facts: MapFacts, nameOf: NameOf): string {
  const parts = partsOf(facts).map((part) => `${t(`end.part.${part.id}`)} ${signed(part.of(before) - part.of(after))}`);
  return t("end.verdict.difference", {
    name: nameOf(before.seat),
    other: nameOf(after.seat),
    parts: parts.join(" · "),
  });
}
