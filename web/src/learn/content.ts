/** The teaching texts: the rules in players' words, the tutorial and the mini-lessons. One language is loaded at a time. */
import { lang, type Lang } from "../i18n/index.svelte.ts";

export const MAPS = ["usa", "europe", "iberia", "africa"] as const;
export const SECTIONS = ["start", "turn", "cards", "tracks", "stations", "tickets", "end", "secrets"] as const;
export const WHENS = [
  "first_tickets", "your_turn_1", "drew_first_card", "your_turn_2", "can_claim", "claimed", "ticket_done_or_turn_6", "turn_9",
] as const;
export const TARGETS = ["tickets", "display", "deck", "hand", "board", "players", "offers", ""] as const;
export const PICTURES = [
  "tunnel", "ferry", "station", "draft", "festival", "terrain", "double", "country", "longest", "globetrotter",
] as const;

export type MapId = (typeof MAPS)[number];
export type Section = (typeof SECTIONS)[number];
export type When = (typeof WHENS)[number];
export type Target = (typeof TARGETS)[number];
export type PictureName = (typeof PICTURES)[number];

/** One rule or a few that belong together; `clauses` are their numbers in the rulebook. */
export interface RuleEntry {
  id: string;
  section: Section;
  maps: MapId[];
  clauses: string[];
  title: string;
  text: string[];
}

/** One hint of the tutorial: shown once, the first time `when` holds, beside `target`. */
export interface Step {
  id: string;
  when: When;
  target: Target;
  title: string;
  text: string;
}

/** One card of a map's mini-lesson; `entry` is the rule to read on. */
export interface LessonCard {
  picture: PictureName;
  entry: string;
  title: string;
  text: string;
}

export interface Lessons {
  tutorial: Step[];
  maps: Record<MapId, LessonCard[]>;
}

// A JSON module knows its strings only as strings; tests/content.test.ts proves that they are of the types above.
type File = Promise<{ default: unknown }>;
const RULES: Record<Lang, () => File> = {
  en: () => import("./content/rules.en.json"),
  ro: () => import("./content/rules.ro.json"),
  "pt-PT": () => import("./content/rules.pt-PT.json"),
  "pt-BR": () => import("./content/rules.pt-BR.json"),
};
const LESSONS: Record<Lang, () => File> = {
  en: () => import("./content/lessons.en.json"),
  ro: () => import("./content/lessons.ro.json"),
  "pt-PT": () => import("./content/lessons.pt-PT.json"),
  "pt-BR": () => import("./content/lessons.pt-BR.json"),
};

export async function loadRules(language: Lang = lang.code): Promise<RuleEntry[]> {
  return (await RULES[language]()).default as RuleEntry[];
}

export async function loadLessons(language: Lang = lang.code): Promise<Lessons> {
  return (await LESSONS[language]()).default as Lessons;
}

/** The entry that explains a clause: this map's own if it has one, the earlier the clause is named the better. */
export function findEntry(entries: RuleEntry[], clause: string, map: string): RuleEntry | undefined {
  const about = entries.filter((entry) => entry.clauses.includes(clause));
  const own = about.filter((entry) => (entry.maps as string[]).includes(map));
  const rank = (entry: RuleEntry) => entry.clauses.indexOf(clause);
  return (own.length ? own : about).sort((one, other) => rank(one) - rank(other))[0];
}

/** The entry to link to from a clause, in the reader's language. */
export async function entryOf(clause: string, map: string): Promise<RuleEntry | undefined> {
  return findEntry(await loadRules(), clause, map);
}

export const anchor = (entry: string) => `rule-${entry}`;
export const rulesHref = (map: string, entry = "") => `/rules/${map}${entry && `#${anchor(entry)}`}`;
/** A link that needs no text to be loaded: the rules page finds the entry. */
export const clauseHref = (map: string, clause: string) => `/rules/${map}?clause=${clause}`;

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
