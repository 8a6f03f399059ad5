/**
 * The teaching texts: the rules in players' words, the tutorial and the lessons. One language is loaded at a time.
 *
 * The core has rules for every map; each mechanic that a map uses adds its own, and so may the map (src/maps): a rule of
 * the same id takes the place of the earlier one, or adds to it if it has no title of its own.
 */
import { knows, lang, type Lang, num, t } from "../i18n/index.svelte.ts";
import { numbersOf, usedOn } from "../mechanics/learn.ts";
import type { MapFacts } from "../wire.ts";

/** The parts of a rules page; what a mechanic adds stands after the tracks. */
export const SECTIONS = ["start", "turn", "cards", "tracks", "tickets", "end", "secrets"] as const;
export const WHENS = [
  "first_tickets",
  "your_turn_1",
  "drew_first_card",
  "your_turn_2",
  "can_claim",
  "claimed",
  "ticket_done_or_turn_6",
  "ticket_done",
] as const;
export const TARGETS = ["tickets", "display", "deck", "hand", "board", "players", "offers", ""] as const;

/** What the numbers of a map say about it, for rules that only some maps have. */
export const CONDITIONS: Record<string, (facts: MapFacts) => boolean> = {
  dealt: ({ first_tickets }) => Boolean(first_tickets.normal) && !first_tickets.long,
  long_tickets: ({ first_tickets }) => Boolean(first_tickets.long),
  short_tickets: ({ first_tickets }) => !first_tickets.long,
  countries: ({ places }) => places.some((place) => place.kind === "country"),
  longest_path: ({ longest_path }) => longest_path > 0,
  globetrotter: ({ globetrotter }) => globetrotter > 0,
};

export type When = (typeof WHENS)[number];
export type Target = (typeof TARGETS)[number];

/** One rule or a few that belong together; `clauses` are their numbers in the rulebook. */
export interface RuleEntry {
  id: string;
  section: string;
  /** The rule it follows; without one it comes last in its section. */
  after?: string;
  /** One of CONDITIONS; without one it holds on every map that has its mechanic. */
  when?: string;
  clauses: string[];
  title: string;
  text: string[];
}

/** What a mechanic or a map adds to a rule that is not its own. */
export interface Addition {
  id: string;
  when?: string;
  clauses: string[];
  text: string[];
}
export type Rule = RuleEntry | Addition;

/** One hint of the tutorial: shown once, the first time `when` holds, beside `target`. */
export interface Step {
  id: string;
  when: When;
  target: Target;
  title: string;
  text: string;
}

/** One card of a lesson; `entry` is the rule to read on. */
export interface LessonCard {
  picture: string;
  entry: string;
  when?: string;
  title: string;
  text: string;
}

/** What a mechanic or a map teaches: learn/<language>.json of its folder. */
export interface Teaching {
  rules: Rule[];
  lesson: LessonCard[];
}

export interface RuleBook {
  core: RuleEntry[];
  mechanics: Record<string, Rule[]>;
  maps: Record<string, Rule[]>;
}

export interface Lessons {
  tutorial: Step[];
  mechanics: Record<string, LessonCard[]>;
  maps: Record<string, LessonCard[]>;
}

const RULES: Record<Lang, () => Promise<{ default: RuleBook }>> = {
  en: () => import("virtual:rules/en"),
  ro: () => import("virtual:rules/ro"),
  "pt-PT": () => import("virtual:rules/pt-PT"),
  "pt-BR": () => import("virtual:rules/pt-BR"),
};
const LESSONS: Record<Lang, () => Promise<{ default: Lessons }>> = {
  en: () => import("virtual:lessons/en"),
  ro: () => import("virtual:lessons/ro"),
  "pt-PT": () => import("virtual:lessons/pt-PT"),
  "pt-BR": () => import("virtual:lessons/pt-BR"),
};

export const loadRules = async (language: Lang = lang.code) => (await RULES[language]()).default;
export const loadLessons = async (language: Lang = lang.code) => (await LESSONS[language]()).default;

/** Without the facts of a map nobody knows which rules it lacks: then all are told. */
const holdsOn = (facts: MapFacts | undefined, when?: string) => !when || !facts || CONDITIONS[when]!(facts);

/** The rules of a map, in their order: the core's, those of its mechanics, its own. */
export function rulesOf(book: RuleBook, map: string, facts?: MapFacts): RuleEntry[] {
  const page: RuleEntry[] = [];
  const told = [
    ...book.core,
    ...usedOn(facts).flatMap((name) => book.mechanics[name] ?? []),
    ...(book.maps[map] ?? []),
  ];
  for (const rule of told) if (holdsOn(facts, rule.when)) put(page, rule);
  return page.map((entry) => numbered(entry, facts));
}

function put(page: RuleEntry[], rule: Rule): void {
  const at = page.findIndex(({ id }) => id === rule.id);
  const earlier = page[at];
  if (!("title" in rule)) {
    if (earlier) page[at] = added(earlier, rule);
  } else if (earlier) page[at] = rule;
  else page.splice(page.findIndex(({ id }) => id === rule.after) + 1 || page.length, 0, rule);
}

const added = (entry: RuleEntry, { clauses, text }: Addition): RuleEntry => ({
  ...entry,
  clauses: [...entry.clauses, ...clauses],
  text: [...entry.text, ...text],
});

/** Every rule there is, whatever map has it, and so without a map's numbers. */
export const everyRule = ({ core, mechanics, maps }: RuleBook): RuleEntry[] =>
  [core, ...Object.values(mechanics), ...Object.values(maps)]
    .flat()
    .filter((rule): rule is RuleEntry => "title" in rule)
    .map((entry) => numbered(entry));

/** The cards of a map's lesson: those of its mechanics, then its own. None where the tutorial has taught it all. */
export function lessonOf({ mechanics, maps }: Lessons, facts: MapFacts): LessonCard[] {
  return [...usedOn(facts).flatMap((name) => mechanics[name] ?? []), ...(maps[facts.id] ?? [])]
    .filter((card) => holdsOn(facts, card.when))
    .map((card) => ({ ...card, text: withNumbers(card.text, facts) }));
}

const numbered = (entry: RuleEntry, facts?: MapFacts): RuleEntry => ({
  ...entry,
  text: entry.text.map((text) => withNumbers(text, facts)),
});

/**
 * This map's numbers in the place of their names: `{trains}` in figures, `{deal:count}` in words as tickets are counted,
 * `{held:count_f}` as cards are, where a language tells them apart.
 */
function withNumbers(text: string, facts?: MapFacts): string {
  const numbers = facts && { ...coreNumbers(facts), ...numbersOf(facts) };
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, counted?: string) => {
    const n = numbers?.[name];
    if (n === undefined) return "…";
    const key = `learn.${counted}.${n}`;
    return knows(key) ? t(key) : num(n);
  });
}

const coreNumbers = (facts: MapFacts): Record<string, number> => ({
  trains: facts.trains,
  cards_per_colour: facts.cards_per_colour,
  locomotives: facts.locomotives,
  train_cards: 8 * facts.cards_per_colour + facts.locomotives,
  normal: facts.first_tickets.normal ?? 0,
  deal: (facts.first_tickets.normal ?? 0) + (facts.first_tickets.long ?? 0),
  keep: facts.first_tickets.keep_at_least ?? 0,
  draw: facts.ticket_draw,
  longest_path: facts.longest_path,
  globetrotter: facts.globetrotter,
});

/** The entry that explains a clause: the earlier the clause is named the better. */
export function findEntry(entries: RuleEntry[], clause: string): RuleEntry | undefined {
  const rank = (entry: RuleEntry) => entry.clauses.indexOf(clause);
  return entries.filter((entry) => rank(entry) >= 0).sort((one, other) => rank(one) - rank(other))[0];
}

/** The entries by sections, in their order; a mechanic's own section after the tracks. */
export function inSections(entries: RuleEntry[]): { section: string; entries: RuleEntry[] }[] {
  const own = new Set(
    entries.map(({ section }) => section).filter((id) => !(SECTIONS as readonly string[]).includes(id)),
  );
  const sections = SECTIONS.flatMap((id) => (id === "tracks" ? [id, ...own] : [id]));
  return sections
    .map((section) => ({ section, entries: entries.filter((one) => one.section === section) }))
    .filter((part) => part.entries.length);
}

export const anchor = (entry: string) => `rule-${entry}`;
export const rulesHref = (map: string, entry = "") => `/rules/${map}${entry && `#${anchor(entry)}`}`;

/** Letters without accents or case, for searching: "Gări" is found by "gari". */
export const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The entries that hold every word looked for, in title, text or clause numbers. */
export function search(entries: RuleEntry[], wanted: string): RuleEntry[] {
  const words = folded(wanted).split(/\s+/).filter(Boolean);
  if (!words.length) return entries;
  return entries.filter((entry) => {
    const held = folded([entry.title, ...entry.text, ...entry.clauses].join(" "));
    return words.every((word) => held.includes(word));
  });
}
