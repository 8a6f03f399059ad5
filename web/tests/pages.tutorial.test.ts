import { describe, expect, it } from "vitest";
import { loadLessons } from "../src/learn/content.ts";
import { due, holds, turnsOf, type Sight } from "../src/learn/moments.ts";
import type { EventWire, StepWire, ViewWire } from "../src/wire.ts";

const events = (...kinds: [string, number][]): StepWire[] =>
  kinds.map(([kind, seat], seq) => ({ seq, seat, by: "player", events: [{ kind, seat } as EventWire] }));

function sight(
  part: Partial<Sight> & { phase?: ViewWire["phase"]; owners?: Record<string, number>; completed?: string[] },
): Sight {
  const view = {
    reader: 0,
    phase: part.phase ?? "turn",
    owners: part.owners ?? {},
    players: [{ completed: part.completed ?? [] }],
  };
  return { view: view as unknown as ViewWire, offers: part.offers ?? ["draw 1"], steps: part.steps ?? [] };
}

const turns = (n: number) =>
  events(...Array.from({ length: 2 * n }, (_, i) => ["TurnBegan", i % 2] as [string, number]));

describe("the tutorial's moments", () => {
  it("count the reader's own turns", () => {
    expect(turnsOf(sight({ steps: turns(4) }))).toBe(4);
  });

  it("come only when the reader is asked", () => {
    expect(holds("first_tickets", sight({ phase: "first_tickets", offers: [] }))).toBe(false);
    expect(holds("first_tickets", sight({ phase: "first_tickets" }))).toBe(true);
    expect(holds("your_turn_2", sight({ steps: turns(2), offers: [] }))).toBe(false);
  });

  it("speak of claiming not before the second turn", () => {
    const offers = ["claim a-b-1 red"];
    expect(holds("can_claim", sight({ steps: turns(1), offers }))).toBe(false);
    expect(holds("can_claim", sight({ steps: turns(2), offers }))).toBe(true);
    expect(holds("claimed", sight({ owners: { "a-b-1": 1 } }))).toBe(false);
    expect(holds("claimed", sight({ owners: { "a-b-1": 0 } }))).toBe(true);
  });

  it("lead through all eight hints of a game, each once", async () => {
    const { tutorial } = await loadLessons("en");
    const seen = new Set<string>();
    const game: Sight[] = [
      sight({ phase: "first_tickets" }),
      sight({ steps: turns(1) }),
      sight({ phase: "draw_second", steps: turns(1) }),
      sight({ steps: turns(2) }),
      sight({ steps: turns(3), offers: ["claim a-b-1 red"] }),
      sight({ steps: turns(4), owners: { "a-b-1": 0 } }),
      sight({ steps: turns(5), owners: { "a-b-1": 0 }, completed: ["x"] }),
      sight({ steps: turns(6), owners: { "a-b-1": 0 }, completed: ["x"], offers: [] }),
    ];
    const shown = game.map((now) => {
      const hint = due(tutorial, seen, now);
      if (hint) seen.add(hint.id);
      return hint?.when;
    });
    expect(shown).toEqual(tutorial.map((hint) => hint.when));
    expect(due(tutorial, seen, game.at(-1)!)).toBeNull();
  });
});

describe("the order of the hints", () => {
  it("is kept whatever the player does first, and the end of the game finishes it", async () => {
    const { tutorial } = await loadLessons("en");
    const claimed = sight({ steps: turns(3), owners: { "a-b-1": 0 }, offers: ["claim a-b-1 red"], completed: ["x"] });
    expect(due(tutorial, new Set(["tickets", "draw"]), claimed)).toBeNull(); // not the sixth before the third
    expect(due(tutorial, new Set(["tickets", "draw"]), sight({ phase: "draw_second", steps: turns(3) }))?.id).toBe(
      "second-card",
    );
    expect(due(tutorial, new Set(["tickets"]), sight({ phase: "over", offers: [] }))?.id).toBe("finish");
  });
});
