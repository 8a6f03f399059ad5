// Written by `python -m branchline.server.wire.typescript` from branchline/server/wire: do not edit.

/** Draw a card: "blind", "loco", a colour of the display, or what mechanics have to draw. */
export interface DrawWish {
  do: "draw";
  first: string;
  then: string[];
}

/** The track that is lent at a place, or none yet. */
export interface LoanWire {
  place: string;
  track: string | null;
}

/** What a map and its places are called in a language: those that have another name there. */
export interface NamesFact {
  map: string | null;
  places: Record<string, string>;
}

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

export interface TicketLine {
  ticket: string;
  points: number;
  completed: boolean;
  path: string[];
  borrowed: string[];
}

export type EndReason = "last round" | "all passed" | "no progress";

export interface BagLine {
  label: string;
  points: number;
}

/** A mail bag: where it lies or was taken, the place it goes to if the reader knows, and which seats do. */
export interface BagWire {
  place: string;
  label: string | null;
  seen_by: number[];
}

/** Claim a track with cards of a colour ("loco": a gray one by locomotives alone), as few locomotives as can be. */
export interface ClaimWish {
  do: "claim";
  track: string;
  colour: string;
  locos: number;
  extra: number;
  double: boolean | null;
  festival: string | null;
}

export interface FestivalFact {
  id: string;
  places: string[];
  cards: number;
  reconstructed: boolean;
}

export interface FestivalLine {
  group: string;
  cards: number;
  points: number;
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
  places: PlaceFact[];
  tickets: TicketFact[];
  mechanics: string[];
  drawn_as: string;
  names: Record<string, NamesFact>;
  outline: number[][][];
  reconstructed: string[];
  sources: string[];
  tunnel_cards: number;
  stations_each: number;
  station_points: number;
  cards_to_double: number[];
  terrain_face_up: number;
  terrain: TerrainFact[];
  festival_points: number[];
  festivals: FestivalFact[];
  mail: Record<string, number>;
  mail_carry: number;
  stamps: Record<string, number[]>;
  tracks: TrackFact[];
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
  borrowed: string[];
  loans: LoanWire[];
  stations: string[];
  stations_left: number;
  station_price: number;
  terrain: Record<string, number>;
  festivals: Record<string, number>;
  festival_count: number;
  carried: BagWire[];
  delivered: BagLine[];
  stamps: number;
}

/** One player's sheet; the parts add up to the total. */
export interface ScoreWire {
  seat: number;
  place: number;
  total: number;
  tracks: number;
  tickets: TicketLine[];
  completed: number;
  longest_path: number;
  longest_path_tracks: string[];
  longest_path_bonus: number;
  globetrotter_bonus: number;
  stations: number;
  loans: LoanWire[];
  festivals: FestivalLine[];
  mail: BagLine[];
  stamps: number;
}

/** Build a station with cards of a colour, as few locomotives as can be. */
export interface StationWish {
  do: "station";
  place: string;
  colour: string;
  locos: number;
}

export interface TerrainFact {
  id: string;
  name: string;
  colours: string[];
  cards: number;
}

export interface TrackFact {
  id: string;
  a: string;
  b: string;
  length: number;
  colour: string;
  reconstructed: boolean;
  tunnel: boolean;
  ferry: number;
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
  phase: "over" | "first_tickets" | "draft" | "keep_drafted" | "turn" | "draw_first" | "draw_second" | "keep_tickets" | "pay" | "double" | "festival" | "tunnel" | "pay_station" | "mail";
  to_act: number[];
  on_turn: number;
  turns_left: number | null;
  display: (string | null)[];
  deck: number;
  discards: Record<string, number>;
  ticket_deck: number;
  pending: string | null;
  owners: Record<string, number>;
  closed: string[];
  offered: string[];
  end: "last round" | "all passed" | "no progress" | null;
  tunnel: TunnelWire | null;
  terrain_display: (string | null)[];
  terrain_deck: number;
  doubled: string[];
  festivals: Record<string, number>;
  pack: string[];
  bags: BagWire[];
  bags_at_once: string[];
  players: PlayerWire[];
}

export type Phase = "over" | "first_tickets" | "draft" | "keep_drafted" | "turn" | "draw_first" | "draw_second" | "keep_tickets" | "pay" | "double" | "festival" | "tunnel" | "pay_station" | "mail";

export type TableState = "open" | "playing" | "over" | "dropped";

export type SeatKind = "open" | "person" | "bot";

export type ClockKind = "none" | "live" | "days";

export type Order = "drawn" | "fixed";

export type CallKind = "turn" | "friend" | "over" | "nudge";

export type VoteKind = "back" | "pause" | "bot";

export type AbsenceReason = "vote" | "left" | "clock";

/** Seconds left by seat at the moment of sending, and the seats whose clock runs; `now` is the server's time. */
export interface ClockWire {
  left: number[];
  running: number[];
  now: number;
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
  colour: number;
  expected: boolean;
  away: number | null;
  missed: boolean;
  nudged: boolean;
  holiday: boolean;
}

/** A bot played for the reader: why (the others voted, the reader left, time ran out) and since when. */
export interface Meanwhile {
  why: "vote" | "left" | "clock";
  at: number;
  seq: number;
  agreed: number[];
}

/** A table as one reader sees it; `you` is the reader's chair, `host` whether the table is theirs to start. */
export interface TableWire {
  id: string;
  map: string;
  state: "open" | "playing" | "over" | "dropped";
  seats: SeatWire[];
  you: number | null;
  here: number[];
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
  plan: PlanWire | null;
  nudged: number[];
  meanwhile: Meanwhile | null;
}

/** A table in a list: the lobby, or "my games". */
export interface TableLine {
  id: string;
  map: string;
  state: "open" | "playing" | "over" | "dropped";
  names: string[];
  colours: number[];
  seats: number;
  free: number;
  listed: boolean;
  clock: ClockOption;
  your_turn: boolean;
  you: number | null;
  here: boolean;
  updated: number;
  places: number[] | null;
  totals: number[] | null;
  aside: string;
}

/** What became of the plan at my turn: played; begun, and the rest asked of me; or none of it was possible. */
export interface PlanResult {
  kind: "played" | "stopped" | "none";
  wish: ClaimWish | DrawWish | StationWish | null;
  at: number;
}

/** What I wish for my next turns, each a list of which the first that is possible is played. */
export interface PlanWire {
  turns: ((ClaimWish | DrawWish | StationWish)[])[];
  result: PlanResult | null;
}

/** The plan from now on; without a turn there is none. */
export interface PlanRequest {
  turns: ((ClaimWish | DrawWish | StationWish)[])[];
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

/** Nothing changed. A rule says no: `clause` names it and `why` says what is wrong, for each reader's page to word. */
export interface Refused {
  t: "refused";
  cid: string;
  clause: string;
  reason: string;
  stale: boolean;
  code: string;
  why: WhyWire | null;
}

/** One way to pay: the lines to send for it, in order. */
export interface Payment {
  lines: string[];
  colour: string;
  cards: number;
  locos: number;
  asks: string[];
}

/** What a track, or something at a place, would cost the reader now, best first; or why it cannot be had. */
export interface Answer {
  t: "answer";
  cid: string;
  about: string;
  payments: Payment[];
  clause: string;
  reason: string;
  why: WhyWire | null;
}

/** The cheapest path of a ticket, or of several together: its tracks, what is lent on it, what it still takes. */
export interface PathWire {
  tracks: string[];
  loans: LoanWire[];
  trains: number;
  cards: Record<string, number>;
}

/** What something new does for a ticket: the trains to lay without it (null: no way was left) and with it. */
export interface HelpWire {
  ticket: string;
  before: number | null;
  after: number;
}

/** What one more loan at a place would be good for: the track to borrow, and the tickets that helps. */
export interface LoanHelpWire {
  place: string;
  track: string;
  helps: HelpWire[];
}

/** Tickets that could be kept together, and one path for all of them (null: there is none). */
export interface KeepWire {
  tickets: string[];
  path: PathWire | null;
}

/** What the reader's tickets take, and what would help them, in the position of this number. */
export interface Advice {
  t: "advice";
  seq: number;
  paths: Record<string, PathWire | null>;
  together: PathWire | null;
  keeps: KeepWire[];
  keep: string[] | null;
  helps: Record<string, HelpWire[]>;
  loans: LoanHelpWire[];
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
  reason: "last round" | "all passed" | "no progress";
}

/** Somebody asks to take back their last move, for a pause, or for a bot; all other people there must agree. */
export interface Vote {
  t: "vote";
  kind: "back" | "pause" | "bot";
  seat: number;
  agreed: number[];
  open: boolean;
  about: number | null;
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

/** What would this track, or something here, cost me? */
export interface Ask {
  t: "ask";
  cid: string;
  about: string;
}

/** What do my tickets take, and what would help them? */
export interface Advise {
  t: "advise";
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

/** Ask that a bot plays for who sits on `seat` and is away (agree = null), or answer somebody who asked. */
export interface BotVote {
  t: "bot";
  seat?: number;
  agree?: boolean | null;
  cid?: string;
}

/** Tell who sits on `seat` that all wait for them. With the same `cid` it counts once. */
export interface Nudge {
  t: "nudge";
  seat: number;
  cid?: string;
}

/** Send me the present state. */
export interface Resync {
  t: "resync";
}

/** Whether this page can be seen now. Who looks at a table is not called to it; before this is said one does. */
export interface Looks {
  t: "looks";
  visible: boolean;
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

/** By which another device becomes me. The link holds a secret of its own, the picture shows the link (SVG). */
export interface Carry {
  words: string;
  link: string;
  picture: string;
  seconds: number;
}

/** A phrase as it was typed, or what stands in a link after #. */
export interface CarryHere {
  secret: string;
}

/** Whom a device would become. */
export interface CarryFound {
  name: string;
  games: number;
  leaves: number;
  same: boolean;
}

/** How others reach the service. */
export interface Reach {
  base: string;
}

/** What is left out, or null, stays; but a holiday that is null is over. */
export interface MeChange {
  name?: string | null;
  lang?: string | null;
  holiday?: string | null;
}

/** From and until which hour nobody is to be called, HH:MM by the clock of their time zone. */
export interface QuietHours {
  start: string;
  end: string;
  zone: string;
}

/** What I want to be told while I do not look, on my devices and by mail. At first nothing. */
export interface CallSettings {
  push: ("turn" | "friend" | "over" | "nudge")[];
  mail: ("turn" | "friend" | "over" | "nudge")[];
  quiet: QuietHours | null;
}

/** A subscription of this browser, as its push service gave it; `key` is the service's key it was made with. */
export interface NewDevice {
  endpoint: string;
  p256dh: string;
  auth: string;
  key: string;
  name: string;
}

/** A browser that is told; the endpoint is nobody's business, its id tells it from others. */
export interface DeviceWire {
  id: string;
  name: string;
  created: number;
}

export interface MailAddress {
  address: string;
}

export interface MailWire {
  address: string;
  confirmed: boolean;
}

/** How I am called back. `key` is what a browser subscribes with; `mail_offered`: this service can send mail. */
export interface Calls {
  settings: CallSettings;
  devices: DeviceWire[];
  mail: MailWire | null;
  mail_offered: boolean;
  key: string;
}

/** What stands at a chair of a new table: me, open for a person, a bot by its id, or one of several people here. */
export interface SeatRequest {
  kind: "me" | "open" | "bot" | "here";
  bot?: string | null;
  colour?: number | null;
  name?: string | null;
}

/** A finished game, and after how many of its moves it is to be played on: with the same hidden cards. */
export interface FromHere {
  table: string;
  moves: number;
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
  from_here?: FromHere | null;
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

/** A move by HTTP; the same as on the socket. `seat`: for which of my chairs, where I have several. */
export interface MoveRequest {
  seq: number;
  cid: string;
  lines: string[];
  seat: number | null;
}

export interface MoveReply {
  ok: boolean;
  seq: number;
  clause: string;
  reason: string;
  stale: boolean;
  why: WhyWire | null;
}

/** The host puts a bot on an open chair, or opens it again. */
export interface SeatChange {
  chair: number;
  kind: "open" | "bot";
  bot?: string | null;
}

/** The colour I want to have, 0 to 4; one that another person has is refused. */
export interface ColourChoice {
  colour: number;
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

export type ReviewState = "none" | "working" | "done" | "failed";

/** After so many moves: what the seat to move thinks of all, what each thought last of its own, and points. */
export interface CurvePoint {
  move: number;
  win: number[];
  own: number[];
  points: number[];
}

/** How far the review of a finished game is: `done` of `of` pieces. The curve is there first. */
export interface ReviewProgress {
  state: "none" | "working" | "done" | "failed";
  done: number;
  of: number;
  curve: CurvePoint[];
}

export type Verdict = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** Why a seat's chance of winning went from `start` to the result, in parts of a win. */
export interface ReviewLedger {
  start: number;
  own_luck: number;
  own_skill: number;
  others_luck: number;
  others_skill: number;
  remainder: number;
  kinds: Record<string, number>;
}

/** What a review tells of a player. `skill` is what was lost by choices, 0 or less. */
export interface ReviewPlayer {
  seat: number;
  name: string;
  accuracy: number;
  skill: number;
  luck: number;
  result: number;
  total: number;
  ledger: ReviewLedger;
  verdicts: Record<string, number>;
}

/** A choice that was tried: the chance of winning by it, the standard error of that, and how often. */
export interface ReviewOption {
  line: string;
  win: number;
  error: number;
  visits: number;
}

/** What chance had to do with a move: its kind, and what came of it for every seat. */
export interface ReviewChance {
  kind: string;
  by_seat: number[];
  error: number;
  outcomes: number;
  exact: boolean;
}

/** A move: judged by what its player knew, or (`verdict` null) not judged, since there was nothing to choose. */
export interface ReviewMove {
  number: number;
  seat: number;
  line: string;
  win_before: number;
  win_after: number;
  best: string | null;
  loss: number | null;
  error: number | null;
  verdict: "best" | "good" | "inaccuracy" | "mistake" | "blunder" | null;
  close: boolean | null;
  luck: number | null;
  chance: ReviewChance | null;
  options: ReviewOption[];
  reason: Record<string, number | string | string[]> | null;
}

/** A move at which the game turned, and what it changed for every seat. */
export interface ReviewTurn {
  move: number;
  seat: number;
  swing: number[];
  cause: "luck" | "skill";
}

/** A ticket that somebody was offered: when it was won or lost, what keeping it was worth, how its chances went. */
export interface ReviewTicket {
  seat: number;
  ticket: string;
  points: number;
  offered: number;
  kept: boolean;
  completed: boolean | null;
  won_at: number | null;
  lost_at: number | null;
  worth: number | null;
  chances: number[][];
}

/** After so many moves: each seat's chance of winning, for who had seen all cards. */
export interface ReviewOpen {
  move: number;
  win: number[];
}

/** Which map a game was played on. */
export interface ReviewMap {
  id: string;
  hash: string;
}

/** The review of a finished game (`branchline review --json`). */
export interface ReviewWire {
  format: string;
  map: ReviewMap;
  setting: string;
  weights: string;
  note: string;
  players: ReviewPlayer[];
  curve: CurvePoint[];
  moves: ReviewMove[];
  turning: ReviewTurn[];
  costliest: number[][];
  tickets: ReviewTicket[];
  open: ReviewOpen[];
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

/** A card from a place of the display, seen by all (I-02). */
export interface DrewCard {
  kind: "DrewCard";
  seat: number;
  place: number;
  card: string;
}

/** A card from the deck; its colour is the player's secret (I-01). */
export interface DrewBlind {
  kind: "DrewBlind";
  seat: number;
  card: string | null;
}

export interface DisplayFilled {
  kind: "DisplayFilled";
  place: number;
  card: string;
}

/** Three locomotives: the display is discarded (C-15). */
export interface DisplaySwept {
  kind: "DisplaySwept";
}

export interface DeckReshuffled {
  kind: "DeckReshuffled";
  cards: number;
}

/** Tickets to choose from; which they are is the player's secret (C-30). */
export interface TicketsOffered {
  kind: "TicketsOffered";
  seat: number;
  count: number;
  tickets: string[] | null;
}

/** How many were kept is public, which is not (C-30). */
export interface TicketsKept {
  kind: "TicketsKept";
  seat: number;
  kept: number;
  offered: number;
  tickets: string[] | null;
}

/** A seat has made its choice in a phase in which all choose at once; what it chose is not told (C-07). */
export interface ChoiceMade {
  kind: "ChoiceMade";
  seat: number;
}

export interface TrackClaimed {
  kind: "TrackClaimed";
  seat: number;
  track: string;
  colour: string;
  cards: number;
  locos: number;
  points: number;
  twice: boolean;
}

export interface Passed {
  kind: "Passed";
  seat: number;
}

/** A player is down to two trains or fewer: one more turn for everybody (C-33). */
export interface LastRoundBegan {
  kind: "LastRoundBegan";
  seat: number;
}

export interface TurnBegan {
  kind: "TurnBegan";
  seat: number;
}

export interface GameEnded {
  kind: "GameEnded";
  reason: "last round" | "all passed" | "no progress";
}

/** Cards laid down for a tunnel, seen by all (EUR-12, I-02). */
export interface TunnelTried {
  kind: "TunnelTried";
  seat: number;
  track: string;
  colour: string;
  cards: number;
  locos: number;
}

/** The cards turned up for a tunnel and what they cost (EUR-12, EUR-15). */
export interface TunnelCardsTurned {
  kind: "TunnelCardsTurned";
  seat: number;
  cards: string[];
  extra: number;
}

export interface TunnelFailed {
  kind: "TunnelFailed";
  seat: number;
  track: string;
}

export interface StationBuilt {
  kind: "StationBuilt";
  seat: number;
  place: string;
  colour: string;
  cards: number;
  locos: number;
}

/** A terrain card, from a face-up place or from the deck (None); it lies open (AFR-08). */
export interface DrewTerrain {
  kind: "DrewTerrain";
  seat: number;
  place: number | null;
  terrain: string;
}

export interface TerrainFilled {
  kind: "TerrainFilled";
  place: number;
  terrain: string;
}

export interface TerrainReshuffled {
  kind: "TerrainReshuffled";
  cards: number;
}

export interface TerrainPlayed {
  kind: "TerrainPlayed";
  seat: number;
  terrain: string;
  cards: number;
  locos: number;
}

/** A festival card came up and lies at its city (IBE-07). */
export interface FestivalLaid {
  kind: "FestivalLaid";
  group: string;
}

export interface FestivalsTaken {
  kind: "FestivalsTaken";
  seat: number;
  group: string;
  count: number;
}

/** The second-draft card came up (IBE-08). */
export interface SecondDraftCardUp {
  kind: "SecondDraftCardUp";
}

/** Packs of tickets were dealt (IBE-04, IBE-09). */
export interface DraftBegan {
  kind: "DraftBegan";
  number: number;
  cards: number;
}

/** All have taken a card and all packs have moved (IBE-19). */
export interface PacksPassed {
  kind: "PacksPassed";
  step: number;
}

/** A ticket taken from a pack: the player's secret (IBE-06). */
export interface TicketPicked {
  kind: "TicketPicked";
  seat: number;
  ticket: string | null;
}

/** A player looked at the mail bag that lies in a city; where it goes is that player's secret (CAR-05, CAR-14). */
export interface BagSeen {
  kind: "BagSeen";
  seat: number;
  place: string;
  label: string | null;
}

/** A mail bag taken along; where it goes is known to those who have looked at it (CAR-14). */
export interface BagTaken {
  kind: "BagTaken";
  seat: number;
  place: string;
  label: string | null;
  known_to: number[];
}

/** A mail bag laid down in a city, face down; `origin` is where it had been taken (CAR-07). */
export interface BagLaid {
  kind: "BagLaid";
  seat: number;
  place: string;
  origin: string;
  label: string | null;
  known_to: number[];
}

export interface BagsLeft {
  kind: "BagsLeft";
  seat: number;
}

/** A mail bag came from where it was taken to the city on its label (CAR-09). */
export interface BagDelivered {
  kind: "BagDelivered";
  seat: number;
  origin: string;
  label: string;
  points: number;
}

/** The last move of a seat was taken back, with everybody's consent: told by a table, not by the game. */
export interface TakenBack {
  kind: "TakenBack";
  seat: number;
}

export type EventWire =
  | DrewCard
  | DrewBlind
  | DisplayFilled
  | DisplaySwept
  | DeckReshuffled
  | TicketsOffered
  | TicketsKept
  | ChoiceMade
  | TrackClaimed
  | Passed
  | LastRoundBegan
  | TurnBegan
  | GameEnded
  | TunnelTried
  | TunnelCardsTurned
  | TunnelFailed
  | StationBuilt
  | DrewTerrain
  | TerrainFilled
  | TerrainReshuffled
  | TerrainPlayed
  | FestivalLaid
  | FestivalsTaken
  | SecondDraftCardUp
  | DraftBegan
  | PacksPassed
  | TicketPicked
  | BagSeen
  | BagTaken
  | BagLaid
  | BagsLeft
  | BagDelivered
  | TakenBack;

export interface GameOver {
  kind: "GameOver";
}

export interface NotYourTurn {
  kind: "NotYourTurn";
  seat: number;
}

export interface FirstTicketsChosen {
  kind: "FirstTicketsChosen";
}

export interface OtherThingDue {
  kind: "OtherThingDue";
  due: "over" | "first_tickets" | "draft" | "keep_drafted" | "turn" | "draw_first" | "draw_second" | "keep_tickets" | "pay" | "double" | "festival" | "tunnel" | "pay_station" | "mail";
}

/** Nobody passes who can do anything else. */
export interface CanDoSomething {
  kind: "CanDoSomething";
}

/** A number of `fast.FastGame` that is no choice here. */
export interface UnknownCode {
  kind: "UnknownCode";
  code: number;
  choices: number;
}

export interface NoDisplayPlace {
  kind: "NoDisplayPlace";
  place: number;
  places: number;
}

export interface DisplayPlaceEmpty {
  kind: "DisplayPlaceEmpty";
  place: number;
}

export interface NoSecondLocomotive {
  kind: "NoSecondLocomotive";
}

/** But a card lies face up. */
export interface DeckEmpty {
  kind: "DeckEmpty";
}

export interface NothingToDraw {
  kind: "NothingToDraw";
}

export interface UnknownTrack {
  kind: "UnknownTrack";
  track: string;
}

export interface TrackTaken {
  kind: "TrackTaken";
  seat: number;
  track: string;
}

/** Of a double route. */
export interface OwnsTheOther {
  kind: "OwnsTheOther";
  track: string;
}

/** With so few players one track of a double route closes the others. */
export interface OneOfDouble {
  kind: "OneOfDouble";
  track: string;
  players: number;
}

export interface TooFewTrains {
  kind: "TooFewTrains";
  track: string;
  length: number;
  trains: number;
}

export interface UnknownColour {
  kind: "UnknownColour";
  colour: string;
}

export interface WrongColour {
  kind: "WrongColour";
  track: string;
  needed: string;
}

/** For a gray track. */
export interface NoCardOfColour {
  kind: "NoCardOfColour";
  track: string;
  colour: string;
}

/** Somebody wrote of two colours for what has to be paid in one. */
export interface MixedColours {
  kind: "MixedColours";
  colour: string;
  other: string;
}

/** For a gray track, with locomotives alone. */
export interface TooFewLocomotives {
  kind: "TooFewLocomotives";
  track: string;
  length: number;
  locos: number;
}

/** None of the colour, and no locomotive. */
export interface NoFittingCards {
  kind: "NoFittingCards";
  track: string;
  length: number;
}

/** Of the colour, and locomotives. */
export interface TooFewCards {
  kind: "TooFewCards";
  track: string;
  length: number;
  colour: string;
  cards: number;
  locos: number;
}

export interface WrongLocomotives {
  kind: "WrongLocomotives";
  least: number;
  most: number;
  count: number;
}

export interface NothingToPay {
  kind: "NothingToPay";
}

export interface NoTicketsLeft {
  kind: "NoTicketsLeft";
}

export interface KeepFirst {
  kind: "KeepFirst";
  keep: number;
  offered: number;
}

export interface KeepDrawn {
  kind: "KeepDrawn";
  keep: number;
  offered: number;
}

export interface NoTicketsToChoose {
  kind: "NoTicketsToChoose";
}

export interface NotToReturn {
  kind: "NotToReturn";
  ticket: string;
}

export interface TunnelPrice {
  kind: "TunnelPrice";
  extra: number;
  count: number;
}

/** Attempted with locomotives alone, paid with locomotives alone. */
export interface TunnelByLocomotives {
  kind: "TunnelByLocomotives";
  extra: number;
}

export interface NoTunnel {
  kind: "NoTunnel";
}

export interface FerryLocomotives {
  kind: "FerryLocomotives";
  track: string;
  ferry: number;
  locos: number;
}

/** Every space shows one, so that no colour pays for any. */
export interface FerryOfLocomotives {
  kind: "FerryOfLocomotives";
  track: string;
  ferry: number;
}

/** On this map. */
export interface NoStations {
  kind: "NoStations";
}

export interface AllStationsBuilt {
  kind: "AllStationsBuilt";
  each: number;
}

export interface NoStationSite {
  kind: "NoStationSite";
  place: string;
}

export interface StationStands {
  kind: "StationStands";
  place: string;
}

/** None of the colour, and no locomotive. */
export interface NoStationCards {
  kind: "NoStationCards";
  price: number;
}

export interface StationPrice {
  kind: "StationPrice";
  price: number;
  colour: string;
  cards: number;
  locos: number;
}

export interface StationLocomotives {
  kind: "StationLocomotives";
  count: number;
}

/** On this map. */
export interface NoTerrain {
  kind: "NoTerrain";
}

/** In that place, or in the deck. */
export interface NoTerrainCard {
  kind: "NoTerrainCard";
}

export interface NothingToDouble {
  kind: "NothingToDouble";
}

export interface TooFewTerrain {
  kind: "TooFewTerrain";
  terrain: string;
  needed: number;
  mine: number;
}

export interface OthersHaveMore {
  kind: "OthersHaveMore";
  terrain: string;
  others: number;
  mine: number;
}

/** Beside those that pay for the track. */
export interface TooFewLocomotivesLeft {
  kind: "TooFewLocomotivesLeft";
  count: number;
}

/** More than are due, or than the comparison lacks. */
export interface TooManyLocomotives {
  kind: "TooManyLocomotives";
  count: number;
}

export interface NotThatFestival {
  kind: "NotThatFestival";
  place: string;
}

/** And waits for the others. */
export interface DraftChosen {
  kind: "DraftChosen";
}

/** Tickets are drawn only once the second draft is over. */
export interface DraftFirst {
  kind: "DraftFirst";
}

export interface NotInPack {
  kind: "NotInPack";
  ticket: string;
}

export interface KeepDrafted {
  kind: "KeepDrafted";
  keep: number;
}

/** Bags are seen to after a claim at whose ends one lies. */
export interface NoMailNow {
  kind: "NoMailNow";
}

export interface NoBagThere {
  kind: "NoBagThere";
  place: string;
}

export interface NotAtThatEnd {
  kind: "NotAtThatEnd";
  place: string;
  track: string;
}

/** As many are carried as may be: which is laid down has to be said. */
export interface BagToLayDown {
  kind: "BagToLayDown";
  most: number;
}

/** There is room, or the bag is delivered as it is taken. */
export interface NoBagToLayDown {
  kind: "NoBagToLayDown";
  most: number;
}

export interface NoSuchBag {
  kind: "NoSuchBag";
  number: number;
  carried: number;
}

export type WhyWire =
  | GameOver
  | NotYourTurn
  | FirstTicketsChosen
  | OtherThingDue
  | CanDoSomething
  | UnknownCode
  | NoDisplayPlace
  | DisplayPlaceEmpty
  | NoSecondLocomotive
  | DeckEmpty
  | NothingToDraw
  | UnknownTrack
  | TrackTaken
  | OwnsTheOther
  | OneOfDouble
  | TooFewTrains
  | UnknownColour
  | WrongColour
  | NoCardOfColour
  | MixedColours
  | TooFewLocomotives
  | NoFittingCards
  | TooFewCards
  | WrongLocomotives
  | NothingToPay
  | NoTicketsLeft
  | KeepFirst
  | KeepDrawn
  | NoTicketsToChoose
  | NotToReturn
  | TunnelPrice
  | TunnelByLocomotives
  | NoTunnel
  | FerryLocomotives
  | FerryOfLocomotives
  | NoStations
  | AllStationsBuilt
  | NoStationSite
  | StationStands
  | NoStationCards
  | StationPrice
  | StationLocomotives
  | NoTerrain
  | NoTerrainCard
  | NothingToDouble
  | TooFewTerrain
  | OthersHaveMore
  | TooFewLocomotivesLeft
  | TooManyLocomotives
  | NotThatFestival
  | DraftChosen
  | DraftFirst
  | NotInPack
  | KeepDrafted
  | NoMailNow
  | NoBagThere
  | NotAtThatEnd
  | BagToLayDown
  | NoBagToLayDown
  | NoSuchBag;

export type FromServer = Hello | TableNews | Update | Ack | Refused | Answer | Advice | ChatNews | Finale | Vote | Trouble | Pong;

export type ToServer = Move | Undo | Ask | Advise | Say | TakeBack | Pause | BotVote | Nudge | Resync | Looks | Ping;
