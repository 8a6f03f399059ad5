import { flushSync, mount, unmount } from "svelte";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { said, setLang } from "../src/i18n/index.svelte.ts";
import { TableClient } from "../src/lib/client.svelte.ts";
import { Names } from "../src/lib/names.ts";
import { onKey } from "../src/table/keys.ts";
import { keepLine, keepSizes, readOffers } from "../src/table/offers.ts";
import { Screen, sceneOf } from "../src/table/screen.svelte.ts";
import TrackSheet from "../src/table/TrackSheet.svelte";
import TicketChoice from "../src/table/TicketChoice.svelte";
import { clockText, why } from "../src/table/words.ts";
import type { Advice, Answer, MapFacts, PathWire, PlayerWire, ViewWire } from "../src/wire.ts";

const place = (id: string) => ({
  id,
  name: id,
  kind: "city",
  country: null,
  dead_end: false,
  lat: 0,
  lon: 0,
  label: id.toUpperCase(),
});
const track = (id: string, a: string, b: string, length: number, colour: string) => ({
  id,
  a,
  b,
  length,
  colour,
  ferry: 0,
  tunnel: false,
  reconstructed: false,
});
const ticket = (id: string, a: string, b: string, points: number) => ({
  id,
  a: [a],
  b: [b],
  from: a,
  to: b,
  points,
  long: false,
  reconstructed: false,
});
const FACTS = {
  id: "usa",
  places: ["a", "b", "c"].map(place),
  tracks: [track("a-b", "a", "b", 2, "red"), track("b-c", "b", "c", 3, "gray")],
  tickets: [ticket("t1", "a", "b", 4), ticket("t2", "a", "c", 9), ticket("t3", "b", "c", 5)],
  track_points: [0, 1, 2, 4],
  festivals: [],
  terrain: [],
  cards_to_double: [],
  first_tickets: {},
  stations_each: 0,
  station_points: 0,
  last_round_at: 2,
} as unknown as MapFacts;
const PLAYER = {
  seat: 0,
  trains: 45,
  score: 0,
  cards: 3,
  hand: { red: 2, loco: 1 },
  tickets: [],
  ticket_count: 0,
  completed: [],
  borrowed: [],
  loans: [],
  stations: [],
  stations_left: 0,
  station_price: 0,
  terrain: {},
  festivals: {},
  festival_count: 0,
  carried: [],
  delivered: [],
  stamps: 0,
} as PlayerWire;
const VIEW = {
  reader: 0,
  phase: "turn",
  to_act: [0],
  on_turn: 0,
  turns_left: null,
  display: [],
  deck: 50,
  discards: {},
  ticket_deck: 20,
  terrain_display: [],
  terrain_deck: 0,
  festivals: {},
  bags: [],
  bags_at_once: [],
  tunnel: null,
  pending: null,
  owners: {},
  doubled: [],
  closed: [],
  offered: [],
  pack: [],
  players: [PLAYER],
  end: null,
} as ViewWire;

class Fake extends TableClient {
  sent: string[][] = [];
  answer: Partial<Answer> = {};
  constructor(offers: string[], view: Partial<ViewWire> = {}) {
    super("x");
    this.offers = offers;
    this.view = { ...VIEW, ...view };
  }
  override move(lines: string[]) {
    this.sent.push(lines);
    return Promise.resolve(null);
  }
  override ask(about: string) {
    return Promise.resolve({
      t: "answer",
      cid: "",
      about,
      payments: [],
      clause: "",
      reason: "",
      ...this.answer,
    } as Answer);
  }
}
const path = (...tracks: string[]): PathWire => ({ tracks, loans: [], trains: 2 * tracks.length, cards: {} });
const ADVICE: Advice = {
  t: "advice",
  seq: 1,
  paths: { t1: path("a-b"), t2: path("a-b", "b-c"), t3: path("b-c") },
  together: null,
  keeps: [{ tickets: ["t1", "t3"], path: path("a-b", "b-c") }],
  keep: ["t1"],
  helps: {},
  loans: [],
};
const table = (offers: string[], view: Partial<ViewWire> = {}) => {
  const client = new Fake(offers, view);
  return { client, screen: new Screen(client, FACTS, new Names(FACTS)) };
};
const settled = () => new Promise((resolve) => setTimeout(resolve)).then(() => flushSync());
const button = (id: string) => document.querySelector<HTMLButtonElement>(`[data-testid="${id}"]`)!;

beforeAll(() => setLang("en", false));
beforeEach(() => document.body.replaceChildren());

describe("offers", () => {
  it("are sorted by kind", () => {
    const offers = readOffers([
      "draw 2",
      "draw deck",
      "claim a-b red",
      "claim a-b loco",
      "station paris blue",
      "tickets",
      "locos 0",
      "double 1",
      "pass",
    ]);
    expect([...offers.display]).toEqual([[2, "draw 2"]]);
    expect(offers.claims.get("a-b")).toEqual(["red", "loco"]);
    expect([offers.deck, offers.tickets, offers.locos, offers.pass]).toEqual(["draw deck", "tickets", [0], true]);
    expect([offers.of("station"), offers.of("double"), offers.of("decline")]).toEqual([
      [["paris", "blue"]],
      [["1"]],
      [],
    ]);
  });

  it("decide what can be kept: a selection in the order of the offer, or nothing", () => {
    const keeps = ["keep A B", "keep A C", "keep B C", "keep A B C"];
    expect(keepLine(keeps, ["A", "B", "C"], new Set(["C", "A"]))).toBe("keep A C");
    expect(keepLine(keeps, ["A", "B", "C"], new Set(["C"]))).toBeNull();
    expect(keepSizes(keeps)).toEqual({ least: 2, most: 3 });
  });

  it("name the scene", () => {
    const scene = (lines: string[], view: Partial<ViewWire> = {}) => sceneOf({ ...VIEW, ...view }, readOffers(lines));
    expect(scene(["draw deck", "claim a-b red"])).toBeNull();
    expect(scene(["keep A"], { phase: "first_tickets" })).toBe("first");
    expect(scene(["keep A"], { phase: "keep_drafted" })).toBe("keep");
    expect(scene(["return A", "return B"], { phase: "keep_tickets" })).toBe("return");
    expect(scene(["take A"], { phase: "draft" })).toBe("draft");
    expect(scene(["single", "double 0"], { phase: "double" })).toBe("double");
    expect(scene(["locos 0", "decline"], { phase: "tunnel" })).toBe("tunnel");
    expect(scene([], { phase: "tunnel", tunnel: { track: "a-b", cards: [], extra: 1 } })).toBe("tunnel");
    expect(scene(["locos 0", "locos 1"], { phase: "pay" })).toBe("pay");
    expect(scene(["festival a", "festival b"], { phase: "festival" })).toBe("festival");
  });
});

describe("words", () => {
  const to = { names: new Names(FACTS), seats: [], me: 0 };

  it("tell the time in the shortest form", () => {
    expect([59, 61.9, 3600, 90_000].map(clockText)).toEqual(["0:59", "1:01", "1:00:00", "1 d 1 h"]);
  });

  it("tell a refusal in the reader's language, or as the server said it", () => {
    const five = { kind: "OneOfDouble", track: "x", players: 5 } as const; // of a map with rules of its own
    expect(why({ why: five, reason: "x" }, to)).toMatch(/^With 5 players only one track of a double route/u);
    expect(why({ why: null, reason: "busy" }, to)).toBe("busy");
    expect(why({ reason: "so it is", code: "no_such_code" }, to)).toBe("so it is");
  });

  it("tell what the server refuses in the reader's language, with its number bent", async () => {
    await setLang("ro", false);
    expect(why({ reason: "no game", code: "no_game" }, to)).toBe("la această masă nu se joacă");
    expect(said({ reason: "x", code: "too_fast", n: 1 })).toBe("prea multe cereri: așteaptă 1 secundă");
    expect(said({ reason: "x", code: "too_fast", n: 5 })).toBe("prea multe cereri: așteaptă 5 secunde");
    expect(said({ reason: "x", code: "name_long", n: 24 })).toBe("un nume are cel mult 24 de caractere");
    expect(said({ reason: "not JSON", code: "", n: null })).toBe("not JSON");
    await setLang("en", false);
  });
});

describe("the board", () => {
  it("is lit by what is on offer, narrowed by a chosen card", () => {
    const { screen } = table(["claim a-b red", "claim a-b loco", "claim b-c blue"]);
    expect(screen.legal).toEqual(new Set(["a-b", "b-c"]));
    screen.filter = "red";
    expect(screen.legal).toEqual(new Set(["a-b"]));
  });

  it("shows the way of the ticket looked at", () => {
    const { client, screen } = table([], { players: [{ ...PLAYER, tickets: ["t2"] }] });
    screen.pin("t2");
    expect(screen.path).toEqual([]); // not told yet
    client.advice = ADVICE;
    expect(screen.path).toEqual(["a-b", "b-c"]);
    expect(screen.lit).toEqual(new Set(["a", "c"]));
    screen.pin("t2");
    expect(screen.path).toEqual([]);
  });
});

describe("keys", () => {
  const press = (key: string, screen: Screen, target: Element = document.body) => {
    const event = new KeyboardEvent("keydown", { key });
    Object.defineProperty(event, "target", { value: target });
    onKey(event, screen);
  };

  it("draw what is on offer and nothing else", () => {
    const { client, screen } = table(["draw 2", "draw deck"]);
    for (const key of ["1", "2", "d"]) press(key, screen);
    expect(client.sent).toEqual([["draw 2"], ["draw deck"]]);
  });

  it("do nothing while something is typed", () => {
    const { client, screen } = table(["draw deck"]);
    press("d", screen, document.createElement("input"));
    expect(client.sent).toEqual([]);
  });

  it("close what is open", () => {
    const { screen } = table(["claim a-b red"]);
    screen.toggle("track", "a-b");
    press("Escape", screen);
    expect(screen.sheet).toBeNull();
  });
});

describe("choosing tickets", () => {
  it("sends the offered line of the selection, and only that", async () => {
    const { client, screen } = table(["keep t1 t2", "keep t1 t3", "keep t2 t3", "keep t1 t2 t3"], {
      phase: "first_tickets",
      offered: ["t1", "t2", "t3"],
    });
    const scene = mount(TicketChoice, { target: document.body, props: { screen } });
    await settled();
    expect(button("keep").disabled).toBe(true);
    button("ticket-t3").click();
    flushSync();
    expect(button("keep").disabled).toBe(true);
    button("ticket-t1").click();
    flushSync();
    expect(screen.lit).toEqual(new Set(["a", "b", "c"]));
    expect(document.body.textContent).not.toContain("4 trains");
    client.advice = ADVICE;
    flushSync();
    expect(document.body.textContent).toContain("4 trains");
    expect(screen.path).toEqual(["a-b", "b-c"]);
    button("keep").click();
    expect(client.sent).toEqual([["keep t1 t3"]]);
    await unmount(scene);
  });

  it("suggests on request, as a hint", async () => {
    const { client, screen } = table(["keep t1", "keep t2"], { phase: "keep_tickets", offered: ["t1", "t2"] });
    const scene = mount(TicketChoice, { target: document.body, props: { screen } });
    await settled();
    expect(button("suggest").disabled).toBe(true);
    client.advice = ADVICE;
    flushSync();
    button("suggest").click();
    flushSync();
    expect(document.querySelector(".notice")?.textContent).toContain("hint");
    expect(button("keep").disabled).toBe(false);
    await unmount(scene);
  });
});

describe("the price of a track", () => {
  const open = async (answer: Partial<Answer>) => {
    const { client, screen } = table(["claim a-b red"]);
    client.answer = answer;
    screen.toggle("track", "a-b");
    const sheet = mount(TrackSheet, { target: document.body, props: { screen, id: "a-b" } });
    await settled();
    return { client, close: () => unmount(sheet) };
  };

  it("is paid in the best way unless another is chosen", async () => {
    const payments = [
      { lines: ["claim a-b red", "locos 0"], colour: "red", cards: 2, locos: 0, asks: [] },
      { lines: ["claim a-b red", "locos 1"], colour: "red", cards: 1, locos: 1, asks: [] },
    ];
    const { client, close } = await open({ payments });
    document.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]!.click();
    flushSync();
    button("confirm-claim").click();
    expect(client.sent).toEqual([["claim a-b red", "locos 1"]]);
    await close();
  });

  it("or is refused with its rule", async () => {
    const { close } = await open({ clause: "C-23", reason: "no trains" });
    expect(button("confirm-claim")).toBeNull();
    expect(document.querySelector("[role=alert] a")?.getAttribute("href")).toBe("/rules/usa?clause=C-23");
    await close();
  });
});
