import { beforeEach, describe as group, expect, test } from "vitest";
import type { Lang } from "../src/i18n/index.svelte.ts";
import { Names } from "../src/lib/names.ts";
import { tellFact } from "../src/text/telling.ts";
import { describe, isPrivate, partsOf, plain, tell } from "../src/text/words.ts";
import { retell } from "../src/text/story.ts";
import type { EventWire } from "../src/wire.ts";
import vectors from "./telling.vectors.json";
import { factsOf, speak } from "./text.fixture.ts";

const seats = [{ name: "Ana" }, { name: "Rui" }];
const names = new Names(factsOf("europe"));
const ticket = "paris-wien",
  track = "paris-zurich-1";

/** Every kind of event, with what makes it speak differently. */
const EVENTS: EventWire[] = [
  { kind: "DrewCard", seat: 0, place: 3, card: "red" },
  { kind: "DrewCard", seat: 0, place: 1, card: "loco" },
  { kind: "DrewBlind", seat: 0, card: "orange" },
  { kind: "DrewBlind", seat: 0, card: null },
  { kind: "DisplayFilled", place: 2, card: "green" },
  { kind: "DisplaySwept" },
  { kind: "DeckReshuffled", cards: 1 },
  { kind: "DeckReshuffled", cards: 27 },
  { kind: "FestivalLaid", group: "sevilla" },
  { kind: "SecondDraftCardUp" },
  { kind: "DrewTerrain", seat: 0, place: 1, terrain: "desert" },
  { kind: "DrewTerrain", seat: 0, place: null, terrain: "jungle" },
  { kind: "TerrainFilled", place: 2, terrain: "mountain" },
  { kind: "TerrainReshuffled", cards: 12 },
  { kind: "TicketsOffered", seat: 0, count: 3, tickets: [ticket, "london-wien"] },
  { kind: "TicketsOffered", seat: 0, count: 3, tickets: null },
  { kind: "TicketsKept", seat: 0, kept: 2, offered: 3, tickets: [ticket] },
  { kind: "TicketsKept", seat: 0, kept: 1, offered: 3, tickets: null },
  { kind: "ChoiceMade", seat: 0 },
  { kind: "TrackClaimed", seat: 0, track, colour: "green", cards: 2, locos: 1, points: 4, twice: false },
  { kind: "TrackClaimed", seat: 0, track, colour: "loco", cards: 0, locos: 3, points: 8, twice: true },
  { kind: "TunnelTried", seat: 0, track, colour: "white", cards: 3, locos: 0 },
  { kind: "TunnelCardsTurned", seat: 0, cards: ["white", "loco", "white"], extra: 3 },
  { kind: "TunnelCardsTurned", seat: 0, cards: ["red", "white", "black"], extra: 1 },
  { kind: "TunnelCardsTurned", seat: 0, cards: ["red", "blue", "black"], extra: 0 },
  { kind: "TunnelCardsTurned", seat: 0, cards: [], extra: 0 },
  { kind: "TunnelFailed", seat: 0, track },
  { kind: "StationBuilt", seat: 0, place: "paris", colour: "yellow", cards: 1, locos: 0 },
  { kind: "FestivalsTaken", seat: 0, group: "porto", count: 2 },
  { kind: "TerrainPlayed", seat: 0, terrain: "desert", cards: 1, locos: 1 },
  { kind: "Passed", seat: 0 },
  { kind: "LastRoundBegan", seat: 0 },
  { kind: "DraftBegan", number: 1, cards: 6 },
  { kind: "DraftBegan", number: 2, cards: 5 },
  { kind: "PacksPassed", step: 3 },
  { kind: "TicketPicked", seat: 0, ticket },
  { kind: "TicketPicked", seat: 0, ticket: null },
  { kind: "TurnBegan", seat: 0 },
  { kind: "GameEnded", reason: "last round" },
  { kind: "GameEnded", reason: "all passed" },
  { kind: "GameEnded", reason: "no progress" },
  { kind: "TakenBack", seat: 0 },
];

group.each<Lang>(["en", "ro", "pt-PT", "pt-BR"])("in %s", (language) => {
  beforeEach(() => speak(language));

  test.each(EVENTS)("$kind is told to the player, to others and to spectators", (event) => {
    for (const me of [0, 1, null]) {
      const told = describe(event, names, seats, me);
      expect(told).not.toMatch(/[{}\uE000-\uE002]|\b(event|thing|common)\.|undefined|null/u);
      expect(told).toMatch(/^[\p{Lu}\d].*\.$/su);
      if ("seat" in event && event.kind !== "TunnelCardsTurned") expect(told.includes("Ana")).toBe(me !== 0);
    }
  });

  test("the parts of a sentence are its text", () => {
    for (const event of EVENTS) {
      const parts = tell(event, { names, seats, me: null });
      expect(parts.map((part) => part.text).join("")).toBe(describe(event, names, seats, null));
    }
  });

  test("every event and every refusal is told as the terminal and the service tell it", () => {
    expect(vectors.length).toBeGreaterThan(150);
    for (const { prefix, fact, told } of vectors)
      expect(plain(partsOf(tellFact(prefix, fact, { names, seats, me: 0 })))).toBe(told[language]);
  });

  test("a story leaves nothing unfilled", () => {
    expect(retell(EVENTS, { names, seats, me: 1 }).join(" ")).not.toMatch(/[{}\uE000-\uE002]|\b(log|common)\./u);
  });
});

test("colours and numbers bend the words", () => {
  const claim: EventWire = {
    kind: "TrackClaimed",
    seat: 1,
    track,
    colour: "red",
    cards: 3,
    locos: 1,
    points: 7,
    twice: false,
  };
  const told = (language: Lang, event: EventWire) => (speak(language), describe(event, names, seats, 0));
  expect(told("en", claim)).toBe("Rui claims Paris–Zürich for 3 red cards and a locomotive: 7 points.");
  expect(told("ro", claim)).toBe("Rui revendică Paris–Zürich cu 3 cărți roșii și o locomotivă: 7 puncte.");
  expect(told("pt-PT", claim)).toBe("Rui conquista Paris–Zürich com 3 cartas vermelhas e uma locomotiva: 7 pontos.");
  expect(told("pt-BR", { ...claim, seat: 0, cards: 1, locos: 0, points: 1 })).toBe(
    "Você conquista Paris–Zürich com uma carta vermelha: 1 ponto.",
  );
  expect(told("ro", { kind: "DeckReshuffled", cards: 20 })).toContain("20 de cărți decartate");
  expect(told("ro", { kind: "DeckReshuffled", cards: 3 })).toContain("3 cărți decartate");
});

test("what only the reader learned is marked", () => {
  expect(isPrivate({ kind: "DrewBlind", seat: 0, card: "red" }, 0)).toBe(true);
  expect(isPrivate({ kind: "DrewBlind", seat: 1, card: null }, 0)).toBe(false);
  expect(isPrivate({ kind: "TicketsKept", seat: 0, kept: 2, offered: 3, tickets: [ticket] }, 0)).toBe(true);
  expect(isPrivate({ kind: "DrewCard", seat: 0, place: 1, card: "red" }, 0)).toBe(false);
});

test("a story tells a card and what comes in its place in one breath", () => {
  speak("en");
  const to = { names, seats, me: 0 };
  const drawn: EventWire[] = [
    { kind: "DrewCard", seat: 1, place: 4, card: "red" },
    { kind: "DisplayFilled", place: 4, card: "blue" },
    { kind: "TurnBegan", seat: 0 },
  ];
  expect(retell(drawn, to)).toEqual([
    "Rui takes a red card from place 4 of the display. In its place comes a blue card.",
  ]);
  const blind: EventWire[] = [
    { kind: "DrewBlind", seat: 1, card: null },
    { kind: "DrewBlind", seat: 1, card: null },
    { kind: "TurnBegan", seat: 0 },
  ];
  expect(retell(blind, to)).toEqual(["Rui draws 2 cards from the deck."]);
  const swept: EventWire[] = [
    { kind: "DisplaySwept" },
    ...[1, 2, 3, 4, 5].map((place) => ({ kind: "DisplayFilled" as const, place, card: "red" })),
  ];
  expect(retell(swept, to).at(-1)).toMatch(/^The display is now: red, red, red, red,? and red\.$/u);
});
