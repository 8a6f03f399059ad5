/** The end as a show: the score sheets cut into scenes, each with what it adds and what the board shows. No rule. */
import { END } from "../mechanics/end.ts";
import type { EndPart, ScoreLine } from "../mechanics/types.ts";
import type { MapFacts, ScoreWire, TicketLine, TrackFact } from "../wire.ts";

/** What the board is asked to show. */
export interface Shown {
  trails: { tracks: string[]; seat: number }[];
  path: string[];
  lit: string[];
}

export const NOTHING: Shown = { trails: [], path: [], lit: [] };

/** What a scene counts: a part of every map, or by its id the line of a mechanic. */
export type Part = "tracks" | "ticket" | "path" | "globetrotter" | "verdict" | ScoreLine["id"];

export interface Scene {
  part: Part;
  sheet: ScoreWire | null; // whose, or null where it is everybody's
  ticket: TicketLine | null;
  line: ScoreLine | null;
  gain: number;
  totals: number[]; // by seat, after this scene
  shown: Shown;
  ms: number;
}

const WEIGHT: Record<string, number> = {
  tracks: 2200,
  ticket: 1500,
  path: 1500,
  globetrotter: 1800,
  verdict: 0,
};
const LINE_MS = 1300;
export const LONGEST_MS = 24_000;

type Cut = Omit<Scene, "totals" | "ms">;
const cut = (
  part: Part,
  sheet: ScoreWire | null = null,
  gain = 0,
  shown = NOTHING,
  ticket: TicketLine | null = null,
  line: ScoreLine | null = null,
): Cut => ({ part, sheet, ticket, line, gain, shown });

/** All scenes, the last player's first, so that the winner comes in at the end. */
export function scenesOf(scores: ScoreWire[], facts: MapFacts): Scene[] {
  const rising = [...scores].sort((x, y) => y.place - x.place || y.seat - x.seat);
  const cuts: Cut[] = [
    cut("tracks"),
    ...rising.flatMap((sheet) =>
      sheet.tickets.map((line) => cut("ticket", sheet, line.points, ticketShown(line, sheet.seat, facts), line)),
    ),
  ];
  for (const line of linesOf(facts))
    cuts.push(...rising.map((sheet) => cut(line.id, sheet, line.points(sheet), line.shown(sheet, facts), null, line)));
  if (facts.longest_path)
    cuts.push(...rising.map((sheet) => cut("path", sheet, sheet.longest_path_bonus, pathShown(sheet))));
  if (facts.globetrotter) cuts.push(cut("globetrotter"));
  return timed([...cuts, cut("verdict")], scores);
}

function timed(cuts: Cut[], scores: ScoreWire[]): Scene[] {
  const weight = ({ part }: Cut) => WEIGHT[part] ?? LINE_MS;
  const whole = cuts.reduce((sum, scene) => sum + weight(scene), 0);
  const haste = Math.min(1, LONGEST_MS / whole);
  let totals = bySeat(scores, () => 0);
  return cuts.map((scene) => {
    totals = totals.slice();
    if (scene.part === "tracks") totals = bySeat(scores, (sheet) => sheet.tracks);
    if (scene.part === "globetrotter") for (const sheet of scores) totals[sheet.seat]! += sheet.globetrotter_bonus;
    if (scene.sheet) totals[scene.sheet.seat]! += scene.gain;
    return { ...scene, totals, ms: weight(scene) * haste };
  });
}

function bySeat(scores: ScoreWire[], value: (sheet: ScoreWire) => number): number[] {
  const found: number[] = [];
  for (const sheet of scores) found[sheet.seat] = value(sheet);
  return found;
}

/** The lines that the mechanics of this map add. */
export const linesOf = (facts: MapFacts): ScoreLine[] => END.flatMap(({ line }) => (line?.there(facts) ? [line] : []));

/** The parts of a sheet that this map has, in the order in which they are counted; they add up to the total. */
export function partsOf(facts: MapFacts): { id: string; of: (sheet: ScoreWire) => number }[] {
  const parts = [
    { id: "tracks", of: (sheet: ScoreWire) => sheet.tracks, there: true },
    { id: "tickets", of: ticketPoints, there: true },
    ...linesOf(facts).map(({ id, points }) => ({ id, of: points, there: true })),
    { id: "path", of: (sheet: ScoreWire) => sheet.longest_path_bonus, there: facts.longest_path > 0 },
    { id: "globetrotter", of: (sheet: ScoreWire) => sheet.globetrotter_bonus, there: facts.globetrotter > 0 },
  ];
  return parts.filter((part) => part.there);
}

export const ticketPoints = (sheet: ScoreWire) => sheet.tickets.reduce((sum, line) => sum + line.points, 0);

/** A joined ticket: its way in the player's colour, borrowed tracks as a light; one not joined: its two ends. */
export function ticketShown(line: TicketLine, seat: number, facts: MapFacts): Shown {
  const ticket = facts.tickets.find((fact) => fact.id === line.ticket);
  const ends = ticket ? [...ticket.a, ...ticket.b] : [];
  if (!line.completed) return { ...NOTHING, lit: ends };
  const stops = new Set(stopsOf(line.path, facts.tracks));
  return {
    trails: [{ tracks: line.path.filter((track) => !line.borrowed.includes(track)), seat }],
    path: line.borrowed,
    lit: ends.filter((place) => stops.has(place)),
  };
}

export function pathShown(sheet: ScoreWire): Shown {
  return { ...NOTHING, trails: [{ tracks: sheet.longest_path_tracks, seat: sheet.seat }] };
}

/** The places a chain of tracks passes, in order. */
export function stopsOf(path: string[], tracks: TrackFact[]): string[] {
  const facts = path.flatMap((id) => tracks.find((track) => track.id === id) ?? []);
  const [first, second] = facts;
  if (!first) return [];
  const turned = second !== undefined && (first.a === second.a || first.a === second.b);
  let at = turned ? first.b : first.a;
  return [at, ...facts.map((track) => (at = track.a === at ? track.b : track.a))];
}

type Measure = NonNullable<EndPart["tie"]>;
/** What two players are compared by, one after the other. */
const MEASURES: Measure[] = [
  { id: "points", of: (sheet) => sheet.total },
  { id: "tickets", of: (sheet) => sheet.completed },
  ...END.flatMap(({ tie }) => tie ?? []),
  { id: "path", of: (sheet) => sheet.longest_path },
];

/** Why one player stands before, or level with, the next. */
export interface Reason {
  before: ScoreWire;
  after: ScoreWire;
  by: "points" | "tickets" | "path" | "nothing" | Measure["id"];
  mine: number;
  theirs: number;
}

/** For each neighbouring pair of the ranking the first number in which the two differ. The places are the server's. */
export function reasonsOf(scores: ScoreWire[]): Reason[] {
  const ranked = [...scores].sort((x, y) => x.place - y.place || x.seat - y.seat);
  return ranked.slice(1).map((after, i) => {
    const before = ranked[i]!;
    if (before.place === after.place) return { before, after, by: "nothing", mine: 0, theirs: 0 };
    const { id, of } = MEASURES.find((measure) => measure.of(before) !== measure.of(after)) ?? MEASURES[0]!;
    return { before, after, by: id, mine: of(before), theirs: of(after) };
  });
}

/** The reader's game beside that of whoever won, or, having won, of the next: part by part, and where most was won or lost. */
export interface Mine {
  mine: ScoreWire;
  other: ScoreWire;
  parts: { id: string; mine: number; theirs: number }[];
  most: { id: string; mine: number; theirs: number } | null;
  missed: TicketLine[];
}

export function mineOf(scores: ScoreWire[], me: number, facts: MapFacts): Mine | null {
  const mine = scores.find((sheet) => sheet.seat === me);
  const [other] = scores
    .filter((sheet) => sheet.seat !== me)
    .sort((x, y) => x.place - y.place || y.total - x.total || x.seat - y.seat);
  if (!mine || !other) return null;
  const parts = partsOf(facts).map(({ id, of }) => ({ id, mine: of(mine), theirs: of(other) }));
  const side = Math.sign(mine.total - other.total);
  const gap = (part: (typeof parts)[number]) => side * (part.mine - part.theirs);
  const most = parts.reduce((one, next) => (gap(next) > gap(one) ? next : one));
  return {
    mine,
    other,
    parts,
    most: gap(most) > 0 ? most : null,
    missed: mine.tickets.filter((line) => !line.completed),
  };
}
