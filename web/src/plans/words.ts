/** Wishes in words. */
import { list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { first } from "../mechanics/index.ts";
import { PLANS } from "../mechanics/plans.ts";
import type { PlanResult, PlanWire } from "../wire.ts";

export type Wish = PlanWire["turns"][number][number];

/** The mechanic's kind of wish that this is, if it is one. */
export const kindOf = (wish: Wish) => first(PLANS, (part) => (part.wish?.do === wish.do ? part.wish : null));

/** A card one may draw: "blind", "red", or what a mechanic has. */
export function cardWords(card: string): string {
  if (card === "blind") return t("plan.card.blind");
  return first(PLANS, (part) => part.card?.(card)) ?? t(`common.card.${card}`);
}

/** "Claim Paris–Dieppe", and what else is written of it. */
export function wishWords(wish: Wish, names: Names): { head: string; notes: string[] } {
  switch (wish.do) {
    case "claim":
      return { head: t("plan.wish.claim", { track: names.track(wish.track) }), notes: claimNotes(wish, names) };
    case "draw": {
      const then = wish.then.map(cardWords).join(" / ");
      const head = t("plan.wish.draw", { card: cardWords(wish.first) });
      if (wish.first === "loco") return { head, notes: [] };
      return { head, notes: [then ? t("plan.then", { cards: then }) : t("plan.then.ask")] };
    }
    default:
      return { head: kindOf(wish)!.words(wish, names), notes: payNotes(wish.colour, wish.locos) };
  }
}

function payNotes(colour: string, locos: number): string[] {
  const limit = locos ? tn("plan.locos", locos) : t("plan.locos.none");
  return colour === "loco" ? [t("plan.locos.only")] : [t("plan.colour", { colour: t(`common.card.${colour}`) }), limit];
}

function claimNotes(wish: Extract<Wish, { do: "claim" }>, names: Names): string[] {
  const notes = payNotes(wish.colour, wish.locos);
  for (const part of PLANS) notes.push(...(part.notes?.(wish, names) ?? []));
  return notes;
}

/** What became of the plan, in one sentence. */
export function resultWords(result: PlanResult, names: Names): string {
  if (!result.wish) return t("plan.result.none");
  const { head, notes } = wishWords(result.wish, names);
  return t(`plan.result.${result.kind}`, { wish: `${head} (${list(notes)})`.replace(" ()", "") });
}
