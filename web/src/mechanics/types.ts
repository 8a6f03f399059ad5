/**
 * The places where a mechanic comes into the page. A mechanic is a folder, with a file for each layer it has something to
 * say in; each file's default export is one of the parts below. The page's own code asks the list and names no mechanic.
 *
 *     Sprites.svelte   its drawings, as symbols that others point at
 *     names.ts         NamesPart   what its ids are called
 *     board.ts         BoardPart   what it leaves on tracks and at places
 *     table.ts         TablePart   what it adds to a turn: loaded with the table, so it is small
 *     opening.ts       OpeningPart its questions before the first turn: loaded without those of the turns
 *     scenes.ts        ScenePart   its questions and sheets: loaded once a game is under way
 *     plans.ts         PlanPart    what it adds to a plan
 *     end.ts           EndPart     its line of the score, and how it is told
 *     telling.ts       TellingPart how its events are told, in the log and out loud: loaded with the table
 *     text.ts          TextPart    the text view: what can be typed, what it says of a position
 *     learn.ts         LearnPart   which maps use it, and its numbers for those who learn
 *     learn/           its rules in players' words and its lesson, one file a language; pictures/ draws for the lesson
 *     words/           its sentences, one file a language
 *
 * A part answers for every map: where its mechanic is not in play it has nothing to say, by the facts of the map.
 */
import type { Component } from "svelte";
import type { Sign } from "../art/icons.ts";
import type { Sound } from "../art/sounds.ts";
import type { TrackArt } from "../board/types.ts";
import type { Shown } from "../end/show.ts";
import type { Names } from "../lib/names.ts";
import type { Planner } from "../plans/planner.svelte.ts";
import type { Wish } from "../plans/words.ts";
import type { Offers } from "../table/offers.ts";
import type { Screen } from "../table/screen.svelte.ts";
import type { Context, Reading } from "../text/reading.ts";
import type {
  ClaimWish,
  EventWire,
  MapFacts,
  PathWire,
  Payment,
  PlayerWire,
  ScoreWire,
  TrackFact,
  ViewWire,
} from "../wire.ts";

// ── names.ts ────────────────────────────────────────────────────────────────────────────────────────────────────────
/** What an id is called, by the noun that sentences have for it in braces. */
export type NamesPart = Record<string, (id: string, names: Names) => string>;

// ── board.ts ────────────────────────────────────────────────────────────────────────────────────────────────────────
/** What stands or lies at a place. */
export interface PlaceMark {
  /** A number on a disc in the place of the dot. */
  count?: number;
  /** A symbol over the dot. */
  symbol?: `#${string}`;
  /** A smaller symbol beside the dot, where there is room, and a letter or two on it. */
  beside?: `#${string}`;
  note?: string;
  /** The reader wants to get there: such a symbol stands out. */
  goal?: boolean;
  /** Whose it is: the symbol is that player's piece, "#house" in their look "#house-2". */
  seat?: number;
  /** In words, after the name of the place. */
  words: (nameOf: (seat: number) => string) => string;
}

/** What is printed on a track. */
export interface TrackMark {
  /** Drawn under the spaces as long as nobody owns them. */
  Under?: Component<{ fact: TrackFact; art: TrackArt; boxes: string }>;
  /** So many of its spaces show a locomotive. */
  locos?: number;
  /** A small sign in one space. */
  sign?: `#${string}`;
}

export interface BoardPart {
  /** What lies at places now, each with its place. Without a view: on the empty board. */
  places?: (facts: MapFacts, view: ViewWire | null) => Iterable<readonly [string, PlaceMark]>;
  /** What is printed on a track. */
  track?: (track: TrackFact, facts: MapFacts) => TrackMark | null;
  /** Colours of the ground, each under all tracks that it belongs to. */
  grounds?: (facts: MapFacts) => { colour: string; tracks: TrackFact[] }[];
  /** A few letters on the trains of a track. */
  badge?: (track: TrackFact, view: ViewWire) => string | null;
  /** What kind of track it is, in the place of "green". */
  kind?: (track: TrackFact, colour: string) => string | null;
  /** Whose the track is and what became of it, in the place of "claimed by Ana". */
  owned?: (track: TrackFact, view: ViewWire, who: string) => string | null;
  /** What the marks of a track mean, for those who have not met them yet. */
  notes?: (track: TrackFact, facts: MapFacts) => string[];
  /** Signs beside the name of a track in a list. */
  signs?: (track: TrackFact) => Sign[];
}

// ── table.ts ────────────────────────────────────────────────────────────────────────────────────────────────────────
/** A pile to draw from that asks first, since what is drawn cannot be put back. */
export interface Pile {
  id: string;
  line: (offers: Offers) => string | null;
  /** The question, and the button that says yes. */
  question: (screen: Screen) => string;
  words: () => string;
  sign: Sign;
}

/** A button of the turn: it opens a sheet or draws from a pile. */
export interface TurnButton {
  testid: string;
  sign: Sign;
  words: string;
  sheet?: string;
  pile?: string;
}

/** Something a player has so many of. */
export interface Holding {
  id: string;
  sign: Sign;
  n: number;
  words: string;
}

export interface TablePart {
  /** The scene that a position asks for, by its name in `scenes.ts`; null where it asks for none. */
  scene?: (view: ViewWire, offers: Offers) => string | null;
  /** A scene that stays while the reader waits for others. */
  waits?: (view: ViewWire) => string | null;
  /** Tickets to choose from beside those that are offered, and what a choice of tickets is called. */
  choices?: (view: ViewWire) => string[];
  keeping?: (view: ViewWire) => string | null;
  /** Places that can be chosen now: they are buttons on the board. */
  sites?: (screen: Screen) => string[];
  /** A place was pointed at; true if that was an answer. */
  point?: (screen: Screen, place: string) => boolean;
  /** Buttons of the turn, after those for cards, tracks and tickets. */
  buttons?: (screen: Screen) => TurnButton[];
  /** What can be done in a turn, in one sentence, where the mechanic adds something to it. */
  help?: (screen: Screen) => string | null;
  piles?: Pile[];
  /** Keys of its own, told in the help; `press` answers whether there was something to do. */
  keys?: { key: string; words: () => string; press: (screen: Screen) => boolean }[];
  /** Cards that lie beside the display. */
  display?: { shown: (view: ViewWire) => boolean; load: () => Promise<{ default: Component<{ screen: Screen }> }> };
  /** What the reader holds beside train cards. */
  hand?: (screen: Screen, mine: PlayerWire) => Holding[];
  /** What a player has, in the row of signs: everybody may know it. */
  player?: (screen: Screen, player: PlayerWire) => Holding[];
  /** More of a player, when opened. */
  details?: (screen: Screen, player: PlayerWire) => string[];
  /** Beside what a ticket still takes. */
  plan?: (screen: Screen, plan: PathWire) => { testid: string; sign: Sign; words: string } | null;
  /** An event that is shown to all for a moment. */
  moment?: {
    of: (event: EventWire) => boolean;
    load: () => Promise<{ default: Component<{ event: EventWire }> }>;
  };
  /** Where a card flies from, and to whose seat. */
  flight?: (event: EventWire) => { from: string; seat: number } | null;
  sounds?: Partial<Record<EventWire["kind"], Sound>>;
}

// ── opening.ts ──────────────────────────────────────────────────────────────────────────────────────────────────────
/** What the game asks before the first turn (and perhaps again later), by the name that `table.ts` gives. */
export type OpeningPart = Record<string, Component<{ screen: Screen }>>;

// ── scenes.ts ───────────────────────────────────────────────────────────────────────────────────────────────────────
export interface ScenePart {
  /** What the game asks, by the name that `table.ts` gives. */
  scenes?: Record<string, Component<{ screen: Screen }>>;
  /** What the reader opened, by the name that a button gives. */
  sheets?: Record<string, Component<{ screen: Screen; id: string }>>;
  /** Lines of a track's sheet: what is special about it, and with `payment` what will be asked after it. */
  TrackFacts?: Component<{ screen: Screen; track: TrackFact; payment: Payment | null }>;
  /** Under the reader's tickets. */
  Tickets?: Component<{ screen: Screen }>;
  /** What became of a track that somebody owns, in brackets after the name. */
  owned?: (track: TrackFact, view: ViewWire) => string | null;
  /** The button that claims a track, where claiming is the wrong word. */
  confirm?: (track: TrackFact) => string | null;
}

// ── plans.ts ────────────────────────────────────────────────────────────────────────────────────────────────────────
/** Something to wish for beside tracks and cards. */
export interface WishKind {
  do: Wish["do"];
  there: (facts: MapFacts) => boolean;
  button: () => string;
  Form: Component<{ planner: Planner }>;
  words: (wish: Wish, names: Names) => string;
  /** Its places on the board. */
  lit: (wish: Wish) => string[];
}

export interface PlanPart {
  wish?: WishKind;
  /** Cards that can be drawn beside train cards, by the words a plan knows them by. */
  cards?: (facts: MapFacts) => string[];
  card?: (card: string) => string | null;
  /** No fewer locomotives than this pay for a track. */
  locos?: (track: TrackFact) => number;
  /** Cards that a claim may cost beyond its spaces, as the wish says. */
  more?: (claim: ClaimWish) => number;
  /** A gray track that cannot be wished for with locomotives alone. */
  coloured?: (track: TrackFact) => boolean;
  /** What it asks in a claim, answered beforehand: how a new wish begins, the fields of its form, the wish in words. */
  claim?: () => Partial<ClaimWish>;
  Fields?: Component<{ planner: Planner; track: TrackFact }>;
  notes?: (wish: ClaimWish, names: Names) => string[];
}

// ── end.ts ──────────────────────────────────────────────────────────────────────────────────────────────────────────
/** A line of the score sheet; its title is the sentence `end.part.ID`. */
export interface ScoreLine {
  id: string;
  there: (facts: MapFacts) => boolean;
  sign: Sign;
  points: (sheet: ScoreWire) => number;
  /** How it came about, a sentence each. */
  words: (sheet: ScoreWire, facts: MapFacts, names: Names) => string[];
  /** What the board shows meanwhile. */
  shown: (sheet: ScoreWire, facts: MapFacts) => Shown;
}

export interface EndPart {
  line?: ScoreLine;
  /** A number by which players with equal points are told apart; it is told by the sentence `end.tie.ID`. */
  tie?: { id: string; of: (sheet: ScoreWire) => number };
  /** A row under the sum: not points, but worth knowing. */
  row?: { there: (facts: MapFacts) => boolean; title: () => string; of: (sheet: ScoreWire) => number };
  /** What a player has in a replay: words, or a sign with a number whose words are for the ear. */
  player?: (player: PlayerWire, names: Names) => { id: string; words: string; sign?: `#${string}`; n?: number }[];
  /** What a seat does not see of another player, of a position, and of another's event. */
  veilPlayer?: (player: PlayerWire, eyes: number) => Partial<PlayerWire>;
  veilView?: (view: ViewWire, eyes: number) => Partial<ViewWire>;
  veilEvent?: (event: EventWire, eyes: number) => EventWire | null;
}

// ── learn.ts ────────────────────────────────────────────────────────────────────────────────────────────────────────
export interface LearnPart {
  /** Does the map use it? Then its rules and its lesson are told there. */
  used: (facts: MapFacts) => boolean;
  /** Numbers of the map that its texts name in braces. */
  numbers?: (facts: MapFacts) => Record<string, number>;
  /** Its lines among the numbers of the map: the key of the words, and how many. `Numbers.svelte` may add a table. */
  lines?: (facts: MapFacts) => [string, number][];
}

// ── telling.ts ──────────────────────────────────────────────────────────────────────────────────────────────────────
export interface TellingPart {
  /** Drawings of its things, by the noun that sentences have for them. */
  symbols?: Record<string, (id: string) => `#${string}`>;
  /** What the question of a phase is about, where the position does not say it is pending. */
  about?: (view: ViewWire) => string | undefined;
  /** An event that opens a chapter of its own between the turns: the last part of its key, `log.…`. */
  chapter?: (event: EventWire) => string | null;
  /** Events in small print in the log: they follow from others. */
  quiet?: EventWire["kind"][];
  /** What a listener need not hear. */
  silent?: (event: EventWire) => boolean;
  /** What only the reader learned by an event of their own. */
  private?: (event: EventWire) => boolean;
  /** The place on which an event left something. */
  left?: (event: EventWire) => string | null;
}

// ── text.ts ─────────────────────────────────────────────────────────────────────────────────────────────────────────
/** A verb of the notation, of one word or more. */
export interface VerbPart {
  /** How it can be typed, in all languages, folded, with commas; none where the core's words do. */
  spellings?: string;
  /** Its group in the menu: one of the core's, or its own, with the words `text.group.…`. */
  group: string;
  /** Its price is asked for first, by the word after it. */
  bought?: boolean;
  /** While it is offered, "take" means it; with "bare" words without a verb do too. */
  taken?: true | "bare";
  /** The tickets that are chosen from by it. */
  tickets?: (view: ViewWire) => string[];
  /** What is typed after it: folded, and as it was written. */
  read: (rest: string[], written: string, context: Context) => Reading;
  /** A line of the notation in words; `rest` is what stands after the verb. */
  words: (rest: string[], view: ViewWire, names: Names) => string;
}

export interface TextPart {
  verbs?: Record<string, VerbPart>;
  /** What can be typed, told in the help: the middle of the keys `text.help.….use` and `.for`. */
  help?: (facts: MapFacts) => string[];
  /** Words after "draw" that mean its cards. */
  drawn?: (words: string[], context: Context) => Reading | null;
  /** Phases that are no turn of the reader's. */
  noTurn?: ViewWire["phase"][];
  /** Cards that are due now, in the place of a track's length. */
  due?: (view: ViewWire) => number | null;
  /** What is paid for, where it is no track. */
  paid?: (about: string, payment: string, names: Names) => string | null;
  /** More about the moment, the table, a player, a track. */
  now?: (view: ViewWire) => string[];
  aside?: (view: ViewWire, names: Names) => string[];
  table?: (view: ViewWire, facts: MapFacts, names: Names) => string[];
  player?: (player: PlayerWire, facts: MapFacts, names: Names) => string[];
  track?: (track: TrackFact) => string[];
  /** By what a ticket is completed that is not by own tracks; null if it is not. */
  lent?: (ticket: string, player: PlayerWire, names: Names) => string | null;
}
