/** A plan in the making: what is written down so far, and what is being added. The service keeps what is saved. */
import { api } from "../lib/api.ts";
import type { TableClient } from "../lib/client.svelte.ts";
import type { Names } from "../lib/names.ts";
import { PLANS } from "../mechanics/plans.ts";
import type { ClaimWish, MapFacts, TrackFact } from "../wire.ts";
import { kindOf, type Wish } from "./words.ts";

export const MOST_TURNS = 3;
export const MOST_WISHES = 8;
export const COLOURS = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"];

/** Wishes as a text that is the same whatever the order of their fields. */
const sorted = (turns: Wish[][]) =>
  JSON.stringify(turns.map((wishes) => wishes.map((wish) => Object.entries(wish).sort())));

/** The locomotives that a track asks for in any case. */
const locosOf = (track: TrackFact) => Math.max(0, ...PLANS.map((part) => part.locos?.(track) ?? 0));

export class Planner {
  turns = $state<Wish[][]>([]);
  turn = $state(0); // the one that is edited
  adding = $state<Wish["do"]>("claim");
  claim = $state<ClaimWish | null>(null);
  saving = $state(false);
  saved = $state(false);
  error = $state("");

  wishes = $derived.by(() => this.turns[this.turn] ?? []);
  changed = $derived.by(() => sorted(this.written) !== sorted(this.client.table?.plan?.turns ?? []));
  hand = $derived.by(() => (this.client.me === null ? {} : (this.client.view?.players[this.client.me]?.hand ?? {})));
  /** Tracks that are free, and not closed to the reader. */
  free = $derived.by((): TrackFact[] => {
    const view = this.client.view;
    if (!view) return [];
    const closed = new Set(view.closed);
    const tracks = this.facts.tracks.filter((track) => view.owners[track.id] === undefined && !closed.has(track.id));
    return tracks.sort((one, other) => this.names.track(one.id).localeCompare(this.names.track(other.id)));
  });
  /** What is shown on the board: planned tracks, the one being added among them. */
  shown = $derived.by(() => {
    const wishes = this.turns.flat();
    const path = wishes.flatMap((wish) => (wish.do === "claim" ? [wish.track] : []));
    if (this.claim) path.push(this.claim.track);
    return { trails: [], path, lit: wishes.flatMap((wish) => kindOf(wish)?.lit(wish) ?? []) };
  });

  constructor(
    readonly client: TableClient,
    readonly facts: MapFacts,
    readonly names: Names,
  ) {
    this.turns = $state.snapshot(client.table?.plan?.turns ?? []) as Wish[][];
  }

  /** Without turns that nothing is written for. */
  get written(): Wish[][] {
    return this.turns.filter((wishes) => wishes.length);
  }

  /** A track was pointed at: begin a claim of it, with as few locomotives as it needs. */
  point(id: string): void {
    const track = this.names.tracks.get(id);
    if (!track || !this.free.some((one) => one.id === id)) return;
    this.adding = "claim";
    const most = COLOURS.reduce(
      (best, colour) => ((this.hand[colour] ?? 0) > (this.hand[best] ?? 0) ? colour : best),
      COLOURS[0]!,
    );
    const colour = track.colour === "gray" ? most : track.colour;
    const asked = Object.assign({}, ...PLANS.map((part) => part.claim?.())) as Omit<ClaimWish, "do">;
    this.claim = { ...asked, do: "claim", track: id, colour, locos: locosOf(track) };
  }

  /** No fewer locomotives than the track needs. */
  least(claim: ClaimWish): number {
    const track = this.names.tracks.get(claim.track)!;
    return claim.colour === "loco" ? track.length : locosOf(track);
  }

  add(wish: Wish): void {
    while (this.turns.length <= this.turn) this.turns.push([]);
    if (this.wishes.length >= MOST_WISHES) return;
    this.turns[this.turn]!.push(wish);
    this.claim = null;
    this.saved = false;
  }

  remove(at: number): void {
    this.turns[this.turn]!.splice(at, 1);
    this.saved = false;
  }

  /** One place up (-1) or down (1). */
  move(at: number, by: number): void {
    const wishes = this.turns[this.turn]!;
    const [wish] = wishes.splice(at, 1);
    wishes.splice(at + by, 0, wish!);
    this.saved = false;
  }

  isGone(wish: Wish): boolean {
    return wish.do === "claim" && !this.free.some((track) => track.id === wish.track);
  }

  async save(turns: Wish[][] = this.written): Promise<boolean> {
    this.saving = true;
    this.error = "";
    try {
      this.client.table = await api.plan(this.client.id, $state.snapshot(turns) as Wish[][]);
      this.turns = turns;
      this.saved = true;
      return true;
    } catch (error) {
      this.error = (error as Error).message;
      return false;
    } finally {
      this.saving = false;
    }
  }
}
