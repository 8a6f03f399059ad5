/** What the reader looks at: selections, filters, what is lit on the board. Everything else is the server's. */
import type { Refusal, TableClient } from "../lib/client.svelte.ts";
import type { Names } from "../lib/names.ts";
import { Net, type Plan } from "../lib/plan.ts";
import type { EventWire, MapFacts, PlayerWire, TicketFact, ViewWire } from "../wire.ts";
import { readOffers } from "./offers.ts";

/** What is open beside the board: a track or a station with its price, or a list to choose one from. */
export interface Sheet { kind: "track" | "station" | "claims" | "stations"; id: string }
export interface Shown { trails: { tracks: string[]; seat: number }[]; path: string[]; lit: string[] }
export type Tab = "play" | "tickets" | "players" | "log" | "chat";
export type Dialog = "help" | "menu" | "report";
export type SceneName = "first" | "keep" | "return" | "draft" | "festival" | "double" | "tunnel" | "pay";

const NOTHING: Shown = { trails: [], path: [], lit: [] };

/** The scene a position asks for, read off the lines on offer; null on a plain turn. */
export function sceneOf(view: ViewWire, offers: ReturnType<typeof readOffers>): SceneName | null {
  if (offers.returns.length) return "return";
  if (offers.keeps.length) return view.phase === "first_tickets" ? "first" : "keep";
  if (offers.takes.length) return "draft";
  if (offers.festivals.length) return "festival";
  if (offers.single || offers.doubles.length) return "double";
  if (offers.decline || view.tunnel) return "tunnel";
  return offers.locos.length ? "pay" : null;
}

export class Screen {
  sheet = $state.raw<Sheet | null>(null);
  filter = $state<string | null>(null); // a card of the hand: only tracks it pays for are lit
  pinned = $state<string | null>(null); // the ticket looked at
  hovered = $state<string | null>(null);
  scene = $state.raw<Shown>(NOTHING); // what a scene, or the end of the game, shows on the board
  fresh = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  tab = $state<Tab>("tickets");
  dialog = $state<Dialog | null>(null);
  festival = $state<string | null>(null); // the city chosen in FestivalChoice, also by a click on the board
  muted = $state.raw<ReadonlySet<number>>(new Set());
  reported = $state<number | null>(null);
  endHidden = $state(false);
  turned = $state.raw<EventWire | null>(null); // the cards of a tunnel that cost nothing more, shown for a moment

  offers = $derived.by(() => readOffers(this.client.offers));
  mine = $derived.by((): PlayerWire | null => {
    const view = this.client.view;
    return view && view.reader !== null ? (view.players[view.reader] ?? null) : null;
  });
  open = $derived.by(() => this.view.phase === "turn" && this.client.myTurn);
  sceneName = $derived.by(() => sceneOf(this.view, this.offers));
  /** In a draft the reader waits with the tickets taken so far before them. */
  drafting = $derived.by(() => this.client.me !== null && this.view.phase === "draft");
  /** Something is open beside the board: a scene, a sheet, the end of the game. */
  staged = $derived.by(() => {
    if (this.over) return this.client.scores !== null && !this.endHidden;
    return this.sceneName !== null || this.drafting || this.sheet !== null;
  });
  over = $derived.by(() => this.view.phase === "over");
  net = $derived.by(() => new Net(this.facts, {
    owners: this.view.owners, me: this.client.me, closed: this.view.closed, hand: this.mine?.hand ?? {},
  }));
  /** Tracks that can be claimed now, narrowed by the card chosen in the hand. */
  legal = $derived.by(() => {
    const tracks = [...this.offers.claims].filter(([, colours]) => !this.filter || colours.includes(this.filter));
    return new Set(tracks.map(([track]) => track));
  });
  sites = $derived.by(() => {
    if (this.offers.festivals.length) return new Set(this.offers.festivals);
    return new Set(this.sheet?.kind.startsWith("station") ? this.offers.stations.keys() : []);
  });
  /** The ticket looked at: the one under the pointer, else the pinned one unless a scene shows something. */
  looked = $derived.by(() => {
    const busy = this.scene.path.length || this.scene.lit.length || this.scene.trails.length;
    const id = this.hovered ?? (busy ? null : this.pinned);
    return id ? (this.names.tickets.get(id) ?? null) : null;
  });
  lit = $derived.by(() => new Set([...this.scene.lit, ...(this.looked ? [...this.looked.a, ...this.looked.b] : [])]));
  path = $derived.by(() => (this.looked ? (this.plan(this.looked)?.tracks ?? []) : this.scene.path));
  /** The places of the tickets to choose from, or of those still to do; of all when none is left. */
  ends = $derived.by(() => {
    const before = [...this.view.offered, ...this.view.pack];
    const held = (before.length ? before : (this.mine?.tickets ?? [])).map((id) => this.names.tickets.get(id)!);
    const todo = held.filter((ticket) => !this.mine?.completed.includes(ticket.id));
    return (todo.length ? todo : held).flatMap((ticket) => [...ticket.a, ...ticket.b]);
  });
  selected = $derived.by(() => (this.sheet?.kind === "track" ? this.sheet.id : this.view.pending));
  stations = $derived.by(() => {
    const all: Record<string, number> = {};
    for (const player of this.view.players) for (const place of player.stations) all[place] = player.seat;
    return all;
  });

  constructor(readonly client: TableClient, readonly facts: MapFacts, readonly names: Names) {}

  get view(): ViewWire {
    return this.client.view!;
  }

  plan(ticket: TicketFact): Plan | null {
    return this.net.plan(ticket);
  }

  name(seat: number): string {
    return this.client.table?.seats[seat]?.name ?? String(seat + 1);
  }

  /** Send lines; a refusal is shown with its rule. True if they were taken. */
  async play(lines: string[]): Promise<boolean> {
    if (this.client.busy) return false;
    this.refusal = null;
    const refusal = await this.client.move(lines);
    if (refusal && !refusal.stale) this.refusal = refusal;
    if (!refusal) this.rest();
    return !refusal;
  }

  async undo(): Promise<void> {
    const refusal = await this.client.takeUndo();
    if (refusal && !refusal.stale) this.refusal = refusal;
    this.rest();
  }

  /** Open a sheet; the same again closes it. */
  toggle(kind: Sheet["kind"], id = ""): void {
    this.refusal = null;
    this.sheet = this.sheet?.kind === kind && this.sheet.id === id ? null : { kind, id };
  }

  /** Point at a track. Without the confirm step the best payment is sent at once. */
  async point(track: string, confirm: boolean): Promise<void> {
    if (confirm || !this.offers.claims.has(track)) return this.toggle("track", track);
    const answer = await this.client.ask(track);
    const best = answer.payments.find((payment) => payment.colour === this.filter) ?? answer.payments[0];
    if (best) await this.play(best.lines);
  }

  /** Point at a place: a festival city to choose, a city for a station, or nothing. */
  place(id: string): void {
    if (this.offers.festivals.includes(id)) this.festival = id;
    else if (this.sites.has(id)) this.sheet = { kind: "station", id };
  }

  /** Back to looking at the table. */
  rest(): void {
    this.sheet = null;
    this.filter = null;
    this.festival = null;
  }

  show(shown: Shown): void {
    this.scene = shown;
  }

  clear(): void {
    this.scene = NOTHING;
  }

  /** Look at a ticket, or no more if it was looked at. */
  pin(ticket: string): void {
    this.pinned = this.pinned === ticket ? null : ticket;
  }

  mute(seat: number): void {
    const muted = new Set(this.muted);
    if (!muted.delete(seat)) muted.add(seat);
    this.muted = muted;
  }
}
