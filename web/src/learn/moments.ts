/** When each hint of the tutorial is due: read off what the player sees, so that a reloaded page goes on where it was. */
import type { StepWire, ViewWire } from "../wire.ts";
import type { Step, When } from "./content.ts";

export interface Sight {
  view: ViewWire;
  offers: string[];
  steps: StepWire[];
}

const events = (sight: Sight) => sight.steps.flatMap((step) => step.events);

/** How many turns the reader has begun. */
export function turnsOf(sight: Sight): number {
  const me = sight.view.reader;
  return events(sight).filter((event) => event.kind === "TurnBegan" && event.seat === me).length;
}

export function hasClaimed(sight: Sight): boolean {
  return Object.values(sight.view.owners).includes(sight.view.reader ?? -1);
}

/** Does this moment hold now? */
export function holds(when: When, sight: Sight): boolean {
  const { view, offers } = sight;
  const asked = offers.length > 0;
  const choosing = asked && view.phase === "turn";
  switch (when) {
    case "first_tickets":
      return asked && view.phase === "first_tickets";
    case "your_turn_1":
      return choosing; // the first, unless somebody was quicker than the hint
    case "drew_first_card":
      return asked && view.phase === "draw_second";
    case "your_turn_2":
      return choosing && turnsOf(sight) >= 2;
    case "can_claim":
      return choosing && turnsOf(sight) >= 2 && offers.some((line) => line.startsWith("claim "));
    case "claimed":
      return hasClaimed(sight);
    case "ticket_done_or_turn_6":
      return choosing && (turnsOf(sight) >= 6 || (view.players[view.reader ?? -1]?.completed.length ?? 0) > 0);
    case "ticket_done": // the finish: the deal makes it easy, and who does not get there finishes with the game
      return view.phase === "over" || (view.players[view.reader ?? -1]?.completed.length ?? 0) > 0;
  }
}

/** The hint to show now: the next in their order, once its moment has come; at the end of the game the last. */
export function due(hints: Step[], seen: ReadonlySet<string>, sight: Sight): Step | null {
  const next = hints.find((hint) => !seen.has(hint.id));
  const last = hints.at(-1);
  if (sight.view.phase === "over") return last && !seen.has(last.id) ? last : null;
  return next && holds(next.when, sight) ? next : null;
}
