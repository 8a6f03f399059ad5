// What is read off the board at a glance: what is lit, whose network, the signs and paths of tickets, the last moves, the tip.
import { beforeEach, describe, expect, test } from "vitest";
import { signsOf } from "../src/art/ticketSigns.ts";
import { spotFor } from "../src/board/tip.ts";
import { roomBy, waysPaths } from "../src/board/ways.ts";
import type { BoardArt } from "../src/board/types.ts";
import { TableClient } from "../src/lib/client.svelte.ts";
import { Names } from "../src/lib/names.ts";
import { lookOf } from "../src/lib/seats.ts";
import { settings } from "../src/lib/settings.svelte.ts";
import { onKey } from "../src/table/keys.ts";
import { Screen } from "../src/table/screen.svelte.ts";
import { lastMoves, lastWords, leftBy } from "../src/text/last.ts";
import { plain } from "../src/text/words.ts";
import type { Advice, EventWire, PlayerWire, StepWire, ViewWire } from "../src/wire.ts";
import { factsOf, speak } from "./text.fixture.ts";

speak("en");
const facts = factsOf("europe");
facts.tickets.forEach((one, i) => (one.id ??= `t${i}`));
const names = new Names(facts);
const player = (seat: number, more: Partial<PlayerWire> = {}) =>
  ({
    seat,
    trains: 45,
    score: 0,
    hand: {},
    tickets: [],
    completed: [],
    stations: [],
    terrain: {},
    festivals: {},
    ...more,
  }) as unknown as PlayerWire;
const VIEW = {
  reader: 1,
  phase: "turn",
  to_act: [1],
  owners: {},
  closed: [],
  offered: [],
  pack: [],
  pending: null,
} as unknown as ViewWire;

/** The path of a ticket as the server might tell it: any track at its first end. */
function pathOf(id: string) {
  const { a } = names.tickets.get(id)!;
  const track = id === "short" ? near : facts.tracks.find((one) => a.includes(one.a) || a.includes(one.b))!;
  return { tracks: [track.id], loans: [], trains: track.length, cards: {} };
}
function seated(offers: string[], mine: Partial<PlayerWire> = {}, view: Partial<ViewWire> = {}): Screen {
  const client = new TableClient("x");
  client.offers = offers;
  client.view = { ...VIEW, players: [player(0), player(1, mine), player(2)], ...view };
  client.advice = {
    paths: Object.fromEntries((mine.tickets ?? []).map((id) => [id, pathOf(id)])),
  } as unknown as Advice;
  return new Screen(client, facts, names);
}
const near = facts.tracks.find((track) => track.length === 2)!;
const far = facts.tracks.find((track) => ![near.a, near.b].some((place) => [track.a, track.b].includes(place)))!;
const ticket = { ...facts.tickets[0]!, id: "short", a: [near.a], b: [near.b] };
facts.tickets.push(ticket);
names.tickets.set("short", ticket);
const claims = [near, far].map((track) => `claim ${track.id} red`);

beforeEach(() => {
  settings.litAll = false;
});

describe("what is lit", () => {
  test("the tracks that help a ticket, of those that can be claimed", () => {
    const screen = seated(claims, { tickets: ["short"] });
    expect([...screen.legal].sort()).toEqual([near.id, far.id].sort());
    expect([...screen.shining]).toEqual([near.id]);
  });
  test("all when asked for and when no ticket is left; none when none helps", () => {
    settings.litAll = true;
    expect(seated(claims, { tickets: ["short"] }).shining.size).toBe(2);
    settings.litAll = false;
    expect(seated(claims, { tickets: ["short"], completed: ["short"] }).shining.size).toBe(2);
    expect(seated([claims[1]!], { tickets: ["short"] }).shining.size).toBe(0);
  });
  test("a card of the hand narrows, whatever it helps", () => {
    const screen = seated(claims, { tickets: ["short"] });
    screen.filter = "red";
    expect([...screen.shining].sort()).toEqual([near.id, far.id].sort());
    screen.filter = "blue";
    expect(screen.shining.size).toBe(0);
  });
});

test("one player's network alone: mine first, then the others, then everybody's; Escape ends it", () => {
  const screen = seated([]);
  const press = (key: string) => onKey(new KeyboardEvent("keydown", { key }), screen);
  const seen = ["n", "n", "n", "n"].map((key) => (press(key), screen.alone));
  expect(seen).toEqual([1, 2, 0, null]);
  press("n");
  press("Escape");
  expect(screen.alone).toBeNull();
});

test("every ticket has a sign of its own at its cities, and its path can be shown with all others", () => {
  const held = facts.tickets.slice(0, 8).map(({ id }) => id);
  const signs = signsOf(held, [held[1]!]);
  expect(new Set(signs.map(({ letter }) => letter)).size).toBe(held.length);
  expect(signs.filter(({ done }) => done).map(({ id }) => id)).toEqual([held[1]]);
  const screen = seated([], { tickets: held, completed: [held[1]!] });
  for (const id of held)
    for (const city of names.tickets.get(id)!.a) expect(screen.signsAt.get(city)!.map((sign) => sign.id)).toContain(id);
  expect(screen.ways).toEqual([]);
  screen.together = true;
  expect(screen.ways).toHaveLength(held.length - 1);
  screen.together = false;
  screen.pin(held[0]!);
  expect(screen.ways).toHaveLength(1);
});

const ART = {
  width: 400,
  height: 300,
  slot: 12,
  dot: 6,
  places: {
    a: { x: 50, y: 100, label: null },
    b: { x: 250, y: 100, label: { x: 250, y: 80, w: 40, h: 14, lines: [] } },
  },
  tracks: {
    "a-b": {
      d: "",
      w: 30,
      slots: [
        [100, 100, 0],
        [150, 100, 0],
        [200, 100, 180],
      ],
    },
  },
} as unknown as BoardArt;

test("ways on one track lie beside each other and run from place to place", () => {
  const map = { ...facts, tracks: [{ ...near, id: "a-b", a: "a", b: "b" }] };
  const drawn = waysPaths(ART, map, [
    { tracks: ["a-b"], kind: 0 },
    { tracks: ["a-b"], kind: 1 },
    { tracks: ["a-b"], kind: 2 },
  ]);
  expect(new Set(drawn).size).toBe(3);
  for (const path of drawn) expect(path).toMatch(/^M50 100L.*L250 100$/);
  const xs = [...drawn[0]!.matchAll(/[ML](-?[\d.]+) /g)].map((found) => Number(found[1]));
  expect(xs).toEqual([...xs].sort((one, other) => one - other));
});

test("a sign stands away from label and spaces", () => {
  const spot = roomBy(ART, "b", 18);
  expect(spot.y).toBeGreaterThan(-9);
  expect(Math.hypot(spot.x, spot.y)).toBeCloseTo(18);
});

test("the tip is near the pointer, in the room, and not on what it speaks of", () => {
  const [tip, room] = [
    { width: 120, height: 40 },
    { width: 400, height: 300 },
  ];
  for (const at of [
    { x: 200, y: 150 },
    { x: 5, y: 5 },
    { x: 395, y: 295 },
    { x: 395, y: 5 },
  ]) {
    const thing = { x: at.x - 30, y: at.y - 8, width: 60, height: 16 };
    const spot = spotFor(at, tip, room, [thing]);
    expect(spot.x >= 0 && spot.y >= 0 && spot.x + tip.width <= room.width && spot.y + tip.height <= room.height).toBe(
      true,
    );
    const apart =
      spot.x >= thing.x + thing.width ||
      thing.x >= spot.x + tip.width ||
      spot.y >= thing.y + thing.height ||
      thing.y >= spot.y + tip.height;
    expect(apart).toBe(true);
    expect(Math.hypot(spot.x + tip.width / 2 - at.x, spot.y + tip.height / 2 - at.y)).toBeLessThan(140);
  }
});

describe("the last move", () => {
  const step = (...events: Partial<EventWire>[]) => ({ events, by: "" }) as unknown as StepWire;
  const to = { names, seats: [{ name: "Ana" }, { name: "Bo" }], me: 1 };
  const steps = [
    step(
      { kind: "TurnBegan", seat: 0 },
      { kind: "TrackClaimed", seat: 0, track: near.id, points: 2, colour: "red", cards: 2, locos: 0 },
    ),
    step(
      { kind: "TurnBegan", seat: 1 },
      { kind: "DrewCard", seat: 1, card: "red", place: 1 },
      { kind: "DisplayFilled", card: "blue", place: 1 },
    ),
    step({ kind: "DrewCard", seat: 1, card: "red", place: 2 }),
  ];
  test("is told in a few words", () => {
    const moves = lastMoves(steps);
    expect(plain(lastWords(moves.get(0)!, to))).toBe(`${names.track(near.id)}: 2 points`);
    expect(plain(lastWords(moves.get(1)!, to))).toBe("2 red cards");
    const other = step({ kind: "DrewCard", seat: 1, card: "loco", place: 2 });
    expect(plain(lastWords(lastMoves([...steps.slice(0, 2), other]).get(1)!, to))).toBe("red + locomotive");
  });
  test("glows until that player's next move", () => {
    expect([...leftBy(lastMoves(steps))]).toEqual([[near.id, 0]]);
    const later = [...steps, step({ kind: "TurnBegan", seat: 0 }, { kind: "DrewBlind", seat: 0, card: null })];
    expect(leftBy(lastMoves(later)).size).toBe(0);
  });
});

test("a seat looks as was chosen, and else by its number", () => {
  expect(lookOf([{ colour: 3 }, { colour: 0 }], 0)).toBe(3);
  expect(lookOf(undefined, 2)).toBe(2);
});
