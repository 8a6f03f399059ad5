/** The mail in the page: what lies and is carried on the board, and what is typed. */
import { describe, expect, it } from "vitest";
import { Names } from "../src/lib/names.ts";
import board from "../src/mechanics/mail/board.ts";
import text from "../src/mechanics/mail/text.ts";
import { Places } from "../src/text/lexicon.ts";
import { offerWords } from "../src/text/menu.ts";
import { read } from "../src/text/parse.ts";
import { partsOf, plain } from "../src/text/words.ts";
import type { ViewWire } from "../src/wire.ts";
import { factsOf, speak, viewOf } from "./text.fixture.ts";

const facts = factsOf("carpathians");
const names = new Names(facts);
const bag = (place: string, label: string | null) => ({ place, label, seen_by: label ? [0] : [] });

function holding(carried = [bag("deva", "lviv")], change: Partial<ViewWire> = {}): ViewWire {
  const view = viewOf();
  const players = view.players.map((player) => (player.seat ? player : { ...player, carried }));
  const bags = [bag("sibiu", "oradea"), bag("cluj_napoca", "oradea"), bag("iasi", null)];
  return { ...view, phase: "mail", players, bags, bags_at_once: ["cluj_napoca"], ...change };
}
const typed = (line: string, offers: string[]) =>
  read(line, { offers, view: holding(), names, places: new Places(names) });
const said = (line: string, view = holding()) => plain(partsOf(offerWords(line, view, names)));

describe("mail", () => {
  it("lies on the board: closed, or with its value once it was looked at, and a stamp where one is awaited", () => {
    speak("en");
    const marks = [...board.places(facts, holding())].map(([place, { beside, note, words }]) => [
      place,
      beside,
      note,
      words(() => ""),
    ]);
    expect(marks).toEqual([
      ["sibiu", "#bag-read", "4", "a mail bag for Oradea lies here, 4 points"],
      ["cluj_napoca", "#bag-read", "4", "a mail bag for Oradea lies here, 4 points"],
      ["iasi", "#bag", undefined, "a mail bag lies here"],
      ["lviv", "#stamp-bare", "6", "your mail bag from Deva goes here, 6 points"],
    ]);
    expect([...board.places(facts, null)]).toEqual([]);
    expect([...board.places(factsOf("usa"), viewOf())]).toEqual([]);
  });

  it("is taken or left in words", () => {
    speak("en");
    const two = ["leave bags", "take bag sibiu", "take bag cluj_napoca"];
    for (const line of ["take bag cluj", "take cluj-napoca", "cluj", "ia sacul cluj", "levar saco cluj"])
      expect(typed(line, two), line).toEqual({ do: "move", lines: ["take bag cluj_napoca"] });
    for (const line of ["leave", "leave bags", "lasă sacii", "deixar malotes"])
      expect(typed(line, two), line).toEqual({ do: "move", lines: ["leave bags"] });
    const full = ["leave bags", "take bag sibiu for 1", "take bag sibiu for 2", "take bag sibiu for 3"];
    expect(typed("take bag sibiu for 2", full)).toEqual({ do: "move", lines: ["take bag sibiu for 2"] });
    expect(typed("take sibiu", full)).toMatchObject({ do: "say", key: "text.which_bag" });
    expect(typed("take bag lviv", full)).toEqual({ do: "move", lines: ["take bag lviv"] }); // the service says why not
    expect(typed("take bag", full)).toMatchObject({ do: "say", key: "text.which_place" });
  });

  it("says what a bag brings, and what is laid down for it", () => {
    speak("en");
    expect(said("take bag sibiu")).toBe("Take the mail bag in Sibiu, for Oradea: 4 points when it arrives");
    expect(said("take bag cluj_napoca")).toContain("delivered at once: 4 points");
    expect(said("take bag sibiu for 1")).toContain("lay this one down: Deva → Lviv, 6 points");
    expect(text.table(holding(), facts, names).map((line) => plain(partsOf(line)))).toEqual([
      "Mail bags lie in Sibiu, Cluj-Napoca and Iași.",
      "Labels you know: Sibiu → Oradea, 4 points; Cluj-Napoca → Oradea, 4 points.",
    ]);
    expect(text.player(holding().players[0]!, facts, names)).toEqual([
      "1 mail bag carried (1\u00a0Deva → Lviv, 6 points)",
    ]);
  });
});
