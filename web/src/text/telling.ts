/**
 * Facts of a game as sentences, by the catalogues the terminal and the service read too (branchline/words says how a
 * message is written, branchline/words/telling.py does the same in Python). A fact is an event or a refusal of the
 * wire: its `kind` is the key, its other fields are the parameters. A sentence goes through as text with marks, so
 * that a page can show cards and tracks in it: `partsOf` takes it apart.
 */
import { form, knows, lang, list, num, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { lookName, lookOf } from "../lib/seats.ts";
import { first } from "../mechanics/index.ts";
import { TELLING } from "../mechanics/telling.ts";

export type Seats = readonly { name: string; colour?: number }[];
/** What a piece of a sentence is: of these, or a thing of a mechanic that has a drawing. */
export type PartKind = "card" | "track" | "place" | "ticket" | "seat" | "points" | (string & {});
/** A piece of a sentence; `id` is what it stands for. */
export interface Part {
  text: string;
  kind?: PartKind;
  id?: string;
}

/** Who is told it, and by which names. */
export interface Telling {
  names: Names;
  seats: Seats;
  me: number | null;
}

type Value = string | number | boolean | null | readonly (string | null)[];
export type Params = Readonly<Record<string, Value>>;
/** An event or a refusal of the wire. */
export type Fact = { readonly kind: string };

// A marked piece: OPEN kind BETWEEN id BETWEEN text CLOSE.
const OPEN = "\uE000",
  BETWEEN = "\uE001",
  CLOSE = "\uE002";
const MARKED = /\uE000(.*?)\uE001(.*?)\uE001(.*?)\uE002/su;

export const mark = (kind: PartKind, id: string, text: string) =>
  OPEN + [kind, id, text.replace(/[\uE000-\uE002]/gu, "")].join(BETWEEN) + CLOSE;

/** A sentence with marks as its parts. */
export function partsOf(marked: string): Part[] {
  const pieces = marked.split(MARKED);
  const parts: Part[] = [];
  for (let i = 0; i < pieces.length; i += 4) {
    if (pieces[i]) parts.push({ text: pieces[i]! });
    if (i + 3 < pieces.length)
      parts.push({ kind: pieces[i + 1] as PartKind, id: pieces[i + 2]!, text: pieces[i + 3]! });
  }
  return parts;
}

export const plain = (parts: Part[]) => parts.map((part) => part.text).join("");

export const seatName = (seats: Seats, seat: number): string => seats[seat]?.name || lookName(lookOf(seats, seat));

/** The sentence of a fact: `event.TrackClaimed`, `why.TooFewTrains`. */
export function tellFact(prefix: string, fact: Fact, to: Telling): string {
  const { kind, ...params } = fact as Fact & Params;
  return sentence(`${prefix}.${kind}`, params, to);
}

/** The message of a key, or of the most particular key under it, with its parameters in words. */
export function sentence(key: string, params: Params, to: Telling): string {
  const found = caseOf(key, params, to.me);
  const message = lang.messages[found] ?? lang.rest[found];
  if (message === undefined) return found;
  const n =
    (Object.entries(params).find(([name, value]) => name !== "seat" && typeof value === "number")?.[1] as number) ?? 1;
  const text = typeof message === "string" ? message : (message[form(n)] ?? message.other ?? found);
  return text.replace(/\{([^{}]+)\}/gu, (_, braces: string) => filled(braces, { n, ...params }, to));
}

function caseOf(key: string, params: Params, me: number | null): string {
  let found = key;
  if ("seat" in params && knows(`${key}.you`)) found += params.seat === me ? ".you" : ".they";
  for (const [name, value] of Object.entries(params)) {
    const nothing = !value || (Array.isArray(value) && !value.length);
    const one = `${found}.${name}=${nothing ? "none" : String(value)}`;
    if (knows(one)) found = one;
  }
  return found;
}

function filled(braces: string, params: Params, to: Telling): string {
  const terms = braces.split(" + ").map((term) => term.split(":") as [string, string?]);
  const told = terms
    .filter(([name]) => terms.length === 1 || params[name])
    .map(([name, noun]) => worded(name, noun ?? "", params, to));
  return list(told);
}

function worded(name: string, noun: string, params: Params, to: Telling): string {
  const value = params[name];
  if (typeof value === "number") {
    return name === "seat" ? mark("seat", String(value), seatName(to.seats, value)) : counted(value, noun, params, to);
  }
  if (typeof value === "string") return thing(noun || name, value, to);
  return Array.isArray(value) ? heap(noun || name, value, to) : thing(noun || name, "any", to);
}

function counted(n: number, noun: string, params: Params, to: Telling): string {
  const [what, kind] = noun.split(".") as [string, string?];
  if (kind) return thing(what, String(params[kind] ?? kind), to, n);
  if (!what) return num(n);
  return what === "points" ? points(n) : tn(keyOf(what) ?? what, n);
}

/** "2 red cards, a blue card and a locomotive", in the order in which they first come. */
function heap(noun: string, several: readonly (string | null)[], to: Telling): string {
  const counts = new Map<string, number>();
  for (const one of several) counts.set(one ?? "any", (counts.get(one ?? "any") ?? 0) + 1);
  return list([...counts].map(([one, n]) => thing(noun, one, to, n)));
}

/** So many of a thing by its name: a place by its label, "a red card", "2 red cards". */
export function thing(noun: string, name: string, to: Telling, n = 1): string {
  switch (noun) {
    case "track":
      return mark("track", name, to.names.track(name));
    case "place":
      return mark("place", name, to.names.place(name));
    case "ticket":
      return mark("ticket", name, to.names.valuedTicket(name));
    default:
      return marked(noun, name, named(noun, name, n, to));
  }
}

const marked = (noun: string, id: string, text: string) =>
  id !== "any" && (noun === "card" || symbolOf(noun, id)) ? mark(noun, id, text) : text;

/** The drawing of a mechanic's thing, if it has one. */
export const symbolOf = (noun: string, id: string) => first(TELLING, (part) => part.symbols?.[noun]?.(id));

function named(noun: string, name: string, n: number, to: Telling): string {
  const key = keyOf(`${noun}.${name}`);
  if (key) return tn(key, n);
  const own = to.names.thing(noun, name);
  const other = keyOf(`${noun}.other`);
  return other ? tn(other, n, { name: own }) : own;
}

const keyOf = (noun: string) => [`thing.${noun}`, `common.${noun}`, noun].find((key) => knows(key));

export const points = (n: number) => mark("points", String(n), tn("common.points", n));
/** "choose your first tickets", as the beginning of a line. */
export const dueWords = (due: string) =>
  t(`due.${due}`).replace(/^./u, (letter) => letter.toLocaleUpperCase(lang.code));
