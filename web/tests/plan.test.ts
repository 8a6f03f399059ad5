import { describe, expect, it } from "vitest";
import { missingCards, Net, suggestKeep, type Situation } from "../src/lib/plan.ts";
import type { MapFacts, PlaceFact, TicketFact, TrackFact } from "../src/wire.ts";

const place = (id: string, dead_end = false): PlaceFact => ({
  id, name: id, kind: "city", country: null, dead_end, lat: 0, lon: 0, label: id,
});
const track = (id: string, length: number, colour = "gray", more: Partial<TrackFact> = {}): TrackFact => {
  const [a, b] = id.split("-") as [string, string];
  return { id, a, b, length, colour, ferry: 0, tunnel: false, reconstructed: false, ...more };
};
const ticket = (id: string, a: string[], b: string[], points: number): TicketFact => ({
  id, a, b, from: a.join(), to: b.join(), points, long: false, reconstructed: false,
});

const TRACKS = [
  track("A-B", 2, "red"), track("B-C", 2, "blue"), track("A-C", 5, "green"),
  track("C-D", 1), track("B-E", 1), track("E-D", 1), track("A-D-2", 9, "gray", { a: "A", b: "D" }),
];
const facts = (tracks = TRACKS, places = ["A", "B", "C", "D", "E"].map((id) => place(id))) =>
  ({ tracks, places }) as unknown as MapFacts;
const free: Situation = { owners: {}, me: 0, closed: [], hand: {} };
const net = (situation: Partial<Situation> = {}, map = facts()) => new Net(map, { ...free, ...situation });
const ends = (a: string, b: string) => ({ a: a.split(""), b: b.split("") });

describe("the cheapest path of a ticket", () => {
  it("counts spaces, not tracks", () => {
    expect(net().plan(ends("A", "C"))).toEqual({ tracks: ["A-B", "B-C"], trainsMissing: 4, cardsMissing: { red: 2, blue: 2 } });
  });

  it("has own tracks for nothing", () => {
    const plan = net({ owners: { "A-C": 0 } }).plan(ends("A", "D"));
    expect(plan).toEqual({ tracks: ["A-C", "C-D"], trainsMissing: 1, cardsMissing: { gray: 1 } });
  });

  it("goes round the tracks of others and closed ones", () => {
    expect(net({ owners: { "A-B": 1 } }).plan(ends("A", "C"))?.tracks).toEqual(["A-C"]);
    expect(net({ closed: ["A-B"] }).plan(ends("A", "C"))?.tracks).toEqual(["A-C"]);
  });

  it("has no plan where no way is left", () => {
    expect(net({ owners: { "A-B": 1, "A-C": 1, "A-D-2": 1 } }).plan(ends("A", "C"))).toBeNull();
  });

  it("takes the nearest of several places of an end", () => {
    expect(net().plan(ends("A", "CE"))?.tracks).toEqual(["A-B", "B-E"]);
    expect(net().plan(ends("AD", "C"))?.tracks).toEqual(["C-D"]);
  });

  it("does not pass through a dead end, but begins and ends there", () => {
    const map = facts(TRACKS, ["A", "B", "C", "D", "E"].map((id) => place(id, id === "B")));
    expect(net({}, map).plan(ends("A", "C"))?.tracks).toEqual(["A-C"]);
    expect(net({}, map).plan(ends("B", "D"))?.tracks).toEqual(["B-E", "E-D"]);
    expect(net({}, map).plan(ends("A", "B"))?.tracks).toEqual(["A-B"]);
  });

  it("is empty when the ends are joined already", () => {
    const plan = net({ owners: { "A-B": 0, "B-C": 0 } }).plan(ends("A", "C"));
    expect(plan?.trainsMissing).toBe(0);
    expect(plan?.cardsMissing).toEqual({});
  });

  it("of two tracks alike prefers the colour in hand", () => {
    const map = facts([track("A-B", 3, "red"), track("A-B-2", 3, "blue", { a: "A", b: "B" })]);
    expect(net({ hand: { blue: 2 } }, map).plan(ends("A", "B"))?.tracks).toEqual(["A-B-2"]);
    expect(net({ hand: { red: 1 } }, map).plan(ends("A", "B"))?.tracks).toEqual(["A-B"]);
  });

  it("never lengthens a path for the sake of cards", () => {
    expect(net({ hand: { green: 5 } }).plan(ends("A", "C"))?.trainsMissing).toBe(4);
  });
});

describe("cards missing", () => {
  it("takes off what is in hand, locomotives last", () => {
    expect(missingCards([track("A-B", 4, "red")], { red: 1, loco: 1 })).toEqual({ red: 2 });
    expect(missingCards([track("A-B", 2, "red"), track("B-C", 2, "red")], { red: 3 })).toEqual({ red: 1 });
  });

  it("asks for a ferry's locomotives by name", () => {
    expect(missingCards([track("A-B", 4, "gray", { ferry: 2 })], { loco: 1, blue: 2 })).toEqual({ loco: 1 });
  });

  it("pays each gray track with one colour only", () => {
    expect(missingCards([track("A-B", 3), track("B-C", 2)], { blue: 2, red: 1, green: 1 })).toEqual({ gray: 2 });
    expect(missingCards([track("A-B", 3)], { red: 2, blue: 2 })).toEqual({ gray: 1 });
  });

  it("needs nothing for nothing", () => {
    expect(missingCards([], { red: 1 })).toEqual({});
  });
});

describe("several tickets", () => {
  it("share the tracks they have in common", () => {
    const plan = net().together([ends("A", "C"), ends("A", "E")]);
    expect(plan?.trainsMissing).toBe(5);
    expect(new Set(plan?.tracks)).toEqual(new Set(["A-B", "B-C", "B-E"]));
  });

  it("suggest the keep with the most points for a train, of the lines on offer only", () => {
    const tickets = new Map([
      ["x", ticket("x", ["A"], ["C"], 4)], ["y", ticket("y", ["A"], ["E"], 6)], ["z", ticket("z", ["C"], ["D"], 1)],
    ]);
    const lines = ["keep x y", "keep x z", "keep y z", "keep x y z"];
    expect(suggestKeep(net(), tickets, lines, 45)).toEqual({ line: "keep x y z", points: 11, trains: 5 });
    expect(suggestKeep(net(), tickets, lines.slice(0, 3), 45)?.line).toBe("keep x y");
    expect(suggestKeep(net(), tickets, ["keep x z"], 45)?.line).toBe("keep x z");
    expect(suggestKeep(net(), tickets, lines, 3)).toBeNull();
  });
});
