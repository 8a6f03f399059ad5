import { beforeEach, describe, expect, test } from "vitest";
import { Names } from "../src/lib/names.ts";
import { folded, nearest, Places } from "../src/text/lexicon.ts";
import { menuOf, offerWords, ticketsNow } from "../src/text/menu.ts";
import { read } from "../src/text/parse.ts";
import type { Context } from "../src/text/reading.ts";
import { describeView } from "../src/text/situation.ts";
import { partsOf, plain } from "../src/text/words.ts";
import { lang, t, type Lang } from "../src/i18n/index.svelte.ts";
import type { ViewWire } from "../src/wire.ts";
import { factsOf, speak, viewOf } from "./text.fixture.ts";

const COLOURS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red", "loco"];
const TURN = [
  "draw 1",
  "draw 2",
  "draw 3",
  "draw 4",
  "draw deck",
  "tickets",
  "claim paris-zurich-1 loco",
  "station paris red",
];

function table(map: string, offers: string[] = TURN, change: Partial<ViewWire> = {}): Context {
  const names = new Names(factsOf(map));
  return { offers, view: viewOf(change), names, places: new Places(names) };
}
const europe = table("europe");
const move = (line: string) => ({ do: "move", lines: [line] });

const offered = ["paris-wien", "london-wien", "berlin-roma"];
const offers = ["keep paris-wien", "keep london-wien", "keep paris-wien berlin-roma"];
const keeping = table("europe", offers, { phase: "keep_tickets", offered });

beforeEach(() => speak("en"));

describe("the notation", () => {
  test.each(["usa", "europe", "iberia", "africa"])(
    "every line that can be offered on %s reads back as itself",
    (map) => {
      const { names, places } = table(map);
      const claims = [...names.tracks.keys()].flatMap((id) => COLOURS.map((colour) => `claim ${id} ${colour}`));
      const stations = [...names.places.keys()].flatMap((id) => [`station ${id} red`, `festival ${id}`]);
      const tickets = [...names.tickets.keys()].flatMap((id) => [`take ${id}`, `return ${id}`, `keep ${id}`]);
      const fixed = [
        "draw 5",
        "draw deck",
        "terrain 1",
        "terrain deck",
        "tickets",
        "locos 0",
        "double 2",
        "single",
        "decline",
        "pass",
      ];
      for (const line of [...claims, ...stations, ...tickets, ...fixed]) {
        expect(read(`  ${line.toUpperCase()} `, { offers: [line], view: viewOf(), names, places })).toEqual(move(line));
      }
    },
  );

  test("what is not on offer is sent all the same: the service says why not", () => {
    expect(read("draw 5", europe)).toEqual(move("draw 5"));
    expect(read("pass", europe)).toEqual(move("pass"));
    expect(read("locos 2", europe)).toEqual(move("locos 2"));
  });
});

describe("drawing", () => {
  test.each([
    ["draw 2", "draw 2"],
    ["d 2", "draw 2"],
    ["draw blue", "draw 2"],
    ["Draw the RED card", "draw 1"],
    ["take loco", "draw 3"],
    ["deck", "draw deck"],
    ["blue", "draw 2"],
    ["ia 2", "draw 2"],
    ["trage roșie", "draw 1"],
    ["ia din pachet", "draw deck"],
    ["ia albastră", "draw 2"],
    ["trage bilete", "tickets"],
    ["bilete", "tickets"],
    ["biscar 2", "draw 2"],
    ["bisca azul", "draw 2"],
    ["biscar do monte", "draw deck"],
    ["biscar bilhetes", "tickets"],
    ["trage din pachet", "draw deck"],
    ["ia poziția 2", "draw 2"],
    ["tirar 2", "draw 2"],
    ["tirar azul", "draw 2"],
    ["comprar do baralho", "draw deck"],
    ["tirar bilhetes", "tickets"],
    ["pegar vermelha", "draw 1"],
    ["terrain desert", "terrain 1"],
    ["teren munte", "terrain 2"],
    ["terreno baralho", "terrain deck"],
    ["terreno monte", "terrain deck"],
    ["draw mountain", "terrain 2"],
    ["ia teren 1", "terrain 1"],
  ])("%s", (typed, line) => expect(read(typed, europe)).toEqual(move(line)));

  test("a card that is not there, no card, two cards", () => {
    expect(read("draw green", europe)).toMatchObject({ do: "say", key: "text.no_card" });
    expect(read("draw", europe)).toMatchObject({ do: "say", key: "text.which_card" });
    expect(read("draw red blue", europe)).toMatchObject({ do: "say", key: "text.one_card" });
  });
});

describe("tracks and stations", () => {
  const buy = (about: string[], wish = {}) => ({ do: "buy", verb: "claim", about, wish });
  test.each([
    ["claim paris-zurich", ["paris-zurich-1"], {}],
    ["claim paris zurich loco", ["paris-zurich-1"], { colour: "loco" }],
    ["claim zürich to PARIS", ["paris-zurich-1"], {}],
    ["c par zur 1 loco", ["paris-zurich-1"], { locos: 1 }],
    ["claim paris zurich 2 green 1 loco", ["paris-zurich-1"], { colour: "green", locos: 1 }],
    ["claim paris zurich green no locos", ["paris-zurich-1"], { colour: "green", locos: 0 }],
    ["claim paris-zurich-1 green", ["paris-zurich-1"], { colour: "green" }],
    ["ocupă Viena Munchen portocalie", ["munchen-wien-1"], { colour: "orange" }],
    ["revendică Viena Munchen portocalie", ["munchen-wien-1"], { colour: "orange" }],
    ["reivindicar munique viena laranja", ["munchen-wien-1"], { colour: "orange" }],
    ["conquistar munique viena laranja", ["munchen-wien-1"], { colour: "orange" }],
  ])("%s", (typed, about, wish) => expect(read(typed, europe)).toEqual(buy(about, wish)));

  test("both tracks of a double route are meant until one is said", () => {
    expect(read("claim paris frankfurt", europe)).toMatchObject({ about: ["frankfurt-paris-1", "frankfurt-paris-2"] });
  });

  test("names of several words, initials and beginnings", () => {
    const usa = table("usa");
    expect(read("claim san francisco los angeles", usa)).toMatchObject({
      about: ["los_angeles-san_francisco-1", "los_angeles-san_francisco-2"],
    });
    expect(read("claim sf la pink", usa)).toMatchObject({ do: "buy", wish: { colour: "purple" } });
    expect(read("claim new york bos", usa)).toMatchObject({ about: ["boston-new_york-1", "boston-new_york-2"] });
    expect(read("claim kc saint louis", usa)).toMatchObject({ do: "buy" });
  });

  test("looking at a track or a place", () => {
    expect(read("track paris zurich", europe)).toEqual({ do: "tracks", tracks: ["paris-zurich-1"] });
    expect(read("paris zurich", europe)).toEqual({ do: "tracks", tracks: ["paris-zurich-1"] });
    for (const typed of ["rută zurich", "linie zurich", "rota zurich", "linha zurich"])
      expect(read(typed, europe)).toMatchObject({ do: "tracks", place: "zurich" });
    expect(read("zurich", europe)).toMatchObject({ do: "tracks", place: "zurich" });
  });

  test("what is wrong is said", () => {
    expect(read("claim", europe)).toMatchObject({ key: "text.which_track" });
    expect(read("claim paris", europe)).toMatchObject({ key: "text.where_to", params: { a: "Paris" } });
    expect(read("claim paris moskva", europe)).toMatchObject({
      key: "text.no_track",
      params: { a: "Paris", b: "Moskva" },
    });
    expect(read("claim paris zurihc", europe)).toMatchObject({ key: "text.no_place", near: "zurich" });
    expect(read("claim prais zurich", europe)).toMatchObject({ key: "text.no_place", near: "paris" });
    expect(read("clam paris zurich", europe)).toMatchObject({ key: "text.unknown", near: "claim" });
  });

  test("stations", () => {
    const station = (about: string[], wish = {}) => ({ do: "buy", verb: "station", about, wish });
    expect(read("station wien blue", europe)).toEqual(station(["wien"], { colour: "blue" }));
    expect(read("gara la viena", europe)).toEqual(station(["wien"]));
    expect(read("construir estação em viena azul", europe)).toEqual(station(["wien"], { colour: "blue" }));
    expect(read("station", europe)).toMatchObject({ key: "text.which_place" });
    expect(read("station nowhere", europe)).toMatchObject({ key: "text.no_place" });
  });
});

describe("tickets", () => {
  test.each([
    ["keep 1", "keep paris-wien"],
    ["1", "keep paris-wien"],
    ["keep 3 1", "keep paris-wien berlin-roma"],
    ["1 3", "keep paris-wien berlin-roma"],
    ["keep berlin-roma paris-wien", "keep paris-wien berlin-roma"],
    ["keep paris, roma", "keep paris-wien berlin-roma"],
    ["keep paris and berlin", "keep paris-wien berlin-roma"],
    ["păstrez paris și berlin", "keep paris-wien berlin-roma"],
    ["ficar com 1 e 3", "keep paris-wien berlin-roma"],
    ["guardar 1 e 3", "keep paris-wien berlin-roma"],
    ["keep all", "keep paris-wien london-wien berlin-roma"],
  ])("%s", (typed, line) => expect(read(typed, keeping)).toEqual(move(line)));

  test("a ticket that is not there, or could be two", () => {
    expect(read("keep 7", keeping)).toMatchObject({ key: "text.no_ticket" });
    expect(read("keep wien", keeping)).toMatchObject({ key: "text.no_ticket" });
    expect(read("keep", keeping)).toMatchObject({ key: "text.which_tickets" });
  });

  test("the pack of a draft, and the bottom of the deck", () => {
    const pack = table(
      "europe",
      offered.map((id) => `take ${id}`),
      { phase: "draft", pack: offered },
    );
    for (const typed of ["take 2", "ia 2", "2", "tirar 2", "escolher 2", "take london"])
      expect(read(typed, pack)).toEqual(move("take london-wien"));
    const back = table(
      "europe",
      offered.map((id) => `return ${id}`),
      { phase: "keep_tickets" },
    );
    for (const typed of ["return 3", "3", "return roma", "înapoiez 3", "la baza roma", "devolver 3"])
      expect(read(typed, back)).toEqual(move("return berlin-roma"));
    expect(read("return 1 2", back)).toMatchObject({ key: "text.which_tickets" });
  });
});

describe("questions and commands", () => {
  test.each([
    ["hand", "hand"],
    ["mână", "hand"],
    ["mão", "hand"],
    ["table", "table"],
    ["players", "players"],
    ["jucători", "players"],
    ["jogadores", "players"],
    ["tickets?", "mine"],
    ["mine", "mine"],
    ["biletele mele", "mine"],
    ["os meus bilhetes", "mine"],
    ["help", "help"],
    ["?", "help"],
    ["ajuda", "help"],
    ["menu", "menu"],
    ["acum", "now"],
  ])("%s", (typed, what) => expect(read(typed, europe)).toEqual({ do: "show", what }));

  test("undo, numbers, festivals, locomotives", () => {
    expect(read("undo", europe)).toEqual({ do: "undo" });
    expect(read("înapoi", europe)).toEqual({ do: "undo" });
    expect(read("4", europe)).toEqual({ do: "pick", number: 4 });
    const festival = table("iberia", ["festival sevilla", "festival cordoba"], { phase: "festival" });
    expect(read("sevilla", festival)).toEqual(move("festival sevilla"));
    for (const typed of ["festival cord", "take cordoba", "ia cordoba", "levar cordoba"])
      expect(read(typed, festival)).toEqual(move("festival cordoba"));
    const pay = table("europe", ["locos 0", "locos 1"], { phase: "pay", pending: "paris-zurich-1" });
    expect(read("locomotive 1", pay)).toEqual(move("locos 1"));
    for (const typed of ["nu", "give up", "renunț", "desistir"])
      expect(read(typed, table("europe", ["locos 1", "decline"]))).toEqual(move("decline"));
  });

  test("nonsense is answered, never thrown at", () => {
    for (const typed of ["", "   ", "xyzzy", "ж", "claim claim claim", "keep ,,,", "draw 999", "{}", "🚂"])
      expect(() => read(typed, europe)).not.toThrow();
    expect(read("hlep", europe)).toMatchObject({ near: "help" });
  });
});

test("folding and nearness", () => {
  expect(folded("  Zürich – São Tomé, ŁÓDŹ; Bucureşti/București ")).toBe("zurich sao tome lodz bucuresti bucuresti");
  expect(nearest("barcelone", ["barcelona", "berlin"])).toBe("barcelona");
  expect(nearest("xx", ["barcelona"])).toBe(null);
});

describe.each<Lang>(["en", "ro", "pt-PT", "pt-BR"])("the menu in %s", (language) => {
  const leftover = /[{}\uE000-\uE002]|\b(log|common|text)\.\w|undefined|null/u;

  test("what the help shows can be typed", () => {
    speak(language);
    const cities = { a: "Paris", b: "Frankfurt" };
    const uses = Object.keys(lang.messages).filter(
      (key) => /^text\.help\.\w+\.use$/u.test(key) && key !== "text.help.menu.use",
    );
    expect(uses.length).toBeGreaterThan(10);
    for (const example of uses.flatMap((key) => t(key, cities).split(", ")).concat(t("text.example"))) {
      const { do: found, ...told } = read(example, /1 3$/u.test(example) ? keeping : europe);
      expect(found, `${example}: ${JSON.stringify(told)}`).not.toBe("say");
    }
  });

  test("all offers have words", () => {
    speak(language);
    const { names, view } = europe;
    const lines = [
      ...TURN,
      "terrain 1",
      "terrain deck",
      "locos 0",
      "locos 1",
      "double 0",
      "double 2",
      "single",
      "festival paris",
      "decline",
      "pass",
      "keep paris-wien london-wien",
      "return paris-wien",
      "take paris-wien",
    ];
    for (const phase of [
      { pending: null },
      { pending: "paris-zurich-1" },
      { pending: "paris" },
      { tunnel: { track: "paris-zurich-1", cards: ["red"], extra: 2 } },
    ]) {
      for (const line of lines)
        expect(plain(partsOf(offerWords(line, { ...view, ...phase }, names)))).not.toMatch(leftover);
    }
  });

  test("offers are grouped and numbered through", () => {
    speak(language);
    const menu = menuOf([...TURN, "claim paris-zurich-1 green"], viewOf(), factsOf("europe"), europe.names);
    expect(menu.map((group) => group.kind)).toEqual(["draw", "tickets", "claim", "station"]);
    expect(menu.flatMap((group) => group.items.map((item) => item.number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(JSON.stringify(menu)).not.toMatch(/[\uE000-\uE002]|"(log|common|text)\./u);
    expect(ticketsNow(TURN, viewOf())).toEqual([]);
  });

  test("every phase of every map is described", () => {
    speak(language);
    const phases = [
      "over",
      "first_tickets",
      "draft",
      "keep_drafted",
      "turn",
      "draw_first",
      "draw_second",
      "keep_tickets",
      "pay",
      "double",
      "festival",
      "tunnel",
      "pay_station",
    ] as const;
    for (const map of ["europe", "iberia", "africa"]) {
      const facts = factsOf(map),
        names = new Names(facts);
      for (const phase of phases) {
        for (const reader of [0, null]) {
          const view = viewOf({
            phase,
            reader,
            pending: "paris",
            turns_left: 3,
            discards: { red: 4 },
            festivals: { sevilla: 2 },
            tunnel: phase === "tunnel" ? { track: "paris-zurich-1", cards: ["red", "loco"], extra: 1 } : null,
          });
          const told = describeView(view, reader === 0 ? ["pass"] : [], facts, {
            names,
            seats: [{ name: "Ana" }, { name: "Rui" }],
            me: reader,
          });
          const text = JSON.stringify([told.now, told.table, told.hand, told.tickets, told.players], (key, value) =>
            key === "id" || key === "kind" ? undefined : value,
          );
          expect(text).not.toMatch(/\{(\w+)\}|[\uE000-\uE002]|"(log|common|text)\.|undefined/u);
        }
      }
    }
  });
});
