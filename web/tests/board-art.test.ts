// @vitest-environment node
// The drawn boards: everything is there, nothing lies on anything else, and the files stay small.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { BoardArt } from "../src/board/types.ts";
import { buildBoard } from "../tools/board/build.mjs";
import { BOARDS } from "../tools/board/config.mjs";
import { clashesOf } from "../tools/board/proof.mjs";

interface MapFile {
  places: { id: string; kind?: string }[];
  tracks: { id: string; a: string; b: string; length: number }[];
}
const facts = (map: string): MapFile =>
  JSON.parse(readFileSync(new URL(`../../branchline/maps/${map}.json`, import.meta.url), "utf8")) as MapFile;

const built = new Map<string, BoardArt>();
const art = (map: string): BoardArt => {
  if (!built.has(map)) built.set(map, buildBoard(facts(map), BOARDS[map]).art);
  return built.get(map)!;
};

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
});

test("a board comes out the same each time", { timeout: 60_000 }, () => {
  expect(JSON.stringify(buildBoard(facts("iberia"), BOARDS.iberia).art)).toBe(JSON.stringify(art("iberia")));
});

test("the proof sees an overlap", () => {
  const bad = {
    width: 200, height: 200, slot: 12, dot: 7,
    places: { here: { x: 100, y: 100, label: { x: 100, y: 120, w: 40, h: 15, lines: ["Here"] } } },
    tracks: { "here-there-1": { d: "", w: 30, slots: [[104, 118, 20]] as [number, number, number][] } },
  };
  expect(clashesOf(bad)).toEqual(["label of here touches slot here-there-1/0"]);
  bad.tracks["here-there-1"].slots = [[104, 104, 0]];
  expect(clashesOf(bad)[0]).toBe("slot here-there-1/0 covers the dot of here");
});
