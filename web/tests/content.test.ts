// @vitest-environment node
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { catalogue } from "../tools/catalogues.ts";
import { lang } from "../src/i18n/index.svelte.ts";
import {
  CONDITIONS,
  everyRule,
  findEntry,
  inSections,
  lessonOf,
  loadLessons,
  loadRules,
  type Rule,
  type RuleBook,
  rulesOf,
  search,
  SECTIONS,
  TARGETS,
  WHENS,
} from "../src/learn/content.ts";
import { lessonsOf } from "../src/learn/lessons.ts";
import { MECHANICS } from "../src/mechanics/index.ts";
import { PICTURES } from "../src/mechanics/pictures.ts";
import { factsOf, speak } from "./text.fixture.ts";

const LANGUAGES = ["en", "ro", "pt-PT", "pt-BR"] as const;
const MAPS = ["usa", "europe", "iberia", "africa", "carpathians"] as const;
const CORE_PICTURES = ["country", "longest", "globetrotter"];
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const LAW = [...read("../../branchline/rules.md").matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map((m) => m[1] as string);
const FORBIDDEN = /ticket\s*to\s*ride|days\s*of\s*wonder|asmod[eé]e/i;

const books = Object.fromEntries(await Promise.all(LANGUAGES.map(async (l) => [l, await loadRules(l)] as const)));
const lessons = Object.fromEntries(await Promise.all(LANGUAGES.map(async (l) => [l, await loadLessons(l)] as const)));
const facts = Object.fromEntries(MAPS.map((map) => [map, factsOf(map)]));
const of = <T>(all: Record<string, T>, language: string) => all[language] as T;
const onMap = (language: string, map: string) => rulesOf(of(books, language), map, of(facts, map));
const messages = (language: string, area: string) =>
  Object.fromEntries(Object.entries(catalogue(language)).filter(([key]) => key.startsWith(`${area}.`)));
const whys = (language: string) => messages(language, "why") as Record<string, string>;
const written = ({ core, mechanics, maps }: RuleBook): [string, Rule[]][] => [
  ["core", core],
  ...Object.entries(mechanics),
  ...Object.entries(maps),
];
const shape = (book: RuleBook) =>
  written(book).map(([home, rules]) => [
    home,
    rules.map(({ text, ...rule }) => ({ ...rule, title: "title" in rule, paragraphs: text.length })),
  ]);

/** The maps on which a clause has to be explained; some others use it too, as Iberia's ferries do EUR-11. */
const HOME: Record<string, readonly string[]> = {
  C: MAPS,
  I: MAPS,
  EUR: ["europe"],
  IBE: ["iberia"],
  AFR: ["africa"],
  CAR: ["carpathians"],
};

describe("the rules in players' words", () => {
  it("explain every clause of the law, and no other", () => {
    const told = new Set(written(of(books, "en")).flatMap(([, rules]) => rules.flatMap(({ clauses }) => clauses)));
    expect(LAW.length).toBeGreaterThan(100);
    expect([...told].sort()).toEqual([...LAW].sort());
  });

  it("explain a map's clauses on that map's page", () => {
    for (const clause of LAW) {
      const homes = HOME[clause.split("-")[0] as string] ?? [];
      expect(
        homes.some((map) => findEntry(onMap("en", map), clause)),
        clause,
      ).toBe(true);
    }
  });

  it.each(LANGUAGES)("are whole and short in %s", (language) => {
    expect(shape(of(books, language))).toEqual(shape(of(books, "en")));
    const entries = everyRule(of(books, language));
    for (const entry of entries) {
      if (entry.when) expect(CONDITIONS, entry.id).toHaveProperty(entry.when);
      expect(entry.title.length, entry.id).toBeGreaterThan(3);
      for (const paragraph of entry.text) expect(words(paragraph), `${entry.id}: ${paragraph}`).toBeGreaterThan(2);
      expect(words(entry.text.join(" ")), entry.id).toBeLessThanOrEqual(80);
    }
  });

  it("fill every part of each map's page, a mechanic's own part where it is in play", () => {
    for (const map of MAPS) {
      const sections = inSections(onMap("en", map)).map(({ section }) => section);
      expect(
        sections.filter((id) => id !== "stations"),
        map,
      ).toEqual([...SECTIONS]);
      expect(sections.includes("stations"), map).toBe(map === "europe");
    }
  });

  it("leave what belongs to a mechanic or to one map to its folder", () => {
    const { core } = of(books, "en");
    const foreign =
      /tunnel|ferr(y|ies)|station|terrain|festival|draft|doubled|mail|United States|Europe|Iberia|Africa|Carpathians/i;
    expect(core.flatMap(({ text }) => text).filter((text) => foreign.test(text))).toEqual([]);
  });

  it("follow the facts of a map that nobody has seen", () => {
    const own = { ...of(facts, "usa"), id: "own", stations_each: 2, longest_path: 0, trains: 30 };
    const entries = rulesOf(of(books, "en"), "own", own);
    const ids = entries.map(({ id }) => id);
    expect(ids).toContain("station");
    expect(ids).not.toContain("longest-path");
    expect(ids).not.toContain("tunnel");
    expect(entries.find(({ id }) => id === "trains")?.text[0]).toContain("30");
  });

  it("are all told where nobody knows the map", () => {
    const ids = rulesOf(of(books, "en"), "own").map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["tunnel", "ferry", "station", "terrain-cards", "festival-cards"]));
  });

  it.each(LANGUAGES)("say this map's numbers in %s, every one of them", (language) => {
    speak(language);
    for (const map of MAPS) {
      const texts = onMap(language, map).flatMap(({ text }) => text);
      expect(texts.filter((text) => /[{}…]/.test(text))).toEqual([]);
    }
    expect(findEntry(onMap(language, "iberia"), "C-03")?.text[0]).toContain("35");
    expect(findEntry(onMap(language, "africa"), "AFR-02")?.text[0]).toContain(lang.messages["learn.count.4"]);
  });
});

describe("looking a rule up", () => {
  const english = (map: string) => onMap("en", map);

  it("finds this map's own entry for a clause", () => {
    expect(findEntry(english("usa"), "C-13")?.id).toBe("display-locomotive");
    expect(findEntry(english("europe"), "C-28")?.id).toBe("draw-tickets-long");
    expect(findEntry(english("africa"), "C-37")?.clauses[0]).toBe("AFR-20");
    expect(findEntry(english("iberia"), "EUR-11")?.id).toBe("ferry");
  });

  it("finds a rule of another map where this one has none", () => {
    expect(findEntry(english("usa"), "EUR-04")).toBeUndefined();
    expect(findEntry(everyRule(of(books, "en")), "EUR-04")?.id).toBe("station");
    expect(findEntry(everyRule(of(books, "en")), "C-99")).toBeUndefined();
  });

  it("searches without accents and case, in titles, texts and numbers", () => {
    const all = everyRule(of(books, "en"));
    expect(search(onMap("ro", "europe"), "gari").map((entry) => entry.id)).toContain("station");
    expect(search(onMap("pt-PT", "europe"), "TUNEIS").map((entry) => entry.id)).toContain("tunnel");
    expect(search(all, "c-13").map((entry) => entry.id)).toEqual(["display-locomotive"]);
    expect(search(all, " ")).toHaveLength(all.length);
    expect(search(all, "grey mixed").map((entry) => entry.id)).toEqual(["gray"]);
  });
});

describe.each(LANGUAGES)("the lessons in %s", (language) => {
  const { tutorial, mechanics, maps } = of(lessons, language);
  const english = of(lessons, "en");
  const cards = [...Object.values(mechanics), ...Object.values(maps)].flat();

  it("have the eight hints in their order", () => {
    expect(tutorial.map((step) => step.when)).toEqual([...WHENS]);
    expect(tutorial.map(({ id, target }) => [id, target])).toEqual(
      english.tutorial.map(({ id, target }) => [id, target]),
    );
    for (const step of tutorial) {
      expect(TARGETS, step.id).toContain(step.target);
      expect(words(step.text), step.id).toBeLessThanOrEqual(45);
    }
  });

  it("have cards for each mechanic, each with a picture and short", () => {
    expect(Object.keys(mechanics).sort()).toEqual([...MECHANICS].sort());
    const frame = (all: typeof mechanics) =>
      Object.entries(all).map(([name, list]) => [name, list.map(({ picture, entry, when }) => [picture, entry, when])]);
    expect(frame(mechanics)).toEqual(frame(english.mechanics));
    expect(frame(maps)).toEqual(frame(english.maps));
    for (const card of cards) {
      expect([...PICTURES.keys(), ...CORE_PICTURES], card.title).toContain(card.picture);
      expect(words(card.text), card.title).toBeLessThanOrEqual(45);
    }
  });

  it("follow the facts of a map: what its mechanics teach, with a rule of that map to read on", () => {
    speak(language);
    expect(lessonOf(of(lessons, language), of(facts, "usa"))).toEqual([]);
    for (const map of MAPS.slice(1)) {
      const lesson = lessonOf(of(lessons, language), of(facts, map));
      expect(lesson.length, map).toBeGreaterThanOrEqual(3);
      expect(lesson.length, map).toBeLessThanOrEqual(6);
      const ids = onMap(language, map).map(({ id }) => id);
      for (const card of lesson) expect(ids, card.title).toContain(card.entry);
      expect(lesson.filter(({ text }) => /[{}…]/.test(text))).toEqual([]);
    }
  });

  it("show what is new on a map", () => {
    const shown = lessonsOf(of(lessons, language), Object.values(facts));
    expect(shown.map(({ id, picture }) => [id, picture])).toEqual([
      ["europe", "tunnel"],
      ["iberia", "festival"],
      ["africa", "terrain"],
      ["carpathians", "mail"],
    ]);
  });
});

describe("why a move is refused", () => {
  it.each(LANGUAGES)("is said in a sentence or two, in %s", (language) => {
    const said = whys(language);
    expect(Object.keys(said).length).toBeGreaterThan(45);
    for (const [key, text] of Object.entries(said)) {
      expect(words(text), key).toBeGreaterThan(4);
      expect(words(text), key).toBeLessThanOrEqual(30);
    }
  });
});

describe("the words themselves", () => {
  /** Everything a reader sees, without the ids; and what of it fits a pattern. */
  const spoken = (language: string) => {
    const { tutorial, mechanics, maps } = of(lessons, language);
    const cards = [...Object.values(mechanics), ...Object.values(maps)].flat();
    const rules = written(of(books, language)).flatMap(([, all]) => all.map((rule) => ({ title: "", ...rule })));
    const told = [...rules, ...tutorial, ...cards].flatMap(({ title, text }) => [title, text].flat());
    const said = Object.values({ ...whys(language), ...messages(language, "learn") });
    const texts = said.flatMap((message) => (typeof message === "string" ? message : Object.values(message)));
    return [...told, ...texts].map((text) => text.replace(/\{[^{}]*\}/gu, "x")); // the name of a parameter is no word
  };
  const fitting = (language: string, pattern: RegExp) => spoken(language).filter((text) => pattern.test(text));

  it("are Romanian with commas below, never cedillas", () => {
    expect(fitting("ro", /[şţŞŢ]/)).toEqual([]);
    expect(fitting("ro", /ș.*ț/)).not.toEqual([]);
  });

  it("are Portuguese of Portugal and of Brazil, each its own", () => {
    expect(fitting("pt-PT", /\b(trem|trens|você|rodada|balsas?|bônus|tela)\b/i)).toEqual([]);
    expect(fitting("pt-BR", /\b(comboios?|ronda|ferry|ferries|bónus|teus?|tuas?|podes|ecrã)\b/i)).toEqual([]);
  });

  it.each(LANGUAGES)("hold no trade name, nothing unfinished and no slip of the pen in %s", (language) => {
    expect(fitting(language, FORBIDDEN)).toEqual([]);
    expect(fitting(language, /\bTODO\b|\bFIXME\b|lorem/)).toEqual([]);
    expect(fitting(language, / {2}|^ | $| [,.;!?]|\.\./)).toEqual([]);
  });
});
