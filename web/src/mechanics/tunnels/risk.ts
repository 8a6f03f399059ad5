/** Advice, not a rule: how likely a tunnel asks for more cards than are left, by the cards the reader has not seen. */
import type { MapFacts, Payment, PlayerWire, ViewWire } from "../../wire.ts";

export interface Risk {
  /** Cards left after the payment that could pay for more. */
  left: number;
  /** Chances that nothing more is due, and that more is due than is left. */
  nothing: number;
  tooMuch: number;
}

export function tunnelRisk(facts: MapFacts, view: ViewWire, me: PlayerWire, paid: Payment): Risk {
  const held = (card: string) => me.hand[card] ?? 0;
  const only = !paid.cards; // with locomotives alone, locomotives alone cost and pay more (EUR-15)
  const left = held("loco") - paid.locos + (only ? 0 : held(paid.colour) - paid.cards);
  const unseen = (card: string) => (card === "loco" ? facts.locomotives : facts.cards_per_colour) - seen(view, card);
  const costly = unseen("loco") + (only ? 0 : unseen(paid.colour));
  const all = view.deck + view.players.reduce((sum, player) => sum + player.cards - known(player), 0);
  const turned = Math.min(facts.tunnel_cards, view.deck + Object.values(view.discards).reduce((sum, n) => sum + n, 0));
  const chances = Array.from({ length: turned + 1 }, (_, n) => hyper(all, costly, turned, n));
  return { left, nothing: chances[0]!, tooMuch: chances.slice(left + 1).reduce((sum, chance) => sum + chance, 0) };
}

const known = (player: PlayerWire) => Object.values(player.hand).reduce((sum, n) => sum + n, 0);

/** How many of a card lie where the reader sees them. */
function seen(view: ViewWire, card: string): number {
  const hands = view.players.reduce((sum, player) => sum + (player.hand[card] ?? 0), 0);
  return hands + view.display.filter((shown) => shown === card).length + (view.discards[card] ?? 0);
}

/** The chance of `n` of the `costly` among `turned` of `all`. */
function hyper(all: number, costly: number, turned: number, n: number): number {
  return (choose(costly, n) * choose(all - costly, turned - n)) / choose(all, turned);
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways *= (n - i) / (i + 1);
  return n < k ? 0 : ways;
}
