/** What a map's file calls itself and its places in the reader's language; the rest keeps its name. */
import { expect, it } from "vitest";
import { localised, Names } from "../src/lib/names.ts";
import { factsOf, speak } from "./text.fixture.ts";

const facts = {
  ...factsOf("usa"),
  id: "mine",
  names: { ro: { map: "Harta mea", places: { denver: "Denvăr" } }, "pt-BR": { map: null, places: { omaha: "Omahá" } } },
};

it.each([
  ["en", "USA", "Denver", "Denver–Omaha"],
  ["ro", "Harta mea", "Denvăr", "Denvăr–Omaha"],
  ["pt-BR", "USA", "Denver", "Denver–Omahá"],
] as const)("in %s", (language, map, place, track) => {
  speak(language);
  const told = localised({ ...facts, name: "USA" });
  const names = new Names(told);
  expect([told.name, names.place("denver")]).toEqual([map, place]);
  const id = facts.tracks.find(({ a, b }) => [a, b].sort().join() === "denver,omaha")!.id;
  expect(names.track(id).replace(/ \(.*/, "")).toBe(track);
});
