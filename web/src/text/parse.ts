/**
 * Reading what a player types. Pure: a line and what the player was told become a reading, and nothing is judged:
 * what is not on offer is sent all the same, and the service says why not.
 */
import type { Names } from "../lib/names.ts";
import type { ViewWire } from "../wire.ts";
import {
  colourOf, folded, isAll, isAnd, isDeck, isFiller, isLoco, nearest, Places, terrainOf, verbOf, VERB_WORDS, type Verb,
} from "./lexicon.ts";
import { ticketsNow } from "./menu.ts";

export type Show = "hand" | "table" | "players" | "mine" | "menu" | "now" | "log" | "help";
/** What is said about a payment; everything may be missing. */
export interface Wish { colour?: string; locos?: number }
export type Reading =
  | { do: "move"; lines: string[] }
  | { do: "buy"; verb: "claim" | "station"; about: string[]; wish: Wish }
  | { do: "show"; what: Show }
  | { do: "tracks"; tracks: string[]; place?: string }
  | { do: "undo" }
  | { do: "pick"; number: number }
  | { do: "say"; key: string; params?: Record<string, string | number>; places?: string[]; near?: string };

export interface Context { offers: readonly string[]; view: ViewWire; names: Names; places: Places }

const say = (key: string, params?: Record<string, string | number>, near?: string): Reading =>
  ({ do: "say", key, ...(params && { params }), ...(near && { near }) });
const move = (line: string): Reading => ({ do: "move", lines: [line] });
const isNumber = (word: string) => /^\d{1,2}$/u.test(word);

/** What a line comes to. */
export function read(line: string, context: Context): Reading {
  const exact = line.trim().toLowerCase().replace(/\s+/gu, " ");
  if (context.offers.includes(exact)) return move(exact);
  if (exact === "?") return { do: "show", what: "help" };
  const words = folded(line).split(" ").filter(Boolean);
  if (!words.length) return say("text.try_help");
  const found = verbOf(words);
  if (found?.verb === "tickets" && exact.endsWith("?")) return { do: "show", what: "mine" };
  if (words.every(isNumber)) return numbers(words, line, context);
  if (found) return byVerb(found.verb, found.rest, exact.split(" ").slice(found.n).join(" "), context);
  return bare(words, context);
}

/** Numbers alone: the tickets to choose from, else one of the numbered choices. */
function numbers(words: string[], line: string, context: Context): Reading {
  const verb = context.offers[0]?.split(" ")[0];
  if (verb === "keep" || verb === "return" || verb === "take") return chosenTickets(verb, line, context);
  return words.length === 1 ? { do: "pick", number: Number(words[0]) } : say("text.unknown", { word: words.join(" ") });
}

/** `rest` are the folded words after the verb, `written` the same as they were typed: ids keep their hyphens. */
function byVerb(verb: Verb, rest: string[], written: string, context: Context): Reading {
  switch (verb) {
    case "take":
    case "draw":
      return context.offers[0]?.startsWith("take ") ? chosenTickets("take", written, context) : draw(rest, context);
    case "terrain":
      return terrain(rest, context);
    case "claim":
    case "track":
      return track(verb, rest, written, context);
    case "station":
      return station(rest, context);
    case "keep":
    case "return":
      return chosenTickets(verb, written, context);
    case "locos":
    case "double":
      return counted(verb, rest, context);
    case "festival":
      return festival(rest, context);
    case "tickets":
    case "single":
    case "decline":
    case "pass":
      return move(verb);
    case "undo":
      return { do: "undo" };
    default:
      return { do: "show", what: verb };
  }
}

/** A line without a verb: cards to draw, a track, or a place to look at. */
function bare(words: string[], context: Context): Reading {
  const said = words.filter((word) => !isFiller(word));
  if (said.length === 1 && context.offers.some((line) => line.startsWith("draw ")) && (isDeck(said[0]!) || colourOf(said[0]!))) return draw(said, context);
  const offered = context.offers[0]?.startsWith("festival ") ? festival(said, context) : null;
  if (offered?.do === "move") return offered;
  const pairs = pairsOf(said, context);
  if (pairs) return { do: "tracks", tracks: pairs.tracks };
  const here = context.places.best(said);
  if (here.length) return { do: "tracks", tracks: tracksAt(here[0]!, context), place: here[0]! };
  const near = nearest(words[0]!, [...VERB_WORDS, ...context.places.vocabulary]);
  return say("text.unknown", { word: words.join(" ") }, near ?? undefined);
}

// ---------------------------------------------------------------- cards

function draw(rest: string[], context: Context): Reading {
  const words = rest.filter((word) => !isFiller(word));
  const word = words[0];
  if (!word) return say("text.which_card");
  if (verbOf(words)?.verb === "tickets") return move("tickets");
  if (verbOf(words)?.verb === "terrain") return terrain(words.slice(1), context);
  if (terrainOf(word)) return terrain(words, context);
  if (words.length > 1) return say("text.one_card");
  if (isDeck(word)) return move("draw deck");
  if (isNumber(word)) return move(`draw ${Number(word)}`);
  const card = colourOf(word);
  if (!card) return say("text.unknown", { word });
  const place = context.view.display.indexOf(card) + 1;
  return place ? move(`draw ${place}`) : say("text.no_card", { card: `log.adj.${card}` });
}

function terrain(rest: string[], context: Context): Reading {
  const word = rest.find((each) => !isFiller(each));
  if (!word) return say("text.which_card");
  if (isDeck(word)) return move("terrain deck");
  if (isNumber(word)) return move(`terrain ${Number(word)}`);
  const kind = terrainOf(word);
  if (!kind) return say("text.unknown", { word });
  const place = context.view.terrain_display.indexOf(kind) + 1;
  return place ? move(`terrain ${place}`) : say("text.no_card", { card: `log.ground.${kind}` });
}

function counted(verb: "locos" | "double", rest: string[], context: Context): Reading {
  const number = rest.find(isNumber);
  if (number) return move(`${verb} ${Number(number)}`);
  const ways = context.offers.filter((line) => line.startsWith(`${verb} `));
  return ways.length === 1 ? move(ways[0]!) : say("text.which_number");
}

function festival(rest: string[], context: Context): Reading {
  const ends = context.offers.filter((line) => line.startsWith("festival ")).map((line) => line.split(" ")[1]!);
  const meant = context.places.ranks(rest);
  const fitting = (ends.length ? ends : [...meant.keys()]).filter((id) => meant.has(id));
  if (fitting.length === 1) return move(`festival ${fitting[0]}`);
  return rest.length ? say("text.no_place", { word: rest.join(" ") }) : say("text.which_place", { example: `festival ${ends[0] ?? "sevilla"}` });
}

// ---------------------------------------------------------------- tracks and stations

/** "claim" and "track" read the same words; the one buys, the other looks. */
function track(verb: "claim" | "track", rest: string[], line: string, context: Context): Reading {
  const id = line.split(" ").find((word) => context.names.tracks.has(word));
  if (id) {
    const wish = wishOf(folded(line.slice(line.indexOf(id) + id.length)).split(" ").filter(Boolean));
    return verb === "track" ? { do: "tracks", tracks: [id] } : { do: "buy", verb, about: [id], wish: wish ?? {} };
  }
  const words = rest.filter((word) => !isFiller(word));
  if (!words.length) {
    const { a, b } = exampleOf(context.names);
    return say("text.which_track", { example: `${verb} ${a} ${b}` });
  }
  const pairs = pairsOf(words, context) ?? pairsOf(rest, context); // "la" says nothing, or Los Angeles
  if (pairs) return verb === "track" ? { do: "tracks", tracks: pairs.tracks } : { do: "buy", verb, about: pairs.tracks, wish: pairs.wish };
  return noTrack(verb, words, context);
}

interface Pairs { tracks: string[]; wish: Wish }

/** The tracks two places in these words can mean, the best readings only, with what follows about the payment. */
function pairsOf(words: string[], context: Context): Pairs | null {
  let best: { rank: number; tracks: Set<string>; wish: Wish } | null = null;
  for (let i = 1; i < words.length; i++) {
    const near = context.places.ranks(words.slice(0, i));
    for (let j = i + 1; near.size && j <= words.length; j++) {
      const wish = wishOf(words.slice(j));
      if (!wish) continue;
      const far = context.places.ranks(words.slice(i, j));
      for (const { id, a, b } of context.names.tracks.values()) {
        for (const [one, other] of [[a, b], [b, a]] as const) {
          const rank = (near.get(one) ?? Infinity) + (far.get(other) ?? Infinity);
          if (rank === Infinity || (best && rank > best.rank)) continue;
          if (!best || rank < best.rank) best = { rank, tracks: new Set(), wish };
          best.tracks.add(id);
        }
      }
    }
  }
  return best && { tracks: [...best.tracks], wish: best.wish };
}

/** "green", "2 green 1 loco", "no locos"; null if the words are no payment. */
function wishOf(words: readonly string[]): Wish | null {
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

/** Two places without a track between them, one place only, or a name nobody knows. */
function noTrack(verb: "claim" | "track", words: string[], context: Context): Reading {
  const { names, places } = context;
  for (let i = words.length; i; i--) {
    const here = places.best(words.slice(0, i))[0];
    if (!here) continue;
    if (i === words.length && verb === "track") return { do: "tracks", tracks: tracksAt(here, context), place: here };
    const others = neighbours(here, context);
    if (i === words.length) return { do: "say", key: "text.where_to", params: { a: names.place(here) }, places: others };
    const there = places.best(words.slice(i))[0] ?? places.best(words.slice(i, i + 1))[0];
    if (there) return { do: "say", key: "text.no_track", params: { a: names.place(here), b: names.place(there) }, places: others };
    return unknownPlace(words.slice(i).join(" "), context);
  }
  return unknownPlace(words[0]!, context);
}

function unknownPlace(word: string, context: Context): Reading {
  return say("text.no_place", { word }, nearest(word, context.places.vocabulary) ?? undefined);
}

function station(rest: string[], context: Context): Reading {
  const words = rest.filter((word) => !isFiller(word));
  if (!words.length) return say("text.which_place", { example: "station paris" });
  for (let i = words.length; i; i--) {
    const about = context.places.best(words.slice(0, i));
    const wish = wishOf(words.slice(i));
    if (about.length && wish) return { do: "buy", verb: "station", about, wish };
  }
  return unknownPlace(words[0]!, context);
}

function tracksAt(place: string, { names }: Context): string[] {
  return [...names.tracks.values()].filter(({ a, b }) => a === place || b === place).map(({ id }) => id);
}

function neighbours(place: string, context: Context): string[] {
  return [...new Set(tracksAt(place, context).map((id) => {
    const { a, b } = context.names.tracks.get(id)!;
    return a === place ? b : a;
  }))];
}

/** Two places of the map with a track between them, easy to type. */
export function exampleOf(names: Names): { a: string; b: string } {
  const tracks = [...names.tracks.values()];
  const { a = "", b = "" } = tracks.find((one) => /^[a-z]+ [a-z]+$/u.test(`${one.a} ${one.b}`)) ?? tracks[0] ?? {};
  return { a, b };
}

// ---------------------------------------------------------------- tickets

/** Tickets by number, by id or by name: "1 3", "paris-wien", "paris wien, london". */
function chosenTickets(verb: "keep" | "return" | "take", said: string, context: Context): Reading {
  const offered = ticketsNow(context.offers, context.view);
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
