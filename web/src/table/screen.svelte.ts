/** What the reader looks at: selections, filters, what is lit on the board. Everything else is the server's. */
import { signsOf, type TicketSign } from "../art/ticketSigns.ts";
import type { Way } from "../board/ways.ts";
import type { Refusal, TableClient } from "../lib/client.svelte.ts";
import type { Names } from "../lib/names.ts";
import { settings } from "../lib/settings.svelte.ts";
import { first } from "../mechanics/index.ts";
import { TABLE } from "../mechanics/table.ts";
import { lastMoves, leftBy } from "../text/last.ts";
import type { Telling } from "../text/telling.ts";
import type { EventWire, HelpWire, MapFacts, PathWire, PlayerWire, TicketFact, ViewWire } from "../wire.ts";
import { readOffers } from "./offers.ts";
import { PILES } from "./piles.ts";

/** What is open beside the board: "track" with its price, "claims" to choose one from, "plan", or a sheet of a mechanic. */
export interface Sheet {
  kind: string;
  id: string;
}
export interface Shown {
  trails: { tracks: string[]; seat: number }[];
  path: string[];
  lit: string[];
}
export type Tab = "play" | "tickets" | "players" | "log" | "chat";
export type Dialog = "help" | "menu" | "report";

const NOTHING: Shown = { trails: [], path: [], lit: [] };

/** The scene a position asks for, read off the lines on offer; null on a plain turn. */
export function sceneOf(view: ViewWire, offers: ReturnType<typeof readOffers>): string | null {
  if (offers.returns.length) return "return";
  if (offers.keeps.length) return view.phase === "first_tickets" ? "first" : "keep";
  return first(TABLE, (part) => part.scene?.(view, offers)) ?? (offers.locos.length ? "pay" : null);
}

export class Screen {
  sheet = $state.raw<Sheet | null>(null);
  meant = $state.raw<string[]>([]); // free tracks under the fingertip that opened the sheet
  filter = $state<string | null>(null); // a card of the hand: only tracks it pays for are lit
  pinned = $state<string | null>(null); // the ticket looked at
  hovered = $state<string | null>(null);
  together = $state(false); // the paths of all tickets at once
  alone = $state<number | null>(null); // the seat whose network is shown alone
  scene = $state.raw<Shown>(NOTHING); // what a scene, or the end of the game, shows on the board
  fresh = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  tab = $state<Tab>("tickets");
  dialog = $state<Dialog | null>(null);
  picked = $state<string | null>(null); // the place chosen in a scene, also by a click on the board
  muted = $state.raw<ReadonlySet<number>>(new Set());
  reported = $state<number | null>(null);
  asked = $state<string | null>(null); // the pile from which a card that cannot be put back is to be drawn, if that is so
  endHidden = $state(false);
  planner = $state.raw<{ point: (track: string) => void } | null>(null); // the plan that is being written: the board adds to it
  counted = $state.raw<number[] | null>(null); // at the end: what has been counted so far, by seat
  ordering = $state(false); // the reader wants to say in which order tickets go back
  moment = $state.raw<EventWire | null>(null); // an event of a mechanic that is shown for a moment

  offers = $derived.by(() => readOffers(this.client.offers));
  mine = $derived.by((): PlayerWire | null => {
    const view = this.client.view;
    return view && view.reader !== null ? (view.players[view.reader] ?? null) : null;
  });
  /** How events and refusals are told to the reader. */
  telling = $derived.by((): Telling => ({
    names: this.names,
    seats: this.client.table?.seats ?? [],
    me: this.client.me,
  }));
  open = $derived.by(() => this.view.phase === "turn" && this.client.myTurn);
  sceneName = $derived.by(() => sceneOf(this.view, this.offers));
  /** Tickets go back in the order in which they were offered, unless the reader wants another: nobody is asked. */
  settling = $derived.by(() => this.sceneName === "return" && !this.ordering);
  /** The scene that stays before the reader while others choose. */
  waiting = $derived.by(() => (this.client.me === null ? null : first(TABLE, (part) => part.waits?.(this.view))));
  /** Something is open beside the board: a scene, a sheet, the end of the game. */
  staged = $derived.by(() => {
    if (this.over) return this.client.scores !== null && !this.endHidden;
    return this.sceneName !== null || this.waiting !== null || this.sheet !== null;
  });
  over = $derived.by(() => this.view.phase === "over");
  /** The tickets that count as completed if the game ended now: joined by own tracks, or with borrowed ones. */
  done = $derived.by(() => new Set([...(this.mine?.completed ?? []), ...(this.mine?.borrowed ?? [])]));
  /** The tickets still to do, the dearest first. */
  todo = $derived.by(() => {
    const held = (this.mine?.tickets ?? []).map((id) => this.names.tickets.get(id)!);
    return held.filter((ticket) => !this.done.has(ticket.id)).sort((one, other) => other.points - one.points);
  });
  /** Tracks that can be claimed now, narrowed by the card chosen in the hand. */
  legal = $derived.by(() => {
    const tracks = [...this.offers.claims].filter(([, colours]) => !this.filter || colours.includes(this.filter));
    return new Set(tracks.map(([track]) => track));
  });
  /** Tracks on the cheapest ways of the tickets still to do, and those that lie beside them and are as long. */
  helpful = $derived.by(() => {
    const ways = new Set(this.todo.flatMap((ticket) => this.plan(ticket)?.tracks ?? []));
    const key = (id: string) => {
      const { a, b, length } = this.names.tracks.get(id)!;
      return [...[a, b].sort(), length].join();
    };
    const keys = new Set([...ways].filter((id) => !(id in this.view.owners)).map(key));
    return new Set(this.facts.tracks.filter((track) => keys.has(key(track.id))).map((track) => track.id));
  });
  /** Whether only some of the legal tracks are lit. */
  choosy = $derived.by(() => !settings.litAll && !this.filter && this.legal.size > 0 && this.helpful.size > 0);
  /** What is lit: the legal tracks that help a ticket; all of them when no ticket is open, when a card is chosen, or when asked for. */
  shining = $derived.by(() =>
    this.choosy ? new Set([...this.legal].filter((id) => this.helpful.has(id))) : this.legal,
  );
  signs = $derived.by(() => (this.mine ? signsOf(this.mine.tickets, [...this.done]) : []));
  /** The signs at each place of the reader's tickets. */
  signsAt = $derived.by(() => {
    const at = new Map<string, TicketSign[]>();
    for (const sign of this.signs) {
      const { a, b } = this.names.tickets.get(sign.id)!;
      for (const place of new Set([...a, ...b])) at.set(place, [...(at.get(place) ?? []), sign]);
    }
    return at;
  });
  /** The paths shown: of all tickets still to do, or of the one looked at. */
  ways = $derived.by((): Way[] => {
    const shown = this.together ? this.todo : this.looked ? [this.looked] : [];
    return shown.flatMap((ticket) => {
      const sign = this.signs.find(({ id }) => id === ticket.id);
      const tracks = this.plan(ticket)?.tracks ?? [];
      return sign && tracks.length ? [{ tracks, kind: sign.kind }] : [];
    });
  });
  moves = $derived.by(() => lastMoves(this.client.steps));
  recent = $derived.by(() => leftBy(this.moves));
  sites = $derived.by(() => new Set(TABLE.flatMap((part) => part.sites?.(this) ?? [])));
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
    const before = [...this.view.offered, ...TABLE.flatMap((part) => part.choices?.(this.view) ?? [])];
    const held = (before.length ? before : (this.mine?.tickets ?? [])).map((id) => this.names.tickets.get(id)!);
    const todo = held.filter((ticket) => !this.done.has(ticket.id));
    return (todo.length ? todo : held).flatMap((ticket) => [...ticket.a, ...ticket.b]);
  });
  selected = $derived.by(() => (this.sheet?.kind === "track" ? this.sheet.id : this.view.pending));

  constructor(
    readonly client: TableClient,
    readonly facts: MapFacts,
    readonly names: Names,
  ) {}

  get view(): ViewWire {
    return this.client.view!;
  }

  /** The cheapest path of a ticket, null if there is none any more; undefined until the server has told it. */
  plan(ticket: TicketFact): PathWire | null | undefined {
    return this.client.advice?.paths[ticket.id];
  }

  /** One path for some of the tickets on offer. */
  planFor(tickets: TicketFact[]): PathWire | null | undefined {
    if (tickets.length === 1) return this.plan(tickets[0]!);
    const ids = new Set(tickets.map(({ id }) => id));
    const same = (set: string[]) => set.length === ids.size && set.every((id) => ids.has(id));
    return this.client.advice?.keeps.find((keep) => same(keep.tickets))?.path;
  }

  /** What a track would do for the tickets still to do. */
  helps(track: string): HelpWire[] {
    return this.client.advice?.helps[track] ?? [];
  }

  /** A player's points: those of tracks while the game goes on, at its end what the score sheets count. */
  points(seat: number): number {
    if (!this.over) return this.view.players[seat]?.score ?? 0;
    return (
      this.counted?.[seat] ??
      this.client.scores?.find((sheet) => sheet.seat === seat)?.total ??
      this.view.players[seat]?.score ??
      0
    );
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

  /** Point at a track. Without the confirm step the best payment is sent at once, unless the finger may have meant another. */
  async point(track: string, confirm: boolean, meant: string[] = []): Promise<void> {
    if (this.planner) return this.planner.point(track);
    this.meant = meant.filter((id) => this.view.owners[id] === undefined);
    if (confirm || this.meant.length > 1 || !this.offers.claims.has(track)) return this.toggle("track", track);
    const answer = await this.client.ask(track);
    const best = answer.payments.find((payment) => payment.colour === this.filter) ?? answer.payments[0];
    if (best) await this.play(best.lines);
  }

  /** Point at a place: what it answers, if anything, is a mechanic's. */
  place(id: string): void {
    TABLE.some((part) => part.point?.(this, id));
  }

  /** Put the tickets back as they were offered. The last one needs no naming: it is the only one left. */
  returnInOrder(): Promise<boolean> {
    return this.play(this.offers.returns.slice(0, -1).map((id) => `return ${id}`));
  }

  /** The line that draws from a pile, if it is on offer. */
  pile(what: string): string | null {
    return PILES.find((pile) => pile.id === what)?.line(this.offers) ?? null;
  }

  /** Draw from a pile; asked first where it is to be confirmed. */
  draw(what: string, confirm: boolean): void {
    const line = this.pile(what);
    if (line && confirm && this.asked !== what) this.asked = what;
    else if (line) void this.play([line]);
  }

  /** Back to looking at the table. */
  rest(): void {
    this.asked = null;
    this.sheet = null;
    this.meant = [];
    this.filter = null;
    this.picked = null;
  }

  show(shown: Shown): void {
    this.scene = shown;
  }

  clear(): void {
    this.scene = NOTHING;
  }

  /** The next player's network alone: the reader's first, after the last everybody's again. */
  nextAlone(): void {
    const seats = this.view.players.map((player) => player.seat);
    const first = this.client.me ?? 0;
    const order = [...seats.slice(first), ...seats.slice(0, first)];
    this.alone = order[this.alone === null ? 0 : order.indexOf(this.alone) + 1] ?? null;
  }

  /** One player's network alone, or everybody's again if it was. */
  single(seat: number): void {
    this.alone = this.alone === seat ? null : seat;
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
