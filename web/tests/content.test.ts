import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  findEntry, loadLessons, loadRules, MAPS, PICTURES, type RuleEntry, search, SECTIONS, TARGETS, WHENS,
} from "../src/learn/content.ts";

const LANGUAGES = ["en", "ro", "pt-PT", "pt-BR"] as const;
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const LAW = [...read("../../docs/rules.md").matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map((m) => m[1] as string);
const REFUSED = new Set([...read("../../branchline/refusals.py").matchAll(/"((?:C|EUR|IBE|AFR|I)-\d+)"/g)].map((m) => m[1] as string));
const FORBIDDEN = /ticket\s*to\s*ride|days\s*of\s*wonder|asmod[eé]e/i;

const rules = Object.fromEntries(await Promise.all(LANGUAGES.map(async (l) => [l, await loadRules(l)] as const)));
const lessons = Object.fromEntries(await Promise.all(LANGUAGES.map(async (l) => [l, await loadLessons(l)] as const)));
const of = <T>(all: Record<string, T>, language: string) => all[language] as T;
const catalogue = (language: string, area: string) => JSON.parse(read(`../src/i18n/${area}/${language}.json`)) as Record<string, string | Record<string, string>>;
const whys = (language: string) => catalogue(language, "why") as Record<string, string>;
const shape = (entries: RuleEntry[]) => entries.map(({ id, section, maps, clauses, text }) => ({ id, section, maps, clauses, paragraphs: text.length }));

/** The maps on which a clause has to be explained; some others use it too, as Iberia's ferries do EUR-11. */
const HOME: Record<string, readonly string[]> = { C: MAPS, I: MAPS, EUR: ["europe"], IBE: ["iberia"], AFR: ["africa"] };

describe("the rules in players' words", () => {
  it("explain every clause of the law, and no other", () => {
    const told = new Set(of(rules, "en").flatMap((entry) => entry.clauses));
    expect(LAW.length).toBeGreaterThan(100);
    expect([...told].sort()).toEqual([...LAW].sort());
  });

  it("explain a map's clauses on that map's page", () => {
    for (const clause of LAW) {
      const homes = HOME[clause.split("-")[0] as string] ?? [];
      const entries = of(rules, "en").filter((entry) => entry.clauses.includes(clause));
      expect(entries.some((entry) => entry.maps.some((map) => homes.includes(map))), clause).toBe(true);
    }
  });

  it.each(LANGUAGES)("are whole and short in %s", (language) => {
    const entries = of(rules, language);
    expect(shape(entries)).toEqual(shape(of(rules, "en")));
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    for (const entry of entries) {
      expect(SECTIONS, entry.id).toContain(entry.section);
      expect(entry.maps.length, entry.id).toBeGreaterThan(0);
      for (const map of entry.maps) expect(MAPS, entry.id).toContain(map);
      expect(entry.title.length, entry.id).toBeGreaterThan(3);
      for (const paragraph of entry.text) expect(words(paragraph), `${entry.id}: ${paragraph}`).toBeGreaterThan(2);
      expect(words(entry.text.join(" ")), entry.id).toBeLessThanOrEqual(80);
    }
  });

  it("fill every part of each map's page, stations in Europe alone", () => {
    for (const map of MAPS) {
      const sections = new Set(of(rules, "en").filter((entry) => entry.maps.includes(map)).map((entry) => entry.section));
      for (const section of ["start", "turn", "cards", "tracks", "tickets", "end", "secrets"]) expect(sections, map).toContain(section);
      expect(sections.has("stations"), map).toBe(map === "europe");
    }
  });
});

describe("looking a rule up", () => {
  const english = of(rules, "en");

  it("finds this map's own entry for a clause", () => {
    expect(findEntry(english, "C-13", "usa")?.id).toBe("display-locomotive");
    expect(findEntry(english, "C-28", "europe")?.maps).toEqual(["europe"]);
    expect(findEntry(english, "C-37", "africa")?.id).toBe("tie-africa");
    expect(findEntry(english, "EUR-11", "iberia")?.id).toBe("ferry");
  });

  it("finds a rule of another map where this one has none", () => {
    expect(findEntry(english, "EUR-04", "usa")?.id).toBe("station");
    expect(findEntry(english, "C-99", "usa")).toBeUndefined();
  });

  it("searches without accents and case, in titles, texts and numbers", () => {
    expect(search(of(rules, "ro"), "gari").map((entry) => entry.id)).toContain("station");
    expect(search(of(rules, "pt-PT"), "TUNEIS").map((entry) => entry.id)).toContain("tunnel");
    expect(search(english, "c-13").map((entry) => entry.id)).toEqual(["display-locomotive"]);
    expect(search(english, " ")).toHaveLength(english.length);
    expect(search(english, "gray mixed").map((entry) => entry.id)).toEqual(["gray"]);
  });
});

describe.each(LANGUAGES)("the lessons in %s", (language) => {
  const { tutorial, maps } = of(lessons, language);
  const english = of(lessons, "en");

  it("have the eight hints in their order", () => {
    expect(tutorial.map((step) => step.when)).toEqual([...WHENS]);
    expect(tutorial.map(({ id, target }) => [id, target])).toEqual(english.tutorial.map(({ id, target }) => [id, target]));
    for (const step of tutorial) {
      expect(TARGETS, step.id).toContain(step.target);
      expect(words(step.text), step.id).toBeLessThanOrEqual(45);
    }
  });

  it("have three to five cards for each map beyond the first, each with a picture and a rule of that map", () => {
    expect(Object.keys(maps)).toEqual([...MAPS]);
    expect(maps.usa).toEqual([]);
    for (const map of MAPS.slice(1)) {
      expect(maps[map].length, map).toBeGreaterThanOrEqual(3);
      expect(maps[map].length, map).toBeLessThanOrEqual(5);
      expect(maps[map].map((card) => [card.picture, card.entry])).toEqual(english.maps[map].map((card) => [card.picture, card.entry]));
      for (const card of maps[map]) {
        expect(PICTURES, card.title).toContain(card.picture);
        expect(of(rules, language).find((entry) => entry.id === card.entry)?.maps, card.title).toContain(map);
        expect(words(card.text), card.title).toBeLessThanOrEqual(45);
      }
    }
  });
});

describe("why a move is refused", () => {
  it.each(LANGUAGES)("is said for every clause that can refuse, in %s", (language) => {
    const said = whys(language);
    expect(REFUSED.size).toBeGreaterThan(30);
    expect(Object.keys(said).sort()).toEqual([...REFUSED, "unknown"].map((clause) => `why.${clause}`).sort());
    for (const [key, text] of Object.entries(said)) {
      expect(words(text), key).toBeGreaterThan(4);
      expect(words(text), key).toBeLessThanOrEqual(30);
    }
  });
});

describe("the words themselves", () => {
  /** Everything a reader sees, without the ids; and what of it fits a pattern. */
  const spoken = (language: string) => {
    const { tutorial, maps } = of(lessons, language);
    const told = [...of(rules, language), ...tutorial, ...Object.values(maps).flat()].flatMap(({ title, text }) => [title, text].flat());
    const messages = Object.values({ ...whys(language), ...catalogue(language, "learn") });
    return [...told, ...messages.flatMap((message) => (typeof message === "string" ? message : Object.values(message)))];
  };
  const fitting = (language: string, pattern: RegExp) => spoken(language).filter((text) => pattern.test(text));

  it("are Romanian with commas below, never cedillas", () => {
    expect(fitting("ro", /[şţŞŢ]/)).toEqual([]);
    expect(fitting("ro", /ș.*ț/)).not.toEqual([]);
  });

  it("are Portuguese of Portugal and of Brazil, each its own", () => {
    expect(fitting("pt-PT", /\b(trem|trens|você|rodada|balsas?|bônus|rota dupla|tela)\b/i)).toEqual([]);
    expect(fitting("pt-BR", /\b(comboios?|ronda|ferry|ferries|bónus|percurso duplo|teus?|tuas?|podes|ecrã)\b/i)).toEqual([]);
  });

  it("call each thing by one name", () => {
    expect(fitting("en", /\b(edges?|market|wildcards?|carriages?)\b/i)).toEqual([]);
    expect(fitting("ro", /\b(rută|rute|trenuri)\b/i)).toEqual([]);
  });

  it.each(LANGUAGES)("hold no trade name, nothing unfinished and no slip of the pen in %s", (language) => {
    expect(fitting(language, FORBIDDEN)).toEqual([]);
    expect(fitting(language, /\bTODO\b|\bFIXME\b|lorem/)).toEqual([]);
    expect(fitting(language, / {2}|^ | $| [,.;!?]|\.\./)).toEqual([]);
  });
});
