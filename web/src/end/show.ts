/** The end as a show: the score sheets cut into scenes, each with what it adds and what the board shows. No rule. */
import type { MapFacts, ScoreWire, TicketLine, TrackFact } from "../wire.ts";

/** What the board is asked to show. */
export interface Shown {
  trails: { tracks: string[]; seat: number }[];
  path: string[];
  lit: string[];
}

export const NOTHING: Shown = { trails: [], path: [], lit: [] };

export type Part = "tracks" | "ticket" | "stations" | "festivals" | "path" | "globetrotter" | "verdict";

export interface Scene {
  part: Part;
  sheet: ScoreWire | null; // whose, or null where it is everybody's
  ticket: TicketLine | null;
  gain: number;
  totals: number[]; // by seat, after this scene
  shown: Shown;
  ms: number;
}

const WEIGHT: Record<Part, number> = {
  tracks: 2200, ticket: 1500, stations: 1300, festivals: 1300, path: 1500, globetrotter: 1800, verdict: 0,
};
export const LONGEST_MS = 24_000;

type Cut = Omit<Scene, "totals" | "ms">;
const cut = (part: Part, sheet: ScoreWire | null = null, gain = 0, shown = NOTHING, ticket: TicketLine | null = null): Cut =>
  ({ part, sheet, ticket, gain, shown });

/** All scenes, the last player's first, so that the winner comes in at the end. */
export function scenesOf(scores: ScoreWire[], facts: MapFacts): Scene[] {
  const rising = [...scores].sort((x, y) => y.place - x.place || y.seat - x.seat);
  const cuts: Cut[] = [
    cut("tracks"),
    ...rising.flatMap((sheet) => sheet.tickets.map((line) => cut("ticket", sheet, line.points, ticketShown(line, sheet.seat, facts), line))),
  ];
  if (facts.stations_each) cuts.push(...rising.map((sheet) => cut("stations", sheet, sheet.stations, loansShown(sheet))));
  if (facts.festivals.length) cuts.push(...rising.map((sheet) => cut("festivals", sheet, festivalPoints(sheet), festivalsShown(sheet, facts))));
  if (facts.longest_path) cuts.push(...rising.map((sheet) => cut("path", sheet, sheet.longest_path_bonus, pathShown(sheet))));
  if (facts.globetrotter) cuts.push(cut("globetrotter"));
  return timed([...cuts, cut("verdict")], scores);
}

function timed(cuts: Cut[], scores: ScoreWire[]): Scene[] {
  const whole = cuts.reduce((sum, scene) => sum + WEIGHT[scene.part], 0);
  const haste = Math.min(1, LONGEST_MS / whole);
  let totals = bySeat(scores, () => 0);
  return cuts.map((scene) => {
    totals = totals.slice();
    if (scene.part === "tracks") totals = bySeat(scores, (sheet) => sheet.tracks);
    if (scene.part === "globetrotter") for (const sheet of scores) totals[sheet.seat]! += sheet.globetrotter_bonus;
    if (scene.sheet) totals[scene.sheet.seat]! += scene.gain;
    return { ...scene, totals, ms: WEIGHT[scene.part] * haste };
  });
}

function bySeat(scores: ScoreWire[], value: (sheet: ScoreWire) => number): number[] {
  const found: number[] = [];
  for (const sheet of scores) found[sheet.seat] = value(sheet);
  return found;
}

/** The parts of a sheet that this map has, in the order in which they are counted; they add up to the total. */
export function partsOf(facts: MapFacts): { id: string; of: (sheet: ScoreWire) => number }[] {
  const parts = [
    { id: "tracks", of: (sheet: ScoreWire) => sheet.tracks, there: true },
    { id: "tickets", of: ticketPoints, there: true },
    { id: "stations", of: (sheet: ScoreWire) => sheet.stations, there: facts.stations_each > 0 },
    { id: "festivals", of: festivalPoints, there: facts.festivals.length > 0 },
    { id: "path", of: (sheet: ScoreWire) => sheet.longest_path_bonus, there: facts.longest_path > 0 },
    { id: "globetrotter", of: (sheet: ScoreWire) => sheet.globetrotter_bonus, there: facts.globetrotter > 0 },
  ];
  return parts.filter((part) => part.there);
}

export const ticketPoints = (sheet: ScoreWire) => sheet.tickets.reduce((sum, line) => sum + line.points, 0);
export const festivalPoints = (sheet: ScoreWire) => sheet.festivals.reduce((sum, line) => sum + line.points, 0);

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

function loansShown(sheet: ScoreWire): Shown {
  const lent = sheet.loans.flatMap((loan) => (loan.track ? [loan.track] : []));
  return { trails: [], path: lent, lit: sheet.loans.map((loan) => loan.place) };
}

function festivalsShown(sheet: ScoreWire, facts: MapFacts): Shown {
  const groups = new Set(sheet.festivals.map((line) => line.group));
  return { ...NOTHING, lit: facts.festivals.filter((fact) => groups.has(fact.id)).flatMap((fact) => fact.places) };
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

/** Why one player stands before, or level with, the next. */
export interface Reason {
  before: ScoreWire;
  after: ScoreWire;
  by: "points" | "tickets" | "stations" | "path" | "nothing";
  mine: number;
  theirs: number;
}

/** For each neighbouring pair of the ranking the first number in which the two differ. The places are the server's. */
export function reasonsOf(scores: ScoreWire[]): Reason[] {
  const ranked = [...scores].sort((x, y) => x.place - y.place || x.seat - y.seat);
  return ranked.slice(1).map((after, i) => {
    const before = ranked[i]!;
    if (before.place === after.place) return { before, after, by: "nothing", mine: 0, theirs: 0 };
    const measures: [Reason["by"], (sheet: ScoreWire) => number][] = [
      ["points", (sheet) => sheet.total],
      ["tickets", (sheet) => sheet.completed],
      ["stations", (sheet) => sheet.loans.length],
      ["path", (sheet) => sheet.longest_path],
    ];
    const [by, of] = measures.find(([, of]) => of(before) !== of(after)) ?? measures[0]!;
    return { before, after, by, mine: of(before), theirs: of(after) };
  });
}
