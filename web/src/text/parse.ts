/**
 * Reading what a player types. Pure: a line and what the player was told become a reading, and nothing is judged:
 * what is not on offer is sent all the same, and the service says why not.
 */
import type { Names } from "../lib/names.ts";
import { first } from "../mechanics/index.ts";
import { TEXT } from "../mechanics/text.ts";
import { colourOf, folded, isDeck, isFiller, isNumber, nearest } from "./lexicon.ts";
import { ticketsNow } from "./menu.ts";
import {
  chosenTickets,
  counted,
  move,
  say,
  unknownPlace,
  wishOf,
  type Context,
  type Reading,
  type Show,
  type Wish,
} from "./reading.ts";
import { OWN_VERBS, ownVerb, VERB_WORDS, verbOf, type Verb } from "./verbs.ts";

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
  const offered = ticketsNow(context.offers, context.view);
  if (offered.length) return chosenTickets(offeredVerb(context), line, offered, context);
  return words.length === 1 ? { do: "pick", number: Number(words[0]) } : say("text.unknown", { word: words.join(" ") });
}

const offeredVerb = ({ offers }: Context) => offers[0]?.split(" ")[0] ?? "";
/** What a mechanic asks to take now: then "take" is an answer to it. */
const taking = ({ offers }: Context) => {
  const own = offers.map((line) => ownVerb(line)?.own);
  return own.find((verb) => verb?.taken);
};

/** `rest` are the folded words after the verb, `written` the same as they were typed: ids keep their hyphens. */
function byVerb(verb: string, rest: string[], written: string, context: Context): Reading {
  const own = OWN_VERBS.get(verb);
  switch (verb as Verb) {
    case "take":
    case "draw":
      return taking(context)?.read(rest, written, context) ?? draw(rest, context);
    case "claim":
    case "track":
      return track(verb as "claim" | "track", rest, written, context);
    case "keep":
    case "return":
      return chosenTickets(verb, written, ticketsNow(context.offers, context.view), context);
    case "locos":
      return counted(verb, rest, context);
    case "tickets":
    case "pass":
      return move(verb);
    case "undo":
      return { do: "undo" };
    default:
      return own ? own.read(rest, written, context) : { do: "show", what: verb as Show };
  }
}

/** A line without a verb: cards to draw, a track, or a place to look at. */
function bare(words: string[], context: Context): Reading {
  const said = words.filter((word) => !isFiller(word));
  if (
    said.length === 1 &&
    context.offers.some((line) => line.startsWith("draw ")) &&
    (isDeck(said[0]!) || colourOf(said[0]!))
  )
    return draw(said, context);
  const own = taking(context);
  const offered = own?.taken === "bare" ? own.read(said, said.join(" "), context) : null;
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
  const own = first(TEXT, (part) => part.drawn?.(words, context));
  if (own) return own;
  if (words.length > 1) return say("text.one_card");
  if (isDeck(word)) return move("draw deck");
  if (isNumber(word)) return move(`draw ${Number(word)}`);
  const card = colourOf(word);
  if (!card) return say("text.unknown", { word });
  const place = context.view.display.indexOf(card) + 1;
  return place ? move(`draw ${place}`) : say("text.no_card", { card: `thing.colour.${card}` });
}

// ---------------------------------------------------------------- tracks

/** "claim" and "track" read the same words; the one buys, the other looks. */
function track(verb: "claim" | "track", rest: string[], line: string, context: Context): Reading {
  const id = line.split(" ").find((word) => context.names.tracks.has(word));
  if (id) {
    const wish = wishOf(
      folded(line.slice(line.indexOf(id) + id.length))
        .split(" ")
        .filter(Boolean),
    );
    return verb === "track" ? { do: "tracks", tracks: [id] } : { do: "buy", verb, about: [id], wish: wish ?? {} };
  }
  const words = rest.filter((word) => !isFiller(word));
  if (!words.length) {
    const { a, b } = exampleOf(context.names);
    return say("text.which_track", { example: `${verb} ${a} ${b}` });
  }
  const pairs = pairsOf(words, context) ?? pairsOf(rest, context); // "la" says nothing, or Los Angeles
  if (pairs)
    return verb === "track"
      ? { do: "tracks", tracks: pairs.tracks }
      : { do: "buy", verb, about: pairs.tracks, wish: pairs.wish };
  return noTrack(verb, words, context);
}

interface Pairs {
  tracks: string[];
  wish: Wish;
}

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
        for (const [one, other] of [
          [a, b],
          [b, a],
        ] as const) {
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

/** Two places without a track between them, one place only, or a name nobody knows. */
function noTrack(verb: "claim" | "track", words: string[], context: Context): Reading {
  const { names, places } = context;
  for (let i = words.length; i; i--) {
    const here = places.best(words.slice(0, i))[0];
    if (!here) continue;
    if (i === words.length && verb === "track") return { do: "tracks", tracks: tracksAt(here, context), place: here };
    const others = neighbours(here, context);
    if (i === words.length)
      return { do: "say", key: "text.where_to", params: { a: names.place(here) }, places: others };
    const there = places.best(words.slice(i))[0] ?? places.best(words.slice(i, i + 1))[0];
    if (there)
      return {
        do: "say",
        key: "text.no_track",
        params: { a: names.place(here), b: names.place(there) },
        places: others,
      };
    return unknownPlace(words.slice(i).join(" "), context);
  }
  return unknownPlace(words[0]!, context);
}

function tracksAt(place: string, { names }: Context): string[] {
  return [...names.tracks.values()].filter(({ a, b }) => a === place || b === place).map(({ id }) => id);
}

function neighbours(place: string, context: Context): string[] {
  return [
    ...new Set(
      tracksAt(place, context).map((id) => {
        const { a, b } = context.names.tracks.get(id)!;
        return a === place ? b : a;
      }),
    ),
  ];
}

/** Two places of the map with a track between them, easy to type. */
export function exampleOf(names: Names): { a: string; b: string } {
  const tracks = [...names.tracks.values()];
  const { a = "", b = "" } = tracks.find((one) => /^[a-z]+ [a-z]+$/u.test(`${one.a} ${one.b}`)) ?? tracks[0] ?? {};
  return { a, b };
}
