// @vitest-environment node
// The drawn boards: everything is there, nothing lies on anything else, the files stay small, and a telephone can show them.
import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fitted } from "../src/board/load.ts";
import { MEANT, REACH, trackAt, tracksNear } from "../src/board/find.ts";
import { clamp, plainScale, plainView, wholeScale } from "../src/board/panzoom.ts";
import type { BoardArt, Point } from "../src/board/types.ts";
import { buildBoard } from "../tools/board/build.mjs";
import { BOARDS } from "../tools/board/config.mjs";
import { drawBoard } from "../tools/board/fan.mjs";
import { geography } from "../tools/board/geo.mjs";
import { clashesOf } from "../tools/board/proof.mjs";

interface MapFile {
  places: { id: string; kind?: string }[];
  tracks: { id: string; a: string; b: string; length: number }[];
}
const facts = (map: string): MapFile =>
  JSON.parse(readFileSync(new URL(`../../branchline/maps/${map}.json`, import.meta.url), "utf8")) as MapFile;

const built = new Map<string, BoardArt>();
const art = (map: string): BoardArt => {
  if (!built.has(map)) built.set(map, buildBoard(facts(map), BOARDS[map], geography).art);
  return built.get(map)!;
};

/** The map's window on a telephone held upright, and on a laptop. */
const PHONE = { width: 390, height: 458 };
const LAPTOP = { width: 905, height: 584 };

describe.each(Object.keys(BOARDS))("%s", (map) => {
  test("labels, spaces and dots keep clear of each other", { timeout: 60_000 }, () => {
    expect(clashesOf(art(map))).toEqual([]);
  });

  test("every track has its spaces and every place its label", () => {
    const { places, tracks } = facts(map);
    for (const track of tracks) expect(art(map).tracks[track.id]?.slots, track.id).toHaveLength(track.length);
    for (const place of places) {
      expect(art(map).places[place.id], place.id).toBeDefined();
      expect(art(map).places[place.id]!.label !== null, place.id).toBe(place.kind !== "way_station");
    }
  });

  test("spaces are large enough to hold a wagon", () => {
    expect(art(map).slot).toBeGreaterThanOrEqual(12);
    for (const [id, track] of Object.entries(art(map).tracks)) expect(track.w, id).toBeGreaterThanOrEqual(25);
  });

  test("the end spaces of a track lie next to its places", () => {
    for (const track of facts(map).tracks) {
      const { slots, w } = art(map).tracks[track.id]!;
      const [a, b] = [art(map).places[track.a]!, art(map).places[track.b]!];
      const [first, last] = [slots[0]!, slots.at(-1)!];
      expect(Math.hypot(first[0] - a.x, first[1] - a.y), track.id).toBeLessThan(w / 2 + 75);
      expect(Math.hypot(last[0] - b.x, last[1] - b.y), track.id).toBeLessThan(w / 2 + 75);
    }
  });

  test("the file is small and its paths are whole", () => {
    expect(brotliCompressSync(JSON.stringify(art(map))).length).toBeLessThan(45_000);
    for (const d of [art(map).land, art(map).borders, art(map).graticule]) expect(d).toMatch(/^[Mlz\d .-]+$/);
    expect(art(map).land).not.toMatch(/lM|l$/);
  });

  test("labels of nine pixels whatever the screen; a small window filled, a large one with the whole map", () => {
    for (const window of [
      PHONE,
      LAPTOP,
      { width: 496, height: 390 },
      { width: 768, height: 636 },
      { width: 320, height: 240 },
    ]) {
      const scale = plainScale(art(map), window, art(map).font);
      expect(scale * art(map).font).toBeGreaterThanOrEqual(9);
      const filled =
        Math.min(1, (art(map).width * scale) / window.width) * Math.min(1, (art(map).height * scale) / window.height);
      if (Math.min(window.width, window.height) <= 600) expect(filled).toBeGreaterThanOrEqual(0.8);
      else expect(scale).toBe(Math.max(wholeScale(art(map), window), 9.05 / art(map).font));
    }
    expect(plainScale(art(map), art(map), art(map).font)).toBe(1);
    expect(plainScale(art(map), PHONE, art(map).font)).toBeGreaterThan(wholeScale(art(map), PHONE));
  });

  test("a finger 12 pixels beside a track finds it, or is offered it", () => {
    const scale = plainScale(art(map), PHONE, art(map).font);
    for (const [id, track] of Object.entries(art(map).tracks)) {
      for (const [x, y, angle] of track.slots) {
        for (const aside of [-12, 12]) {
          const turn = ((angle + 90) * Math.PI) / 180;
          const at = { x: x + Math.cos(turn) * (aside / scale), y: y + Math.sin(turn) * (aside / scale) };
          const found = [trackAt(art(map), at, REACH.finger / scale), ...tracksNear(art(map), at, MEANT / scale)];
          expect(found, id).toContain(id);
          expect(found[0], id).toBe(found[1]); // the nearest is the one that opens
        }
      }
    }
  });

  test("a telephone begins where most of the tickets lead", () => {
    const [first] = Object.values(art(map).places);
    const near = [first!, { x: first!.x + 60, y: first!.y + 40 }, { x: first!.x - 20, y: first!.y + 80 }];
    const distance = (at: Point) => Math.hypot(at.x - first!.x, at.y - first!.y);
    const far = Object.values(art(map).places).reduce((one, other) => (distance(other) > distance(one) ? other : one));
    const view = clamp(plainView(art(map), PHONE, art(map).font, [far, ...near], 70), art(map), PHONE);
    const seen = (at: Point) =>
      Math.abs(at.x - view.x) * view.scale <= PHONE.width / 2 &&
      Math.abs(at.y - view.y) * view.scale <= PHONE.height / 2;
    expect(near.every(seen)).toBe(true);
    expect(seen(far)).toBe(false);
  });
});

test("a board comes out the same each time", { timeout: 60_000 }, () => {
  expect(JSON.stringify(buildBoard(facts("iberia"), BOARDS.iberia, geography).art)).toBe(JSON.stringify(art("iberia")));
});

test("the proof sees an overlap", () => {
  const bad = {
    width: 200,
    height: 200,
    slot: 12,
    dot: 7,
    places: { here: { x: 100, y: 100, label: { x: 100, y: 120, w: 40, h: 15, lines: ["Here"] } } },
    tracks: { "here-there-1": { d: "", w: 30, slots: [[104, 118, 20]] as [number, number, number][] } },
  };
  expect(clashesOf(bad)).toEqual(["label of here touches slot here-there-1/0"]);
  bad.tracks["here-there-1"].slots = [[104, 104, 0]];
  expect(clashesOf(bad)[0]).toBe("slot here-there-1/0 covers the dot of here");
});

describe("a map that nobody drew", () => {
  const folder = new URL("../../tests/data/maps/", import.meta.url);
  const fans = readdirSync(folder).map((file) => {
    const map = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as MapFile & { id: string };
    return { outline: [], ...map } as unknown as Parameters<typeof drawBoard>[0];
  });

  test.each(fans.map((fan) => [fan.id, fan] as const))("%s is drawn from its facts", { timeout: 60_000 }, (_, fan) => {
    const { art, clashes } = drawBoard(fan);
    expect(clashes).toEqual([]);
    expect(JSON.stringify(art)).not.toMatch(/NaN|Infinity/);
    for (const track of fan.tracks) expect(art.tracks[track.id]!.slots).toHaveLength(track.length);
    for (const { x, y } of Object.values(art.places)) {
      expect(x > 20 && x < art.width - 20).toBe(true);
      expect(y > 20 && y < art.height - 20).toBe(true);
    }
  });

  test(
    "places on one spot, on one line or at the ends of the world are drawn all the same",
    { timeout: 60_000 },
    () => {
      const tracks = [
        { id: "a-b", a: "a", b: "b", length: 3 },
        { id: "b-c", a: "b", b: "c", length: 9 },
      ];
      for (const spots of [
        [[0, 0], [0, 0], [0, 0]], // prettier-ignore
        [[0, 10], [0, 20], [0, 30]], // prettier-ignore
        [[-179, 90], [179, -90], [0, 0]], // prettier-ignore
        [[179.9, 60], [-179.9, 60.1], [179.5, 60]], // prettier-ignore
      ]) {
        const places = spots.map(([lon, lat], i) => ({ id: "abc"[i]!, name: "abc"[i]!, kind: "city", lon, lat }));
        const fan = { id: "odd", places, tracks, outline: [] } as unknown as Parameters<typeof drawBoard>[0];
        expect(JSON.stringify(drawBoard(fan).art)).not.toMatch(/NaN|Infinity|null,/);
      }
    },
  );

  test("an outline is land whichever way round it was written", { timeout: 60_000 }, () => {
    const fan = fans.find(({ id }) => id === "tiny")!;
    const other = { ...fan, outline: fan.outline.map((line) => [...line].reverse()) };
    const area = (d: string) => d.length;
    expect(drawBoard(fan).art.land).toMatch(/^M/);
    expect(Math.abs(area(drawBoard(other).art.land) - area(drawBoard(fan).art.land))).toBeLessThan(120);
  });
});

test("a track of another length gets its spaces on the drawn board", { timeout: 60_000 }, () => {
  const [id, track] = Object.entries(art("iberia").tracks).find(([, one]) => one.slots.length === 3)!;
  for (const length of [1, 2, 5]) {
    const other = fitted(art("iberia"), { tracks: [{ id, length }] as never }).tracks[id]!;
    expect(other.slots).toHaveLength(length);
    const [first, last] = [other.slots[0]!, other.slots.at(-1)!];
    const far = Math.hypot(first[0] - last[0], first[1] - last[1]) + other.w;
    const was = Math.hypot(track.slots[0]![0] - track.slots[2]![0], track.slots[0]![1] - track.slots[2]![1]) + track.w;
    expect(Math.abs(far - was)).toBeLessThan(track.w);
  }
});
