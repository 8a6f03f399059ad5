// @vitest-environment node
/** The words of the four languages: one for each thing, none that a name's gender or a number breaks. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { brotliCompressSync } from "node:zlib";
import { catalogue, faults, forms, placeholders, stages, type Message } from "../tools/catalogues.ts";
import { lessons, rules } from "../tools/teaching.ts";
import { tn } from "../src/i18n/index.svelte.ts";
import type { RuleBook } from "../src/learn/content.ts";
import { COUNTED, GENDERED, LANGUAGES, type Language, RETIRED, type Retired, WORDS } from "./glossary.ts";
import { speak } from "./text.fixture.ts";

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const texts = (message: Message) => (typeof message === "string" ? [message] : Object.values(message));

/** What the service says in its notices and mails: `_PT_BR: Final[Words] = { "turn": "É a sua vez", … }`. */
function notices(language: Language): [string, string][] {
  const python = read("../../branchline/server/words/notices.py");
  const name = `_${language.toUpperCase().replace("-", "_")}: Final[Words] = {`;
  const block = python.split(name)[1]?.split("\n}")[0] ?? "";
  return [...block.matchAll(/^ {4}"(\w+)": "(.*)",$/gmu)].map((line) => [`notice ${line[1]}`, line[2]!]);
}

interface Told {
  id?: string;
  title?: string;
  text: string | string[];
}
const everyText = ({ core, mechanics, maps }: RuleBook): (Told & { id: string })[] =>
  [core, ...Object.values(mechanics), ...Object.values(maps)].flat();
/** Everything a reader can be told, by its key; rules and lessons by the name of the entry. */
function told(language: Language): [string, string][] {
  const { tutorial, mechanics, maps } = lessons(language);
  const cards = [...Object.entries(mechanics), ...Object.entries(maps)];
  const entries: [string, Told][] = [
    ...everyText(rules(language)).map((entry): [string, Told] => [`rules ${entry.id}`, entry]),
    ...tutorial.map((step): [string, Told] => [`lessons ${step.id}`, step]),
    ...cards.flatMap(([name, all]) => all.map((card): [string, Told] => [`lessons ${name}`, card])),
  ];
  return [
    ...Object.entries(catalogue(language)).flatMap(([key, message]) =>
      texts(message).map((text): [string, string] => [key, text]),
    ),
    ...notices(language),
    ...entries.flatMap(([key, { title = "", text }]) =>
      [title, text].flat().map((one): [string, string] => [key, one]),
    ),
  ];
}

/** The retired word in a text, if it stands there with its old meaning. */
function slip(key: string, text: string, { found, but, unless, keys }: Retired): string | null {
  if (keys?.test(key) || unless?.test(text)) return null;
  return found.exec(but ? text.replace(but, "") : text)?.[0] ?? null;
}
const slips = (language: Language, all: [string, string][]) =>
  all.flatMap(([key, text]) =>
    RETIRED[language].flatMap((retired) => {
      const word = slip(key, text, retired);
      return word === null ? [] : [`${key}: “${word}”, say ${retired.say} (${text})`];
    }),
  );

describe.each(LANGUAGES)("in %s", (language) => {
  const all = told(language);
  const messages = Object.entries(catalogue(language));

  it("each thing has one name", () => {
    expect(all.length).toBeGreaterThan(1200);
    expect(slips(language, all)).toEqual([]);
  });

  it("the names of the glossary are those in use", () => {
    const spoken = all
      .map(([, text]) => text)
      .join("\n")
      .toLowerCase();
    const stem = (name: string) =>
      name
        .replace(/ \(.*\)/u, "")
        .split(", ")[0]!
        .split(" ")
        .map((word) => word.slice(0, Math.max(2, word.length - 3)));
    for (const row of WORDS) {
      const name = row[LANGUAGES.indexOf(language)]!;
      const anywhere = stem(name).every((part) => spoken.includes(part.toLowerCase()));
      expect(anywhere, `${row[0]}: nobody says ${name}`).toBe(true);
    }
  });

  it("a name can be anybody's", () => {
    const broken = all.filter(([, text]) => GENDERED[language]?.some((pattern) => pattern.test(text)));
    expect(broken).toEqual([]);
  });

  it("what is counted bends with the number", () => {
    const stiff = messages.filter(([, message]) => typeof message === "string" && COUNTED[language].test(message));
    expect(stiff).toEqual([]);
  });

  it("has a right form for 0, and for every number", () => {
    speak(language);
    const needed = forms(language);
    for (const [key, message] of messages) {
      if (typeof message === "string") continue;
      for (const form of needed) expect(message[form], `${key} ${form}`).toBeTruthy();
      if (message.one === message.other) continue;
      const none = message[language === "ro" ? "few" : "other"]!.replace("{n}", "0");
      expect(tn(key, 0), key).toBe(none);
    }
  });
});

it("Romanian puts de after twenty, and nowhere before", () => {
  for (const [key, message] of Object.entries(catalogue("ro"))) {
    if (typeof message === "string") continue;
    const thing = /\{n\} (?!din|dintre|la |în |de )(\p{L}+)/u.exec(message.few ?? "")?.[1];
    if (thing) expect(message.other, key).toContain(`{n} de ${thing}`);
    expect(`${message.one} ${message.few}`, key).not.toMatch(/\{n\} de /u);
  }
});

it("colours of cards and tracks are feminine where the language bends them", () => {
  const feminine = {
    ro: ["albă", "neagră", "roșie", "galbenă", "albastră", "portocalie"],
    "pt-PT": ["branca", "preta", "vermelha", "amarela", "roxa"],
    "pt-BR": ["branca", "preta", "vermelha", "amarela", "roxa"],
  };
  for (const [language, colours] of Object.entries(feminine)) {
    const own = catalogue(language);
    const adjectives = Object.entries(own)
      .filter(([key]) => key.startsWith("thing.colour."))
      .map(([, text]) => text);
    expect(adjectives, language).toEqual(expect.arrayContaining(colours));
  }
  for (const language of LANGUAGES) {
    for (const [key, message] of Object.entries(catalogue(language))) {
      for (const text of texts(message)) expect(text, key).not.toMatch(/\{n\} \{(?:card|colour)\}/u);
    }
  }
});

it.each(LANGUAGES)("the rules name the colours of the seats in %s", (language) => {
  const players = told(language)
    .filter(([key]) => key === "rules players")
    .map(([, text]) => text)
    .join(" ");
  for (const seat of [0, 1, 2, 3, 4]) expect(players).toContain(catalogue(language)[`common.seat.${seat}`]);
});

it("the service's notices are read, and call the maps as the page does", () => {
  const maps: Record<string, Record<string, string>> = JSON.parse(read("../../branchline/words/maps.json"));
  for (const language of LANGUAGES) {
    expect(notices(language).length, language).toBeGreaterThan(20);
    for (const [map, names] of Object.entries(maps))
      expect(names[language]).toBe(catalogue(language)[`common.map.${map}`]);
  }
});

it("all languages have the same messages, with the same things to fill in", () => {
  expect(faults()).toEqual([]);
  const filled = (message: Message) =>
    placeholders(texts(message).join(" "))
      .split(" ")
      .filter((one) => one !== "n");
  const english = catalogue("en");
  for (const language of LANGUAGES) {
    for (const [key, message] of Object.entries(catalogue(language)))
      expect(filled(message), `${language} ${key}`).toEqual(filled(english[key]!));
  }
});

const FIRST_WORDS = 13_500; // bytes, compressed

it.each(LANGUAGES)("a first minute in %s needs some of the words, the rest comes later", (language) => {
  const [first, rest] = stages(language);
  expect({ ...first, ...rest }).toEqual(catalogue(language));
  expect(Object.keys(first).filter((key) => key in rest)).toEqual([]);
  for (const key of ["shell.playNow", "brief.TrackClaimed", "common.seat.4"]) expect(first).toHaveProperty([key]);
  const late = /^(?:end|tutor)\.|^(?:plan|text)\.\w+_?button|^shell\.(?:about|carry|call|set)\./u;
  expect(Object.keys(first).filter((key) => late.test(key))).toEqual([]);
  expect(brotliCompressSync(JSON.stringify(first)).length).toBeLessThan(FIRST_WORDS);
});

describe("the search for retired words", () => {
  const found = (language: Language, text: string) => slips(language, [["game.x", text]]).length;

  it.each<[Language, string, string]>([
    ["en", "Claim a gray track.", "A grey track, in a board game."],
    ["ro", "Ocupă o linie.", "Revendică o rută; toate locurile sunt ocupate; capăt de linie."],
    ["ro", "Mai sunt {n} rânduri.", "E rândul tău; mai sunt {n} ture."],
    ["ro", "Bilet îndeplinit.", "Bilet realizat."],
    ["ro", "Scaunul e liber.", "Locul e liber."],
    ["pt-PT", "Tira uma carta do baralho.", "Bisca uma carta do monte; baralhado."],
    ["pt-PT", "Três vagões na linha.", "Três comboios na rota; fim de linha."],
    ["pt-PT", "O jogo acabou.", "A partida acabou; um jogo de tabuleiro."],
    ["pt-PT", "Faltam {n} vezes.", "Faltam {n} turnos; só uma vez; é a tua vez."],
    ["pt-BR", "Conquiste uma linha.", "Conquiste uma rota."],
    ["pt-BR", "O robô e o anfitrião.", "O bot e quem criou a mesa."],
  ])("%s: finds them in “%s”, not in “%s”", (language, wrong, right) => {
    expect(found(language, wrong)).toBeGreaterThan(0);
    expect(found(language, right)).toBe(0);
  });

  it("finds what only fits some names", () => {
    expect(GENDERED.ro!.some((pattern) => pattern.test("gara lui {name}"))).toBe(true);
    expect(GENDERED.ro!.some((pattern) => pattern.test("Deblochează pe {name}"))).toBe(true);
    expect(GENDERED["pt-PT"]!.some((pattern) => pattern.test("a vez do {name}"))).toBe(true);
    expect(GENDERED["pt-BR"]!.some((pattern) => pattern.test("{name} foi removido"))).toBe(true);
    expect(GENDERED["pt-BR"]!.some((pattern) => pattern.test("a vez de {name}; {name} conquista"))).toBe(false);
  });
});

it("the documentation shows this glossary", () => {
  const rows = WORDS.map((row) => `| ${row.join(" | ")} |`);
  const shown = read("../../docs/languages.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:English|-)/u.test(line));
  expect(shown).toEqual(rows);
});
