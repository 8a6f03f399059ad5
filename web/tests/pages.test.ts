import { beforeEach, describe, expect, it } from "vitest";
import { setLang } from "../src/i18n/index.svelte.ts";
import { maps } from "../src/lib/maps.svelte.ts";
import {
  DEFAULT,
  dealOf,
  fitted,
  moved,
  quickGame,
  remember,
  remembered,
  rememberMap,
  requestOf,
  withRoom,
} from "../src/pages/newTable.ts";
import { clockWords, resultWords, sorted } from "../src/pages/words.ts";
import type { TableLine } from "../src/wire.ts";

beforeEach(async () => {
  localStorage.clear();
  maps.known = ["usa", "europe", "iberia", "africa"];
  await setLang("en", false);
});

const line = (part: Partial<TableLine>): TableLine => ({
  id: "t",
  map: "usa",
  state: "playing",
  names: [],
  colours: [],
  seats: 2,
  free: 0,
  listed: false,
  clock: { kind: "none", pool: 600, increment: 10, days: 1 },
  your_turn: false,
  you: 0,
  here: false,
  updated: 0,
  places: null,
  totals: null,
  aside: "",
  ...part,
});

describe("the choice of a table", () => {
  it("is kept between visits, but never the chosen deal", () => {
    remember({ ...DEFAULT, map: "africa", listed: true, clock: "days", days: 3, deal: "77" });
    expect(remembered()).toEqual({ ...DEFAULT, map: "africa", listed: true, clock: "days", days: 3 });
  });

  it("survives whatever stands in the browser's memory", () => {
    for (const odd of ["", "null", "7", "{", '{"map":"mars","chairs":[1],"clock":"x","days":99}']) {
      localStorage.setItem("newTable", odd);
      expect(remembered()).toEqual({ ...DEFAULT, map: "usa" });
    }
  });

  it("remembers the map of the front page and leaves the rest", () => {
    remember({ ...DEFAULT, order: "fixed" });
    rememberMap("iberia");
    expect(remembered()).toEqual({ ...DEFAULT, order: "fixed", map: "iberia" });
  });

  it("has as many chairs as the map takes, the visitor on exactly one", () => {
    expect(fitted(["me"], 2, 5)).toEqual(["me", "passenger"]);
    expect(fitted(["me"], 2, 5, "driver")).toEqual(["me", "driver"]);
    expect(fitted(["me", "open", "open", "path", "path", "open"], 2, 5)).toHaveLength(5);
    expect(fitted(["path", "open"], 2, 5)).toEqual(["me", "open"]);
    expect(fitted(["path", "me", "me"], 2, 5)).toEqual(["path", "me", "open"]);
  });

  it("makes room for a friend", () => {
    expect(withRoom(["me", "path", "path"])).toEqual(["me", "open", "path"]);
    expect(withRoom(["path", "me", "open"])).toEqual(["path", "me", "open"]);
  });

  it("swaps neighbours, and nothing at the ends", () => {
    expect(moved(["me", "open", "path"], 0, 1)).toEqual(["open", "me", "path"]);
    expect(moved(["me", "open"], 0, -1)).toEqual(["me", "open"]);
  });

  it("reads the number of a deal", () => {
    expect(dealOf(" ")).toBeNull();
    expect(dealOf(" 042 ")).toBe(42);
    expect(dealOf("4 2")).toBeUndefined();
    expect(dealOf("-1")).toBeUndefined();
    expect(dealOf("1".repeat(16))).toBeUndefined();
  });

  it("asks the service for what was chosen", () => {
    const asked = requestOf({ ...DEFAULT, listed: true, clock: "live", minutes: 20, increment: 5 });
    expect(asked.seats).toEqual([
      { kind: "me", bot: null, colour: 0 },
      { kind: "open", bot: null },
      { kind: "bot", bot: "passenger" },
    ]);
    expect(asked).toMatchObject({
      listed: true,
      seed: null,
      start: false,
      clock: { kind: "live", pool: 1200, increment: 5 },
    });
  });

  it("lists no table without an open chair, and none with a chosen deal", () => {
    expect(requestOf({ ...DEFAULT, listed: true, deal: "5" })).toMatchObject({ listed: false, seed: 5 });
    expect(requestOf({ ...DEFAULT, listed: true, chairs: ["me", "path"] })).toMatchObject({
      listed: false,
      start: true,
    });
  });

  it("is one click for a quick game", () => {
    const asked = quickGame("europe", "driver");
    expect(asked).toMatchObject({ map: "europe", start: true, order: "drawn" });
    expect(asked.seats.map((seat) => seat.bot)).toEqual([null, "driver", "driver"]);
  });
});

describe("lists of games", () => {
  it("show first what waits for the reader", () => {
    const lines = [
      line({ id: "over", state: "over", updated: 9 }),
      line({ id: "open", state: "open" }),
      line({ id: "old", updated: 1 }),
      line({ id: "new", updated: 2 }),
      line({ id: "mine", your_turn: true }),
      line({ id: "aside", your_turn: true, aside: "the map is gone" }),
    ];
    expect(sorted(lines).map((one) => one.id)).toEqual(["mine", "new", "old", "open", "over", "aside"]);
  });

  it("say the result to those who played", () => {
    const over = { state: "over" as const, places: [2, 1], totals: [90, 101] };
    expect(resultWords(line({ ...over, you: 1 }))).toBe("You won: 101 points, place 1 of 2");
    expect(resultWords(line({ ...over, you: 0 }))).toBe("Place 2 of 2: 90 points");
    expect(resultWords(line({ ...over, you: null }))).toBeNull();
  });

  it("say the clock in words", () => {
    const clock = { kind: "live" as const, pool: 900, increment: 15, days: 0.5 };
    expect(clockWords(clock)).toBe("15 min + 15 s");
    expect(clockWords({ ...clock, kind: "days" })).toBe("12 hours a move");
    expect(clockWords({ ...clock, kind: "days", days: 1 })).toBe("1 day a move");
    expect(clockWords({ ...clock, kind: "none" })).toBe("no clock");
  });
});
