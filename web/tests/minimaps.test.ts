// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { miniOf } from "../src/pages/minimaps/draw.ts";

const folder = new URL("../../tests/data/maps/", import.meta.url);

test.each(readdirSync(folder))("%s has its picture for the front page", (file) => {
  const facts = { outline: [], ...JSON.parse(readFileSync(new URL(file, folder), "utf8")) };
  const { land, places, tracks } = miniOf(facts as Parameters<typeof miniOf>[0]);
  for (const path of [land, places, ...Object.values(tracks)]) expect(path).toMatch(/^M[-\dMLHVhz .]+$/);
  for (const [, x, y] of places.matchAll(/M(-?\d+) (-?\d+)/g)) {
    expect(Number(x) >= 0 && Number(x) <= 320).toBe(true);
    expect(Number(y) >= 0 && Number(y) <= 240).toBe(true);
  }
});
