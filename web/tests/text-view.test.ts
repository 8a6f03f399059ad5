import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableClient } from "../src/lib/client.svelte.ts";
import { Names } from "../src/lib/names.ts";
import Announcer from "../src/text/Announcer.svelte";
import { Commander } from "../src/text/commander.svelte.ts";
import LogPanel from "../src/text/LogPanel.svelte";
import TextView from "../src/text/TextView.svelte";
import { plain } from "../src/text/words.ts";
import type { Answer, Payment, StepWire, TableWire } from "../src/wire.ts";
import { factsOf, speak, viewOf } from "./text.fixture.ts";

const facts = factsOf("europe");
const names = new Names(facts);
const pay = (track: string, colour: string, cards: number, locos: number): Payment => ({
  lines: [`claim ${track} ${colour}`, `locos ${locos}`],
  colour,
  cards,
  locos,
  asks: [],
});

/** A table that is not connected: it keeps what is sent and answers what it is told to. */
function quietTable(offers: string[], prices: Record<string, Partial<Answer>> = {}) {
  const client = new TableClient("T");
  const sent: string[][] = [];
  client.table = {
    id: "T",
    seats: [
      { name: "Ana", kind: "person", connected: true },
      { name: "Rui", kind: "bot", connected: true },
    ],
  } as TableWire;
  client.view = viewOf();
  client.offers = offers;
  client.link = "live";
  client.move = async (lines) => (sent.push(lines), null);
  client.ask = async (about) => ({
    t: "answer",
    cid: "",
    about,
    payments: [],
    clause: "",
    reason: "",
    why: null,
    ...prices[about],
  });
  return { client, sent, commander: new Commander(client, facts, names) };
}
const last = (commander: Commander) => commander.printed.at(-1)!;

let drawn: ReturnType<typeof mount>[] = [];
function draw(component: typeof TextView | typeof LogPanel | typeof Announcer, client: TableClient): void {
  drawn.push(mount(component as typeof TextView, { target: document.body, props: { client, facts, names } }));
  flushSync();
}
beforeEach(() => speak("en"));
afterEach(async () => {
  for (const one of drawn) await unmount(one);
  drawn = [];
  vi.useRealTimers();
});

test("a claim without a colour asks how to pay, and a number answers", async () => {
  const prices = {
    "paris-zurich-1": { payments: [pay("paris-zurich-1", "red", 3, 0), pay("paris-zurich-1", "red", 2, 1)] },
  };
  const { commander, sent } = quietTable(["claim paris-zurich-1 red"], prices);
  await commander.run("claim paris zurich");
  expect(commander.question?.options.map((option) => plain(option.parts))).toEqual([
    "Claim Paris–Zürich with 3 red cards",
    "Claim Paris–Zürich with 2 red cards and a locomotive",
  ]);
  await commander.run("9");
  expect(plain(last(commander).parts)).toBe("There is no choice 9 now.");
  await commander.run("claim paris zurich");
  await commander.run("2");
  expect(sent).toEqual([["claim paris-zurich-1 red", "locos 1"]]);
  expect(commander.question).toBe(null);
  expect(last(commander).kind).toBe("good");
});

test("what is said about the payment chooses among the prices", async () => {
  const prices = {
    "paris-zurich-1": {
      payments: [
        pay("paris-zurich-1", "red", 3, 0),
        pay("paris-zurich-1", "blue", 3, 0),
        pay("paris-zurich-1", "red", 2, 1),
      ],
    },
  };
  const { commander, sent } = quietTable(["claim paris-zurich-1 red"], prices);
  await commander.run("claim paris zurich red 1 loco");
  await commander.run("ocupa paris zurich albastru");
  expect(sent).toEqual([
    ["claim paris-zurich-1 red", "locos 1"],
    ["claim paris-zurich-1 blue", "locos 0"],
  ]);
  await commander.run("claim paris zurich green");
  expect(commander.question?.options).toHaveLength(3);
});

test("two tracks alike are one choice, two of different colours are told apart", async () => {
  const both = (colour: string) => ({ payments: [{ ...pay("x", colour, 0, 3), colour: "loco" }] });
  const { commander } = quietTable(["claim frankfurt-paris-1 loco"], {
    "frankfurt-paris-1": both("white"),
    "frankfurt-paris-2": both("orange"),
  });
  await commander.run("claim frankfurt paris");
  const colours = ["frankfurt-paris-1", "frankfurt-paris-2"].map((id) => names.tracks.get(id)!.colour).sort();
  expect(commander.question?.options.map((option) => /\((\w+)\)$/u.exec(plain(option.parts))?.[1]).sort()).toEqual(
    colours,
  );
});

test("a refusal is told with its rule", async () => {
  const { commander, client } = quietTable(["draw 1"], { "paris-zurich-1": { clause: "C-22", reason: "no" } });
  await commander.run("claim paris zurich");
  expect(last(commander)).toMatchObject({ kind: "refused", clause: "C-22" });
  client.move = async () => ({ clause: "", reason: "the table is closed", stale: false });
  await commander.run("draw 1");
  expect(plain(last(commander).parts)).toBe("the table is closed");
});

test("nothing is sent out of turn, without a connection or twice at once", async () => {
  const { commander, client, sent } = quietTable([]);
  await commander.run("draw 1");
  expect(plain(last(commander).parts)).toBe("It is not your turn.");
  client.offers = ["draw 1"];
  client.link = "lost";
  await commander.run("draw 1");
  client.link = "live";
  client.busy = true;
  await commander.run("draw 1");
  expect(sent).toEqual([]);
});

test("questions about the game are answered", async () => {
  const { commander } = quietTable(["draw 1", "claim paris-zurich-1 red"]);
  for (const typed of [
    "hand",
    "table",
    "players",
    "mine",
    "now",
    "menu",
    "help",
    "log",
    "zurich",
    "track paris zurich",
  ]) {
    await commander.run(typed);
    expect(last(commander).kind, typed).toBe("said");
  }
  expect(plain(last(commander).parts)).toContain("You can claim it now.");
  await commander.run("2");
  expect(last(commander).kind).toBe("refused"); // the price of a claim was asked for, and there is none
});

test("the text view offers everything as a button", async () => {
  const { client, sent } = quietTable(["draw 1", "draw deck", "tickets", "pass"]);
  draw(TextView, client);
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-testid=offers] button")];
  expect(buttons.map((button) => button.textContent?.replace(/\s+/gu, " ").trim())).toEqual([
    "1 Take a red card from place 1",
    "2 Draw a card from the deck (90 left)",
    "3 Draw tickets",
    "4 Pass",
  ]);
  buttons[1]!.click();
  await tick();
  expect(sent).toEqual([["draw deck"]]);
});

test("tickets are kept together only as the offers say", async () => {
  const { client, sent } = quietTable(["keep paris-wien london-wien"]);
  client.view = viewOf({ phase: "first_tickets", offered: ["paris-wien", "london-wien"] });
  draw(TextView, client);
  const [first, second] = document.querySelectorAll<HTMLInputElement>("fieldset input");
  const keep = document.querySelector<HTMLButtonElement>("[data-testid=keep]")!;
  first!.click();
  flushSync();
  keep.click();
  expect(keep.getAttribute("aria-disabled")).toBe("true");
  second!.click();
  flushSync();
  keep.click();
  await tick();
  expect(sent).toEqual([["keep paris-wien london-wien"]]);
});

test("the log marks what only the reader knows", () => {
  const { client } = quietTable([]);
  client.steps = [
    { seq: 1, seat: null, by: "deal", events: [{ kind: "TurnBegan", seat: 0 }] },
    {
      seq: 2,
      seat: 0,
      by: "player",
      events: [
        { kind: "DrewBlind", seat: 0, card: "red" },
        { kind: "TurnBegan", seat: 1 },
      ],
    },
    { seq: 3, seat: 1, by: "bot", events: [{ kind: "DrewBlind", seat: 1, card: null }] },
  ];
  draw(LogPanel, client);
  const lines = [...document.querySelectorAll("[data-testid=log] ul > li")].map((line) =>
    line.textContent?.replace(/\s+/gu, " ").trim(),
  );
  expect(lines).toEqual(["You draw a red card from the deck. only you", "Rui draws a card from the deck."]);
});

test("news is told together, and the reader's turn at once", () => {
  vi.useFakeTimers();
  const { client } = quietTable([]);
  let hear: (steps: StepWire[]) => void = () => {};
  client.onSteps = (listener) => ((hear = listener), () => {});
  draw(Announcer, client);
  const said = (id: string) => document.querySelector(`[data-testid=${id}]`)?.textContent;
  for (let seq = 1; seq < 20; seq++)
    hear([{ seq, seat: 1, by: "bot", events: [{ kind: "DrewCard", seat: 1, place: 1, card: "red" }] }]);
  expect(said("news")).toBe("");
  vi.advanceTimersByTime(1300);
  flushSync();
  expect(said("news")).toMatch(
    /^11 more things happened: see the log\. (Rui takes a red card from place 1 of the display\. ?){8}$/u,
  );
  client.offers = ["draw 1"];
  flushSync();
  expect(said("call")).toBe("Your turn. Choose one action.");
  client.view = viewOf({ phase: "draw_second" });
  flushSync();
  expect(said("call")).toBe("Draw a second card.");
});
