import { beforeEach, describe, expect, it } from "vitest";
import { setLang } from "../src/i18n/index.svelte.ts";
import { settings } from "../src/lib/settings.svelte.ts";
import { lineShown, tableShown } from "../src/lib/strangers.ts";
import { linesShown } from "../src/table/words.ts";
import type { ChatWire, SeatWire, TableLine, TableWire } from "../src/wire.ts";

const seat = (name: string, part: Partial<SeatWire> = {}): SeatWire => ({
  kind: "person",
  name,
  bot: null,
  you: false,
  connected: true,
  proxied: false,
  clock_out: false,
  blocked: false,
  colour: 0,
  expected: false,
  away: null,
  missed: false,
  nudged: false,
  holiday: false,
  ...part,
});
const table = (part: Partial<TableWire> = {}): TableWire => ({
  id: "t",
  map: "usa",
  state: "playing",
  seats: [seat("Ada", { you: true }), seat("Bo", { colour: 3 }), seat("Rail", { kind: "bot", bot: "path" })],
  you: 0,
  host: true,
  listed: true,
  order: "drawn",
  clock: { kind: "none", pool: 600, increment: 10, days: 1 },
  fixed_deal: false,
  free_chat: false,
  commitment: "",
  spectators: 0,
  created: 0,
  rematch: null,
  takebacks: false,
  paused: false,
  link: "",
  nudged: [],
  meanwhile: null,
  plan: null,
  here: [],
  ...part,
});
const line = { names: ["Ada", "Bo", ""], colours: [0, 3, 1], you: 0, listed: true } as unknown as TableLine;
const names = (of: TableWire) => tableShown(of).seats.map((s) => s.name);
const said = (phrase: string | null, text: string | null): ChatWire => ({ at: 0, seat: 1, name: "Bo", phrase, text });

beforeEach(async () => {
  localStorage.clear();
  await setLang("en", false);
});

describe("phrases only", () => {
  it("calls strangers by the colour of their seat, and only them", () => {
    settings.set("phrasesOnly", true);
    expect(names(table())).toEqual(["Ada", "Magenta", "Rail"]);
    expect(names(table({ listed: false }))).toEqual(["Ada", "Bo", "Rail"]);
    expect(lineShown(line).names).toEqual(["Ada", "Magenta", ""]);
    expect(lineShown({ ...line, listed: false }).names).toEqual(["Ada", "Bo", ""]);
  });

  it("shows no free text", () => {
    settings.set("phrasesOnly", true);
    expect(linesShown([said("hello", null), said(null, "hi")], table()).map((l) => l.phrase)).toEqual(["hello"]);
  });

  it("changes nothing while it is off", () => {
    settings.set("phrasesOnly", false);
    expect(names(table())).toEqual(["Ada", "Bo", "Rail"]);
    expect(lineShown(line).names).toEqual(["Ada", "Bo", ""]);
    expect(linesShown([said("hello", null), said(null, "hi")], table())).toHaveLength(2);
  });

  it("shows nothing of the blocked, whatever came before", () => {
    expect(linesShown([said("hello", null)], table({ seats: [seat("Ada"), seat("Bo", { blocked: true })] }))).toEqual(
      [],
    );
  });
});
