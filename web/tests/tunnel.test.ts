import { describe, expect, it } from "vitest";
import { tunnelRisk } from "../src/mechanics/tunnels/risk.ts";
import type { MapFacts, Payment, PlayerWire, ViewWire } from "../src/wire.ts";

const facts = { cards_per_colour: 12, locomotives: 14, tunnel_cards: 3 } as MapFacts;
const me = { cards: 3, hand: { red: 3 } as Record<string, number> } as PlayerWire;
const view = (given: Partial<ViewWire> = {}): ViewWire =>
  ({
    deck: 10,
    display: [],
    discards: {},
    players: [me, { cards: 0, hand: {} } as unknown as PlayerWire],
    ...given,
  }) as ViewWire;
const pay = (cards: number, locos = 0): Payment => ({ lines: [], colour: "red", cards, locos, asks: [] });

describe("the risk of a tunnel", () => {
  it("is none where no card can cost more", () => {
    const discards = { red: 9, loco: 14 };
    expect(tunnelRisk(facts, view({ discards }), me, pay(2))).toEqual({ left: 1, nothing: 1, tooMuch: 0 });
  });

  it("is certain where every card left costs and none could pay", () => {
    const discards = { loco: 14 };
    const risk = tunnelRisk(facts, view({ deck: 9, discards }), me, pay(3)); // nine reds are left, and nine cards
    expect(risk.left).toBe(0);
    expect(risk.nothing).toBeCloseTo(0);
    expect(risk.tooMuch).toBeCloseTo(1);
  });

  it("adds up", () => {
    const risk = tunnelRisk(facts, view({ deck: 80 }), me, pay(2));
    expect(risk.nothing).toBeGreaterThan(0.3);
    expect(risk.tooMuch).toBeLessThan(1 - risk.nothing);
  });

  it("with locomotives alone counts locomotives alone", () => {
    const mine = { ...me, hand: { loco: 3, red: 5 } } as PlayerWire;
    const risk = tunnelRisk(facts, view({ players: [mine], discards: { loco: 11 } }), mine, {
      ...pay(0, 2),
      colour: "loco",
    });
    expect(risk).toEqual({ left: 1, nothing: 1, tooMuch: 0 });
  });
});
