/** A review as the page shows it: numbers in words, and where things stand. No judgement is made here. */
import { num, t } from "../i18n/index.svelte.ts";
import type { CurvePoint, ReplayStep, ReviewMove, ReviewOpen, ReviewWire, Verdict } from "../wire.ts";

export const BAD: ReadonlySet<Verdict | null> = new Set<Verdict | null>(["inaccuracy", "mistake", "blunder"]);

/** "62 %", of a part of the win. */
export const percent = (part: number): string => t("reviewed.percent", { n: num(Math.round(part * 100)) });

/** "+6 %", "−12 %", "0 %". */
export function change(part: number): string {
  const n = Math.round(part * 100);
  return t("reviewed.percent", { n: n > 0 ? `+${num(n)}` : num(n).replace("-", "−") });
}

/** The curve to draw: what each thought last of its own chances, as parts of one win. */
export const drawn = (curve: readonly CurvePoint[]): ReviewOpen[] =>
  curve.map(({ move, own }) => {
    const sum = own.reduce((all, one) => all + one, 0) || 1;
    return { move, win: own.map((one) => one / sum) };
  });

/** The position before a move: the last step before it in which something happened. */
export function frameBefore(frames: readonly ReplayStep[], move: number): number {
  const after = frames.findIndex((frame) => frame.seq >= move);
  return Math.max(0, (after < 0 ? frames.length : after) - 1);
}

/** The point of the curve that holds after so many moves. */
export function pointAt(curve: readonly ReviewOpen[], move: number): ReviewOpen | null {
  let found: ReviewOpen | null = null;
  for (const point of curve) {
    if (point.move > move) break;
    found = point;
  }
  return found ?? curve[0] ?? null;
}

/** The track or the city that a line of notation is about, to be drawn on the board. */
export function aboutOf(line: string | null): string | null {
  const [verb, about] = (line ?? "").split(" ");
  return verb && about && !["draw", "keep", "return", "locos", "tickets", "pass"].includes(verb) ? about : null;
}

/** The moves that were judged, of one seat or of all. */
export const judged = (review: ReviewWire, seat: number | null): ReviewMove[] =>
  review.moves.filter((move) => move.verdict !== null && (seat === null || move.seat === seat));
