// The board as a reader meets it: names, keys, presses.
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import Board from "../src/board/Board.svelte";
import type { BoardArt } from "../src/board/types.ts";
import en from "virtual:catalogue/en";
import { lang } from "../src/i18n/index.svelte.ts";
import type { MapFacts } from "../src/wire.ts";

const place = (id: string, name: string, kind = "city") => ({
  id,
  name,
  label: name,
  kind,
  country: null,
  dead_end: false,
  lat: 0,
  lon: 0,
});
const track = (id: string, more: object) => ({
  id,
  length: 2,
  colour: "gray",
  ferry: 0,
  tunnel: false,
  reconstructed: false,
  ...more,
});

const facts = {
  id: "two",
  name: "Two",
  tunnel_cards: 3,
  track_points: [0, 1, 2, 4],
  terrain: [],
  festivals: [{ id: "zurich", places: ["zurich"], cards: 4, reconstructed: false }],
  places: [place("paris", "Paris"), place("zurich", "Zürich"), place("roma", "Roma")],
  tracks: [
    track("paris-zurich-1", { a: "paris", b: "zurich", colour: "green", tunnel: true }),
    track("roma-zurich-1", { a: "roma", b: "zurich", ferry: 1 }),
    track("paris-roma-1", { a: "paris", b: "roma", colour: "red" }),
  ],
  tickets: [],
} as unknown as MapFacts;

const slots = (x: number, y: number) => ({
  d: `M${x} ${y}`,
  w: 30,
  slots: [
    [x - 16, y, 0],
    [x + 16, y, 0],
  ],
});
const spot = (x: number, y: number) => ({ x, y, label: { x, y: y + 16, w: 40, h: 15, lines: ["x"] } });
const art = {
  map: "two",
  width: 400,
  height: 300,
  slot: 13,
  dot: 7,
  font: 15,
  cartouche: { x: 60, y: 260, w: 100, h: 60 },
  compass: { x: 360, y: 40, r: 20 },
  places: { paris: spot(50, 50), zurich: spot(250, 50), roma: spot(250, 200) },
  tracks: { "paris-zurich-1": slots(150, 50), "roma-zurich-1": slots(250, 125), "paris-roma-1": slots(150, 125) },
  land: "",
  shore: "",
  lakes: "",
  rivers: "",
  borders: "",
  states: "",
  graticule: "",
  relief: "",
} as unknown as BoardArt;

let board: ReturnType<typeof mount> | undefined;
const ontrack = vi.fn();
const onplace = vi.fn();

function show(props: object = {}): void {
  board = mount(Board, { target: document.body, props: { art, facts, ontrack, onplace, ...props } });
  flushSync();
}
const named = (id: string) => document.querySelector(`[data-track="${id}"]`)!;
const press = (key: string) => {
  document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  flushSync();
};

beforeEach(() => {
  lang.messages = en;
});
afterEach(() => {
  if (board) unmount(board);
  ontrack.mockClear();
  onplace.mockClear();
});

test("each track says what it is and whose", () => {
  show({ owners: { "paris-roma-1": 1 }, players: ["Ana", "Bogdan"], legal: new Set(["roma-zurich-1"]) });
  expect(named("paris-zurich-1").getAttribute("aria-label")).toBe("Paris–Zürich, 2 spaces, green tunnel, free");
  expect(named("roma-zurich-1").getAttribute("aria-label")).toBe(
    "Roma–Zürich, 2 spaces, grey ferry, free, you can claim it now",
  );
  expect(named("paris-roma-1").getAttribute("aria-label")).toBe("Paris–Roma, 2 spaces, red, claimed by Bogdan");
  expect(
    named("paris-roma-1").querySelector('path[fill="var(--seat-1)"]')!.getAttribute("d")!.match(/Z/g),
  ).toHaveLength(2);
  expect(
    named("roma-zurich-1").querySelector('path[fill="var(--slot-loco)"]')!.getAttribute("d")!.match(/Z/g),
  ).toHaveLength(1);
});

test("one track takes the tab stop; arrows, letters and page keys move it; Enter chooses", () => {
  show({ legal: new Set(["roma-zurich-1"]) });
  const stops = () =>
    [...document.querySelectorAll('[data-track][tabindex="0"]')].map((e) => e.getAttribute("data-track"));
  expect(stops()).toEqual(["roma-zurich-1"]);
  (named("paris-zurich-1") as SVGElement).focus();
  flushSync();
  press("ArrowDown");
  expect(document.activeElement).toBe(named("paris-roma-1"));
  press("z");
  expect(document.activeElement).toBe(named("roma-zurich-1"));
  press("Enter");
  expect(ontrack).toHaveBeenCalledWith("roma-zurich-1", []);
  press("ArrowLeft");
  press("PageDown");
  expect(document.activeElement).toBe(named("roma-zurich-1"));
  expect(stops()).toEqual(["roma-zurich-1"]);
});

test("the focused track is explained, and Escape hides the words", () => {
  show();
  (named("paris-zurich-1") as SVGElement).focus();
  flushSync();
  expect(document.querySelector(".tip")!.textContent).toContain("Tunnel: 3 cards are turned up and may cost more.");
  press("Escape");
  expect(document.querySelector(".tip")).toBeNull();
});

test("places become buttons when one is to be chosen, and tell what lies there", () => {
  show({ sites: new Set(["zurich"]), view: { festivals: { zurich: 3 }, players: [], doubled: [] } });
  const zurich = document.querySelector('[data-place="zurich"]')!;
  expect(zurich.getAttribute("role")).toBe("button");
  expect(zurich.getAttribute("aria-label")).toBe("Zürich, 3 festival cards lie here");
  expect(document.querySelector('[data-place="paris"]')!.getAttribute("role")).toBeNull();
  zurich.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 0 }));
  expect(onplace).toHaveBeenCalledWith("zurich");
});

test("all that a gesture can do has a button", () => {
  show({ mine: ["paris"] });
  const names = [...document.querySelectorAll(".controls button")].map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Zoom in", "Zoom out", "Whole map", "Fit my tickets"]);
});
