/** What the tests of the text view share: the facts of a shipped map, languages, a position to speak about. */
import { readFileSync } from "node:fs";
import en from "virtual:catalogue/en";
import ptBR from "virtual:catalogue/pt-BR";
import ptPT from "virtual:catalogue/pt-PT";
import ro from "virtual:catalogue/ro";
import { lang, type Lang } from "../src/i18n/index.svelte.ts";
import type { MapFacts, PlayerWire, ViewWire } from "../src/wire.ts";

interface MapFile {
  name: string;
  trains: number;
  cards: { per_colour: number; locomotives: number };
  rules: {
    first_tickets: { deal?: Record<string, number>; draft?: { cards: number; keep_exactly: number } };
    ticket_draw: { draw: number };
    longest_path?: number;
    tunnels?: { cards: number };
    mail?: { carry: number; stamps: Record<string, number[]> };
    globetrotter?: number;
  };
  places: { id: string; name: string; kind?: string; mail?: number }[];
  tracks: { id: string; a: string; b: string; length: number; colour: string; ferry?: number; tunnel?: boolean }[];
  tickets: { id?: string; a: string | string[]; b: string | string[]; points: number }[];
}

const ends = (end: string | string[]) => (typeof end === "string" ? [end] : end);

/** The places, tracks and tickets of a map file as the page gets them. */
export function factsOf(map: string): MapFacts {
  const file = JSON.parse(readFileSync(`../branchline/maps/${map}.json`, "utf8")) as MapFile;
  const label = (id: string) => file.places.find((place) => place.id === id)?.name ?? id;
  const { deal, draft } = file.rules.first_tickets;
  return {
    id: map,
    name: file.name,
    trains: file.trains,
    cards_per_colour: file.cards.per_colour,
    locomotives: file.cards.locomotives,
    first_tickets: deal ?? { draft: draft!.cards, keep_exactly: draft!.keep_exactly },
    ticket_draw: file.rules.ticket_draw.draw,
    longest_path: file.rules.longest_path ?? 0,
    globetrotter: file.rules.globetrotter ?? 0,
    places: file.places.map((place) => ({ kind: "city", ...place, label: place.name, country: null, dead_end: false })),
    tracks: file.tracks.map((track) => ({ ferry: 0, tunnel: false, ...track })),
    tickets: file.tickets.map((ticket) => ({
      id: `${ticket.a}-${ticket.b}`,
      ...ticket,
      a: ends(ticket.a),
      b: ends(ticket.b),
      from: label(ends(ticket.a)[0]!),
      to: label(ends(ticket.b)[0]!),
    })),
    festivals:
      map === "iberia"
        ? [
            { id: "porto", places: ["porto", "coimbra"], cards: 6 },
            { id: "sevilla", places: ["sevilla"], cards: 9 },
          ]
        : [],
    terrain:
      map === "africa" ? ["desert", "jungle", "mountain"].map((id) => ({ id, name: id, colours: [], cards: 15 })) : [],
    track_points: [0, 1, 2, 4, 7, 10, 15, 18, 21, 27],
    stations_each: map === "europe" ? 3 : 0,
    tunnel_cards: file.rules.tunnels?.cards ?? 0,
    station_points: map === "europe" ? 4 : 0,
    mail: Object.fromEntries(file.places.flatMap(({ id, mail }) => (mail ? [[id, mail]] : []))),
    mail_carry: file.rules.mail?.carry ?? 0,
    stamps: file.rules.mail?.stamps ?? {},
  } as unknown as MapFacts;
}

export function speak(language: Lang): void {
  lang.messages = { en, ro, "pt-PT": ptPT, "pt-BR": ptBR }[language];
  lang.code = language;
}

const player = (seat: number): PlayerWire => ({
  seat,
  trains: 45,
  score: 0,
  cards: 4,
  hand: seat ? {} : { red: 3, loco: 1 },
  tickets: seat ? [] : ["paris-wien"],
  ticket_count: 2,
  completed: [],
  borrowed: [],
  loans: [],
  stations: [],
  stations_left: 3,
  station_price: 1,
  terrain: {},
  festivals: {},
  festival_count: 0,
  carried: [],
  delivered: [],
  stamps: 0,
});

/** Seat 0's turn at the beginning of a game. */
export function viewOf(change: Partial<ViewWire> = {}): ViewWire {
  return {
    reader: 0,
    phase: "turn",
    to_act: [0],
    on_turn: 0,
    turns_left: null,
    display: ["red", "blue", "loco", "red", null],
    deck: 90,
    discards: {},
    ticket_deck: 20,
    terrain_display: ["desert", "mountain"],
    terrain_deck: 30,
    festivals: {},
    bags: [],
    bags_at_once: [],
    tunnel: null,
    pending: null,
    owners: {},
    doubled: [],
    closed: [],
    offered: [],
    pack: [],
    players: [player(0), player(1)],
    end: null,
    ...change,
  };
}
