/** What a player reads for the ids of a map. */
import { t } from "../i18n/index.svelte.ts";
import type { MapFacts, PlaceFact, TicketFact, TrackFact } from "../wire.ts";

export class Names {
  readonly places: Map<string, PlaceFact>;
  readonly tracks: Map<string, TrackFact>;
  readonly tickets: Map<string, TicketFact>;
  readonly groups: Map<string, string>;

  constructor(readonly facts: MapFacts) {
    this.places = new Map(facts.places.map((p) => [p.id, p]));
    this.tracks = new Map(facts.tracks.map((p) => [p.id, p]));
    this.tickets = new Map(facts.tickets.map((p) => [p.id, p]));
    this.groups = new Map(facts.festivals.map((f) => [f.id, f.places.map((p) => this.place(p)).join(" / ")]));
  }

  place(id: string): string {
    return this.places.get(id)?.label ?? id;
  }

  /** "Paris–Zürich", and which of two alike tracks it is. */
  track(id: string): string {
    const track = this.tracks.get(id);
    if (!track) return id;
    const alike = this.facts.tracks.filter((o) => o.a === track.a && o.b === track.b && o.colour === track.colour);
    const which = alike.length > 1 ? ` (${alike.indexOf(track) + 1})` : "";
    return `${this.place(track.a)}–${this.place(track.b)}${which}`;
  }

  ticket(id: string): string {
    const ticket = this.tickets.get(id);
    return ticket ? `${ticket.from}–${ticket.to}` : id;
  }

  group(id: string): string {
    return this.groups.get(id) ?? id;
  }

  /** The track, ticket or place an id stands for, in words; the id itself if it is none. */
  any(id: string): string {
    if (this.tracks.has(id)) return this.track(id);
    if (this.tickets.has(id)) return this.ticket(id);
    return this.places.has(id) ? this.place(id) : id;
  }
}

export const cardName = (card: string) => t(`common.card.${card}`);
