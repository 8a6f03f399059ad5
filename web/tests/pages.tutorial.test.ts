import { describe, expect, it } from "vitest";
import { loadLessons } from "../src/learn/content.ts";
import { due, holds, turnsOf, type Sight } from "../src/learn/moments.ts";
import { place } from "../src/learn/place.ts";
import type { EventWire, StepWire, ViewWire } from "../src/wire.ts";

const events = (...kinds: [string, number][]): StepWire[] =>
  kinds.map(([kind, seat], seq) => ({ seq, seat, by: "player", events: [{ kind, seat } as EventWire] }));

function sight(part: Partial<Sight> & { phase?: ViewWire["phase"]; owners?: Record<string, number>; completed?: string[] }): Sight {
  const view = { reader: 0, phase: part.phase ?? "turn", owners: part.owners ?? {}, players: [{ completed: part.completed ?? [] }] };
  return { view: view as unknown as ViewWire, offers: part.offers ?? ["draw 1"], steps: part.steps ?? [] };
}

const turns = (n: number) => events(...Array.from({ length: 2 * n }, (_, i) => ["TurnBegan", i % 2] as [string, number]));

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
      sight({ steps: turns(9), owners: { "a-b-1": 0 } }),
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

describe("the place of a hint", () => {
  const window = { width: 1280, height: 800 };
  const card = { width: 350, height: 250 };

  it("is beside its target", () => {
    const target = { left: 500, top: 600, width: 300, height: 150 };
    const spot = place(card, target, window);
    expect(spot.top + card.height).toBeLessThanOrEqual(target.top);
  });

  it("is always inside the window", () => {
    const targets = [null, { left: 0, top: 0, width: 1280, height: 800 }, { left: 1200, top: 0, width: 80, height: 800 }, { left: 0, top: 0, width: 20, height: 20 }];
    for (const target of targets) {
      const spot = place(card, target, window);
      expect(spot.left).toBeGreaterThanOrEqual(0);
      expect(spot.top).toBeGreaterThanOrEqual(0);
      expect(spot.left + card.width).toBeLessThanOrEqual(window.width);
      expect(spot.top + card.height).toBeLessThanOrEqual(window.height);
    }
  });
});
