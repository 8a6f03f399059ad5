// Written by `python -m branchline.server.wire.typescript` from branchline/server/wire: do not edit.

export type Phase = "over" | "first_tickets" | "draft" | "keep_drafted" | "turn" | "draw_first" | "draw_second" | "keep_tickets" | "pay" | "double" | "festival" | "tunnel" | "pay_station";

export type TableState = "open" | "playing" | "over" | "dropped";

export type SeatKind = "open" | "person" | "bot";

export type ClockKind = "none" | "live" | "days";

export type Order = "drawn" | "fixed";

export interface PlaceFact {
  id: string;
  name: string;
  kind: "city" | "country" | "way_station";
  country: string | null;
  dead_end: boolean;
  lat: number;
  lon: number;
  label: string;
}

export interface TrackFact {
  id: string;
  a: string;
  b: string;
  length: number;
  colour: string;
  ferry: number;
  tunnel: boolean;
  reconstructed: boolean;
}

/** Each end lists the places that complete it; `from_` and `to` are what a player reads. */
export interface TicketFact {
  id: string;
  a: string[];
  b: string[];
  from: string;
  to: string;
  points: number;
  long: boolean;
  reconstructed: boolean;
}

export interface FestivalFact {
  id: string;
  places: string[];
  cards: number;
  reconstructed: boolean;
}

export interface TerrainFact {
  id: string;
  name: string;
  colours: string[];
  cards: number;
}

/** What is printed on a board and its cards: no state, no rule. */
export interface MapFacts {
  id: string;
  name: string;
  hash: string;
  min_players: number;
  max_players: number;
  trains: number;
  cards_per_colour: number;
  locomotives: number;
  display: number;
  last_round_at: number;
  both_tracks_from: number;
  track_points: number[];
  first_tickets: Record<string, number>;
  ticket_draw: number;
  ticket_keep: number;
  longest_path: number;
  globetrotter: number;
  tunnel_cards: number;
  stations_each: number;
  station_points: number;
  festival_points: number[];
  cards_to_double: number[];
  terrain_face_up: number;
  festivals: FestivalFact[];
  terrain: TerrainFact[];
  places: PlaceFact[];
  tracks: TrackFact[];
  tickets: TicketFact[];
  reconstructed: string[];
  sources: string[];
}

/** One player as the reader sees them. */
export interface PlayerWire {
  seat: number;
  trains: number;
  score: number;
  cards: number;
  hand: Record<string, number>;
  tickets: string[];
  ticket_count: number;
  completed: string[];
  stations: string[];
  stations_left: number;
  terrain: Record<string, number>;
  festivals: Record<string, number>;
  festival_count: number;
}

/** The tunnel now attempted: the cards turned up and what they cost. */
export interface TunnelWire {
  track: string;
  cards: string[];
  extra: number;
}

/** All a reader may know of a position. `reader` is a seat, or null for a spectator. */
export interface ViewWire {
  reader: number | null;
  phase: "over" | "first_tickets" | "draft" | "keep_drafted" | "turn" | "draw_first" | "draw_second" | "keep_tickets" | "pay" | "double" | "festival" | "tunnel" | "pay_station";
  to_act: number[];
  on_turn: number;
  turns_left: number | null;
  display: (string | null)[];
  deck: number;
  discards: Record<string, number>;
  ticket_deck: number;
  terrain_display: (string | null)[];
  terrain_deck: number;
  festivals: Record<string, number>;
  tunnel: TunnelWire | null;
  pending: string | null;
  owners: Record<string, number>;
  doubled: string[];
  closed: string[];
  offered: string[];
  pack: string[];
  players: PlayerWire[];
  end: string | null;
}

/** Seconds left by seat at the moment of sending, and the seats whose clock runs; `now` is the server's time. */
export interface ClockWire {
  left: number[];
  running: number[];
  now: number;
}

/** Something that happened, as the reader may know it. `kind` is the event's name; only its own fields are there. */
export interface EventWire {
  kind: string;
  seat?: number | null;
  place?: number | string | null;
  card?: string | null;
  cards?: number | string[] | null;
  group?: string | null;
  terrain?: string | null;
  count?: number | null;
  tickets?: string[] | null;
  ticket?: string | null;
  kept?: number | null;
  offered?: number | null;
  track?: string | null;
  colour?: string | null;
  locos?: number | null;
  points?: number | null;
  doubled?: boolean | null;
  extra?: number | null;
  number?: number | null;
  step?: number | null;
  reason?: string | null;
}

/** The events of one move, in the order of the log; step 0 is the deal. */
export interface StepWire {
  seq: number;
  seat: number | null;
  by: string;
  events: EventWire[];
}

/** No clock; a pool of seconds with an increment; or days for each move. */
export interface ClockOption {
  kind: "none" | "live" | "days";
  pool: number;
  increment: number;
  days: number;
}

/** Who sits on a chair. While the table is open the chairs have no order yet if it is drawn. */
export interface SeatWire {
  kind: "open" | "person" | "bot";
  name: string;
  bot: string | null;
  you: boolean;
  connected: boolean;
  proxied: boolean;
  clock_out: boolean;
  blocked: boolean;
  holiday: boolean;
}

/** A table as one reader sees it; `you` is the reader's chair, `host` whether the table is theirs to start. */
export interface TableWire {
  id: string;
  map: string;
  state: "open" | "playing" | "over" | "dropped";
  seats: SeatWire[];
  you: number | null;
  host: boolean;
  listed: boolean;
  order: "drawn" | "fixed";
  clock: ClockOption;
  fixed_deal: boolean;
  free_chat: boolean;
  commitment: string;
  spectators: number;
  created: number;
  rematch: string | null;
  takebacks: boolean;
  paused: boolean;
  link: string;
}

/** A table in a list: the lobby, or "my games". */
export interface TableLine {
  id: string;
  map: string;
  state: "open" | "playing" | "over" | "dropped";
  names: string[];
  seats: number;
  free: number;
  listed: boolean;
  clock: ClockOption;
  your_turn: boolean;
  you: number | null;
  updated: number;
  places: number[] | null;
  totals: number[] | null;
  aside: string;
}

export interface TicketLine {
  ticket: string;
  points: number;
  completed: boolean;
  path: string[];
  borrowed: string[];
}

export interface LoanWire {
  place: string;
  track: string | null;
}

export interface FestivalLine {
  group: string;
  cards: number;
  points: number;
}

/** One player's sheet; the parts add up to the total. */
export interface ScoreWire {
  seat: number;
  place: number;
  total: number;
  tracks: number;
  tickets: TicketLine[];
  completed: number;
  stations: number;
  loans: LoanWire[];
  festivals: FestivalLine[];
  longest_path: number;
  longest_path_tracks: string[];
  longest_path_bonus: number;
  globetrotter_bonus: number;
}

/** First on every stream: who the reader is to this table. */
export interface Hello {
  t: "hello";
  table: TableWire;
  server: string;
  chat: ChatWire[];
}

/** The table changed: a seat, a connection, its state. */
export interface TableNews {
  t: "table";
  table: TableWire;
}

/** The game moved from `since` to `seq`. `steps` are the moves between, `offers` the reader's legal lines. */
export interface Update {
  t: "update";
  since: number;
  seq: number;
  asked: number;
  view: ViewWire;
  offers: string[];
  undo: boolean;
  clock: ClockWire | null;
  steps: StepWire[];
}

/** The move of this client id is durable; `seq` is the number it was sent with. */
export interface Ack {
  t: "ack";
  cid: string;
  seq: number;
}

/** Nothing changed. `clause` names the rule, or is "" where the protocol says no; `code`: the page's key for it. */
export interface Refused {
  t: "refused";
  cid: string;
  clause: string;
  reason: string;
  stale: boolean;
  code: string;
}

/** One way to pay: the lines to send for it, in order. */
export interface Payment {
  lines: string[];
  colour: string;
  cards: number;
  locos: number;
}

/** What a track or a station would cost the reader now, best first; or why it cannot be had. */
export interface Answer {
  t: "answer";
  cid: string;
  about: string;
  payments: Payment[];
  clause: string;
  reason: string;
}

/** A phrase that each reader's page says in its own language, or free text among friends. */
export interface ChatWire {
  at: number;
  seat: number | null;
  name: string;
  phrase: string | null;
  text: string | null;
}

export interface ChatNews {
  t: "chat";
  chat: ChatWire;
}

/** The score sheet, once the game is over. */
export interface Finale {
  t: "finale";
  scores: ScoreWire[];
  reason: string;
}

/** Somebody asks to take back their last move, or for a pause; all other people at the table must agree. */
export interface Vote {
  t: "vote";
  kind: "back" | "pause";
  seat: number;
  agreed: number[];
  open: boolean;
}

/** A frame was of no use, or something must be said. Nothing changed. `code`: the page's key, `n`: its number. */
export interface Trouble {
  t: "trouble";
  reason: string;
  code: string;
  n: number | null;
}

export interface Pong {
  t: "pong";
  now: number;
}

/** Play these lines one after the other, all or none. `seq` is the `asked` of the latest update. */
export interface Move {
  t: "move";
  seq: number;
  cid: string;
  lines: string[];
  lag: number;
}

/** Take back the latest choice that nobody has learned anything from. */
export interface Undo {
  t: "undo";
  seq: number;
  cid: string;
}

/** What would this track, or a station here, cost me? */
export interface Ask {
  t: "ask";
  cid: string;
  about: string;
}

/** Speak. What comes again with the same `cid` is not said twice. */
export interface Say {
  t: "say";
  phrase?: string | null;
  text?: string | null;
  cid?: string;
}

/** Ask to take back my last move (agree = null), or answer somebody who asked. */
export interface TakeBack {
  t: "takeback";
  agree?: boolean | null;
  cid?: string;
}

/** Ask for a pause of the clocks (agree = null), answer somebody who asked, or end the pause (resume). */
export interface Pause {
  t: "pause";
  agree?: boolean | null;
  resume?: boolean;
  cid?: string;
}

/** Send me the present state. */
export interface Resync {
  t: "resync";
}

export interface Ping {
  t: "ping";
}

/** A guest. `token` is given to programs that ask for it, to be sent as a bearer token. */
export interface Me {
  id: string;
  name: string;
  lang: string | null;
  named: boolean;
  token: string | null;
  holiday: string | null;
}

/** What is left out, or null, stays; but a holiday that is null is over. */
export interface MeChange {
  name?: string | null;
  lang?: string | null;
  holiday?: string | null;
}

/** What stands at a chair of a new table: me, open for a person, or a bot by its id. */
export interface SeatRequest {
  kind: "me" | "open" | "bot";
  bot?: string | null;
}

export interface NewTable {
  map: string;
  seats: SeatRequest[];
  listed?: boolean;
  order?: "drawn" | "fixed";
  clock?: ClockOption;
  seed?: number | null;
  promise?: string | null;
  browser_seed?: string | null;
  start?: boolean;
}

/** The commitment to the server's half of a deal, before the table is made; the ticket makes it. */
export interface PromiseWire {
  table: string;
  commitment: string;
  ticket: string;
}

/** `browser_seed` is my part of the deal, drawn after I saw the commitment. */
export interface SitDown {
  browser_seed?: string | null;
}

export interface Rematch {
  promise?: string | null;
  browser_seed?: string | null;
}

/** A move by HTTP; the same as on the socket. */
export interface MoveRequest {
  seq: number;
  cid: string;
  lines: string[];
}

export interface MoveReply {
  ok: boolean;
  seq: number;
  clause: string;
  reason: string;
  stale: boolean;
}

/** The host puts a bot on an open chair, or opens it again. */
export interface SeatChange {
  chair: number;
  kind: "open" | "bot";
  bot?: string | null;
}

/** The host asks the person on a chair to leave, before the game. */
export interface RemovePlayer {
  chair: number;
}

export interface Report {
  seat: number;
  reason: "chat" | "name" | "play" | "other";
  text?: string;
}

/** Block the person on a seat, or no more. */
export interface Block {
  seat: number;
  blocked: boolean;
}

/** Somebody I blocked; the handle undoes it and says nothing else. */
export interface BlockedWire {
  handle: string;
  name: string;
}

/** A bot that can sit down. `level` is 1 for the gentlest, and null for one that the service's owner added. */
export interface BotFact {
  id: string;
  level: number | null;
  about: string;
}

/** One chair's part of the deal. */
export interface FairSeat {
  seat: number;
  name: string;
  seed: string;
  by: "browser" | "server";
}

/** Everything needed to check the deal; the server's seed is null until the game is over. */
export interface FairWire {
  table: string;
  commitment: string;
  server_seed: string | null;
  seats: FairSeat[];
  order: number[];
  drawn: boolean;
  seed: string | null;
  fixed_deal: boolean;
  checked: string | null;
}

/** One move of a finished game with the position after it, all hands open. */
export interface ReplayStep {
  seq: number;
  seat: number | null;
  by: string;
  line: string;
  at: number;
  events: EventWire[];
  view: ViewWire;
}

/** Who sat there, as a game file says; `bot` names the program that chose. */
export interface FilePlayer {
  name: string;
  bot: string | null;
}

/** A game file, played again. `verdict` is "" if all of it is right, else the first thing that is not. */
export interface ReplayFile {
  map: string;
  players: FilePlayer[];
  steps: ReplayStep[];
  scores: ScoreWire[];
  verdict: string;
}

export type FromServer = Hello | TableNews | Update | Ack | Refused | Answer | ChatNews | Finale | Vote | Trouble | Pong;

export type ToServer = Move | Undo | Ask | Say | TakeBack | Pause | Resync | Ping;
