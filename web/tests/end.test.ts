import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import EndShow from "../src/end/EndShow.svelte";
import { captionOf, signed } from "../src/end/caption.ts";
import { claimsIn, frameAt, framesOf, freshIn, heardBy, jump, seenBy, turnsIn } from "../src/end/replay.ts";
import {
  LONGEST_MS,
  NOTHING,
  partsOf,
  reasonsOf,
  mineOf,
  scenesOf,
  type Shown,
  stopsOf,
  ticketShown,
} from "../src/end/show.ts";
import { setLang } from "../src/i18n/index.svelte.ts";
import { TableClient } from "../src/lib/client.svelte.ts";
import { Names } from "../src/lib/names.ts";
import { settings } from "../src/lib/settings.svelte.ts";
import type {
  EventWire,
  MapFacts,
  PlayerWire,
  ReplayStep,
  ScoreWire,
  SeatWire,
  TableWire,
  TrackFact,
  ViewWire,
} from "../src/wire.ts";

const place = (id: string) => ({
  id,
  name: id,
  kind: "city" as const,
  country: null,
  dead_end: false,
  lat: 0,
  lon: 0,
  label: id,
});
const track = (a: string, b: string): TrackFact => ({
  id: `${a}-${b}`,
  a,
  b,
  length: 2,
  colour: "red",
  ferry: 0,
  tunnel: false,
  reconstructed: false,
});

const facts = {
  id: "europe",
  stations_each: 3,
  station_points: 4,
  longest_path: 10,
  globetrotter: 10,
  festivals: [{ id: "g", places: ["A"], cards: 3, reconstructed: false }],
  places: ["A", "B", "C", "D"].map(place),
  tracks: [track("A", "B"), track("C", "B"), track("C", "D")],
  tickets: [
    { id: "far", a: ["A"], b: ["D"], from: "A", to: "D", points: 12, long: false, reconstructed: false },
    { id: "near", a: ["A"], b: ["B"], from: "A", to: "B", points: 5, long: false, reconstructed: false },
  ],
} as unknown as MapFacts;

const sheet = (seat: number, given: Partial<ScoreWire>): ScoreWire => ({
  seat,
  place: seat + 1,
  total: 0,
  tracks: 0,
  tickets: [],
  completed: 0,
  stations: 0,
  loans: [],
  festivals: [],
  mail: [],
  stamps: 0,
  longest_path: 0,
  longest_path_tracks: [],
  longest_path_bonus: 0,
  globetrotter_bonus: 0,
  ...given,
});

const far = { ticket: "far", points: 12, completed: true, path: ["A-B", "C-B", "C-D"], borrowed: ["C-B"] };
const near = { ticket: "near", points: -5, completed: false, path: [], borrowed: [] };
const scores = [
  sheet(0, {
    place: 2,
    total: 27,
    tracks: 20,
    tickets: [near],
    stations: 12,
    longest_path: 4,
    longest_path_tracks: ["A-B"],
  }),
  sheet(1, {
    place: 1,
    total: 76,
    tracks: 30,
    tickets: [far],
    completed: 1,
    stations: 8,
    loans: [{ place: "B", track: "C-B" }],
    festivals: [{ group: "g", cards: 3, points: 6 }],
    longest_path: 8,
    longest_path_tracks: ["A-B", "C-D"],
    longest_path_bonus: 10,
    globetrotter_bonus: 10,
  }),
];
const seats = ["Ana", "Bo"].map((name, seat): SeatWire => ({
  kind: "person",
  name,
  bot: null,
  you: false,
  connected: true,
  proxied: false,
  clock_out: false,
  blocked: false,
  colour: seat,
  expected: false,
  away: null,
  missed: false,
  nudged: false,
  holiday: false,
}));

describe("one's own game", () => {
  it("stands beside the winner's, and says where most was lost and which tickets failed", () => {
    const story = mineOf(scores, 0, facts)!;
    expect(story.other.seat).toBe(1);
    expect(story.parts.reduce((sum, part) => sum + part.mine - part.theirs, 0)).toBe(27 - 76);
    expect(story.most).toEqual({ id: "tickets", mine: -5, theirs: 12 });
    expect(story.missed).toEqual([near]);
  });

  it("stands beside the second's for who won", () => {
    const story = mineOf(scores, 1, facts)!;
    expect(story.other.seat).toBe(0);
    expect(story.most?.id).toBe("tickets");
    expect(story.missed).toEqual([]);
  });
});

describe("the scenes of the end", () => {
  const scenes = scenesOf(scores, facts);

  it("end with every total as the server has it, the winner's sheet last", () => {
    expect(scenes.at(-1)!.totals).toEqual([27, 76]);
    expect(scenes.map((scene) => [scene.part, scene.sheet?.seat ?? null])).toEqual([
      ["tracks", null],
      ["ticket", 0],
      ["ticket", 1],
      ["stations", 0],
      ["stations", 1],
      ["festivals", 0],
      ["festivals", 1],
      ["path", 0],
      ["path", 1],
      ["globetrotter", null],
      ["verdict", null],
    ]);
  });

  it("take no longer than they may, however many tickets there are", () => {
    const many = scores.map((one) => ({ ...one, tickets: Array.from({ length: 30 }, () => far) }));
    const whole = scenesOf(many, facts).reduce((sum, scene) => sum + scene.ms, 0);
    expect(whole).toBeLessThanOrEqual(LONGEST_MS + 1);
  });

  it("show a ticket's way, the borrowed track apart; one not joined shows its ends", () => {
    expect(ticketShown(far, 1, facts)).toEqual({
      trails: [{ tracks: ["A-B", "C-D"], seat: 1 }],
      path: ["C-B"],
      lit: ["A", "D"],
    });
    expect(ticketShown(near, 0, facts)).toEqual({ trails: [], path: [], lit: ["A", "B"] });
  });

  it("pass the places of a way in order, wherever a track begins", () => {
    expect(stopsOf(["A-B", "C-B", "C-D"], facts.tracks)).toEqual(["A", "B", "C", "D"]);
    expect(stopsOf(["C-D", "C-B"], facts.tracks)).toEqual(["D", "C", "B"]);
    expect(stopsOf(["A-B"], facts.tracks)).toEqual(["A", "B"]);
    expect(stopsOf([], facts.tracks)).toEqual([]);
  });

  it("have parts that add up to the total", () => {
    for (const one of scores) expect(partsOf(facts).reduce((sum, part) => sum + part.of(one), 0)).toBe(one.total);
  });
});

describe("who stands before whom, and by what", () => {
  const level = (given: Partial<ScoreWire>) =>
    sheet(0, { place: 1, total: 50, completed: 3, longest_path: 9, ...given });
  const second = (given: Partial<ScoreWire>) => ({ ...level(given), seat: 1, place: 2 });
  const by = (one: ScoreWire, other: ScoreWire) => reasonsOf([one, other])[0]!;

  it("is the first number in which they differ", () => {
    expect(by(level({ total: 51 }), second({})).by).toBe("points");
    expect(by(level({}), second({ completed: 2 }))).toMatchObject({ by: "tickets", mine: 3, theirs: 2 });
    expect(by(level({}), second({ loans: [{ place: "A", track: null }] }))).toMatchObject({
      by: "stations",
      mine: 0,
      theirs: 1,
    });
    expect(by(level({}), second({ longest_path: 7 }))).toMatchObject({ by: "path", mine: 9, theirs: 7 });
    expect(by(level({}), { ...second({}), place: 1 }).by).toBe("nothing");
  });
});

describe("the end in words", () => {
  const names = new Names(facts);
  const nameOf = (seat: number) => seats[seat]!.name;

  it("has every sentence in every language, with nothing left to fill in", async () => {
    const tied = [
      sheet(0, { place: 1, total: 9, completed: 2 }),
      sheet(1, { place: 2, total: 9 }),
      sheet(2, { place: 2, total: 9 }),
    ];
    for (const code of ["en", "ro", "pt-PT", "pt-BR"] as const) {
      await setLang(code, false);
      const told = [...scenesOf(scores, facts), ...scenesOf(tied, facts)].map((scene, i) =>
        captionOf(scene, i < 11 ? scores : tied, facts, names, (seat) => seats[seat]?.name ?? "Cy"),
      );
      for (const { head, lines } of told) {
        expect([head, ...lines].join(" ")).not.toMatch(/[{}]|\bend\.|\bcommon\./);
      }
    }
    await setLang("en", false);
  });

  it("says who wins, by how much, and where it came from", () => {
    const verdict = captionOf(scenesOf(scores, facts).at(-1)!, scores, facts, names, nameOf);
    expect(verdict.head).toBe("Bo wins with 76 points.");
    expect(verdict.lines).toEqual([
      "49 points more than Ana.",
      "Bo against Ana: Tracks +10 · Tickets +17 · Stations −4 · Festivals +6 · Longest path +10 · Globetrotter +10.",
    ]);
    expect(signed(-5)).toBe("−5");
  });

  beforeAll(() => setLang("en", false));
});

describe("the show", () => {
  let target: HTMLElement;
  let shown: Shown[];
  let app: Record<string, unknown>;
  const $ = (id: string) => target.querySelector<HTMLElement>(`[data-testid=${id}]`)!;
  const heading = () => target.querySelector(".caption h3")!.textContent;

  function open(live: boolean, late = false): TableClient {
    const client = new TableClient("t1");
    client.table = { id: "t1", seats, you: 0, rematch: null } as unknown as TableWire;
    if (!late) client.scores = scores;
    if (live) client.fresh = [{ seq: 9, seat: 0, by: "player", events: [{ kind: "GameEnded", reason: "last round" }] }];
    app = mount(EndShow, {
      target,
      props: { client, facts, names: new Names(facts), show: (one: Shown) => shown.push(one) },
    });
    flushSync();
    return client;
  }

  beforeEach(async () => {
    await setLang("en", false);
    vi.useFakeTimers();
    target = document.body.appendChild(document.createElement("div"));
    shown = [];
    settings.motion = true;
  });

  afterEach(async () => {
    await unmount(app);
    expect(shown.at(-1)).toEqual(NOTHING);
    target.remove();
    vi.useRealTimers();
  });

  it("runs by itself to the result, in less than 25 seconds", () => {
    open(true);
    expect(heading()).toContain("Tracks");
    for (let s = 0; s < 25; s++) {
      vi.advanceTimersByTime(1000);
      flushSync();
    }
    expect(heading()).toContain("Bo wins");
    expect(shown).toContainEqual(ticketShown(far, 1, facts));
    expect(target.querySelector("table caption")).not.toBeNull();
  });

  it("can be stopped, stepped by keys, and left at any time", () => {
    open(true);
    const group = target.querySelector<HTMLElement>(".controls")!;
    const press = (key: string) => {
      group.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      flushSync();
    };
    press("ArrowRight");
    expect(heading()).toContain("A–B");
    vi.advanceTimersByTime(10_000);
    flushSync();
    expect(heading()).toContain("A–B");
    press("ArrowLeft");
    expect(heading()).toContain("Tracks");
    $("end-skip").click();
    flushSync();
    expect(heading()).toContain("Bo wins");
    $("end-skip").click();
    flushSync();
    expect(heading()).toContain("Tracks");
  });

  it("is at its end at once without motion, and for who comes after the game, even before the scores do", () => {
    settings.motion = false;
    open(true);
    expect(heading()).toContain("Bo wins");
    void unmount(app);
    settings.motion = true;
    const client = open(false, true);
    expect(target.querySelector(".caption")).toBeNull();
    client.scores = scores;
    flushSync();
    expect(heading()).toContain("Bo wins");
  });
});

describe("the replay", () => {
  const player = (seat: number): PlayerWire => ({
    seat,
    trains: 45,
    score: 0,
    cards: 4,
    hand: { red: 4 },
    tickets: ["far"],
    ticket_count: 1,
    completed: ["far"],
    borrowed: [],
    loans: [],
    stations: seat ? ["B"] : [],
    stations_left: 3,
    station_price: 1,
    terrain: { desert: 1 },
    festivals: { g: 2 },
    festival_count: 2,
    carried: [],
    delivered: [],
    stamps: 0,
  });
  const view = {
    to_act: [0],
    players: [player(0), player(1)],
    offered: ["near"],
    pack: ["far"],
    bags: [
      { place: "A", label: "B", seen_by: [0] },
      { place: "B", label: "A", seen_by: [0, 1] },
    ],
  } as unknown as ViewWire;
  const step = (seq: number, ...events: EventWire[]): ReplayStep => ({
    seq,
    seat: 0,
    by: "player",
    line: "",
    at: 0,
    events,
    view,
  });
  const frames = framesOf([
    step(0),
    step(1, { kind: "TurnBegan", seat: 0 }),
    step(2),
    step(3, {
      kind: "TrackClaimed",
      seat: 0,
      track: "A-B",
      colour: "red",
      cards: 1,
      locos: 0,
      points: 1,
      twice: false,
    }),
    step(4, { kind: "TurnBegan", seat: 1 }),
    step(5, { kind: "DrewBlind", seat: 1, card: "red" }),
  ]);

  it("leaves out the moves that nobody could see", () => {
    expect(frames.map((frame) => frame.seq)).toEqual([0, 1, 3, 4, 5]);
    expect(freshIn(frames[2]!)).toBe("A-B");
    expect(freshIn(frames[1]!)).toBeNull();
  });

  it("finds the move of an address", () => {
    expect(frameAt(frames, "#move=2")).toBe(2);
    expect(frameAt(frames, "#move=999")).toBe(4);
    expect(frameAt(frames, "#main")).toBeNull();
    expect(frameAt(frames, "")).toBeNull();
  });

  it("jumps by turns and claims, and stops at the ends", () => {
    expect(turnsIn(frames)).toEqual([1, 3]);
    expect(claimsIn(frames)).toEqual([2]);
    expect(jump([1, 3], 1, 1, 4)).toBe(3);
    expect(jump([1, 3], 3, 1, 4)).toBe(4);
    expect(jump([1, 3], 3, -1, 4)).toBe(1);
    expect(jump([1, 3], 1, -1, 4)).toBe(0);
  });

  it("hides from one seat what was another's secret, and nothing else", () => {
    const seen = seenBy(view, 1);
    expect(seen.players[1]).toEqual(player(1));
    expect(seen.players[0]).toMatchObject({
      hand: {},
      tickets: [],
      completed: [],
      festivals: {},
      cards: 4,
      ticket_count: 1,
      terrain: { desert: 1 },
    });
    expect([seen.offered, seen.pack]).toEqual([[], []]);
    expect(seen.bags.map(({ label }) => label)).toEqual([null, "A"]); // as far as one has looked
    expect(seenBy(view, 0).offered).toEqual(["near"]);
    expect(seenBy(view, null)).toBe(view);
  });

  it("tells one seat of the others' draws without the cards", () => {
    const events: EventWire[] = [
      { kind: "DrewBlind", seat: 1, card: "red" },
      { kind: "DrewCard", seat: 1, place: 1, card: "blue" },
      { kind: "TicketsOffered", seat: 1, count: 1, tickets: ["far"] },
      { kind: "TicketPicked", seat: 1, ticket: "far" },
    ];
    expect(heardBy(events, 0)).toEqual([
      { kind: "DrewBlind", seat: 1, card: null },
      events[1],
      { kind: "TicketsOffered", seat: 1, count: 1, tickets: null },
      { kind: "TicketPicked", seat: 1, ticket: null },
    ]);
    expect(heardBy(events, 1)).toEqual(events);
    expect(heardBy(events, null)).toBe(events);
  });
});
