/** What a typed line can come to, and the pieces that readings are made of. */
import type { Names } from "../lib/names.ts";
import type { ViewWire } from "../wire.ts";
import { colourOf, folded, isAll, isAnd, isFiller, isLoco, isNumber, nearest, type Places } from "./lexicon.ts";

export type Show = "hand" | "table" | "players" | "mine" | "menu" | "now" | "log" | "help";
/** What is said about a payment; everything may be missing. */
export interface Wish {
  colour?: string;
  locos?: number;
}
export type Reading =
  | { do: "move"; lines: string[] }
  | { do: "buy"; verb: string; about: string[]; wish: Wish }
  | { do: "show"; what: Show }
  | { do: "tracks"; tracks: string[]; place?: string }
  | { do: "undo" }
  | { do: "pick"; number: number }
  | { do: "say"; key: string; params?: Record<string, string | number>; places?: string[]; near?: string };

export interface Context {
  offers: readonly string[];
  view: ViewWire;
  names: Names;
  places: Places;
}

export const say = (key: string, params?: Record<string, string | number>, near?: string): Reading => ({
  do: "say",
  key,
  ...(params && { params }),
  ...(near && { near }),
});
export const move = (line: string): Reading => ({ do: "move", lines: [line] });

/** A verb with a number; without one, the only way there is. */
export function counted(verb: string, rest: string[], context: Context): Reading {
  const number = rest.find(isNumber);
  if (number) return move(`${verb} ${Number(number)}`);
  const ways = context.offers.filter((line) => line.startsWith(`${verb} `));
  return ways.length === 1 ? move(ways[0]!) : say("text.which_number");
}

/** "green", "2 green 1 loco", "no locos"; null if the words are no payment. */
export function wishOf(words: readonly string[]): Wish | null {
  const wish: Wish = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const next = words[i + 1] ?? "";
    if (isFiller(word)) continue;
    if (isNumber(word) && isLoco(next)) [wish.locos, i] = [Number(word), i + 1];
    else if (isLoco(word) && isNumber(next)) [wish.locos, i] = [Number(next), i + 1];
    else if (["no", "without", "fara", "sem"].includes(word) && isLoco(next)) [wish.locos, i] = [0, i + 1];
    else if (isNumber(word) && colourOf(next)) [wish.colour, i] = [colourOf(next)!, i + 1];
    else if (colourOf(word) && !wish.colour) wish.colour = colourOf(word)!;
    else return null;
  }
  return wish;
}

export function unknownPlace(word: string, context: Context): Reading {
  return say("text.no_place", { word }, nearest(word, context.places.vocabulary) ?? undefined);
}

/** Tickets among those offered, by number, by id or by name: "1 3", "paris-wien", "paris wien, london". */
export function chosenTickets(verb: string, said: string, offered: string[], context: Context): Reading {
  if (!folded(said)) return say("text.which_tickets", { example: `${verb} 1` });
  const chosen = new Set<string>();
  if (isAll(folded(said))) for (const id of offered) chosen.add(id);
  else {
    for (const chunk of said.split(/[,;&+]/u).flatMap(splitAnd)) {
      for (const id of ticketsIn(chunk, offered, context)) {
        if (typeof id !== "string") return say("text.no_ticket", { word: id.unknown });
        chosen.add(id);
      }
    }
  }
  const ids = offered.filter((id) => chosen.has(id));
  if (verb !== "keep" && ids.length !== 1) return say("text.which_tickets", { example: `${verb} 1` });
  return ids.length ? move([verb, ...ids].join(" ")) : say("text.no_ticket", { word: said });
}

function splitAnd(chunk: string): string[] {
  const chunks: string[][] = [[]];
  for (const word of chunk.split(/\s+/u)) {
    if (isAnd(folded(word))) chunks.push([]);
    else chunks.at(-1)!.push(word);
  }
  return chunks.map((words) => words.join(" ")).filter(Boolean);
}

function ticketsIn(chunk: string, offered: string[], { names }: Context): (string | { unknown: string })[] {
  const written = chunk.trim().split(/\s+/u);
  if (written.every((word) => isNumber(word) || offered.includes(word))) {
    return written.map((word) => (offered.includes(word) ? word : (offered[Number(word) - 1] ?? { unknown: word })));
  }
  const words = folded(chunk).split(" ");
  const fits = (id: string) => {
    const name = folded(`${names.ticket(id)} ${id}`).split(" ");
    return words.every((word) => name.some((part) => part.startsWith(word)));
  };
  const fitting = offered.filter(fits);
  return fitting.length === 1 ? [fitting[0]!] : [{ unknown: chunk.trim() }];
}
