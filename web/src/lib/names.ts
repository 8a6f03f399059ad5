/** What a player reads for the ids of a map. */
import { lang, t } from "../i18n/index.svelte.ts";
import { first } from "../mechanics/index.ts";
import { NAMES } from "../mechanics/names.ts";
import type { MapFacts, PlaceFact, TicketFact, TrackFact } from "../wire.ts";

export class Names {
  readonly places: Map<string, PlaceFact>;
  readonly tracks: Map<string, TrackFact>;
  readonly tickets: Map<string, TicketFact>;

  constructor(readonly facts: MapFacts) {
    this.places = new Map(facts.places.map((p) => [p.id, p]));
    this.tracks = new Map(facts.tracks.map((p) => [p.id, p]));
    this.tickets = new Map(facts.tickets.map((p) => [p.id, p]));
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

  /** A ticket with its points. */
  valuedTicket(id: string): string {
    const ticket = this.tickets.get(id);
    return ticket ? `${this.ticket(id)} (${ticket.points})` : id;
  }

  /** A thing of a mechanic, by the noun that sentences have for it. */
  thing(noun: string, id: string): string {
    return first(NAMES, (part) => part[noun]?.(id, this)) ?? id;
  }

  /** The track, ticket or place an id stands for, in words; the id itself if it is none. */
  any(id: string): string {
    if (this.tracks.has(id)) return this.track(id);
    if (this.tickets.has(id)) return this.ticket(id);
    return this.places.has(id) ? this.place(id) : id;
  }
}

/**
 * The names that are words, not names of places, in the reader's language: countries, halts without a printed name. A
 * map may bring names of its own in that language.
 */
export function localised(facts: MapFacts): MapFacts {
  const known = new Map(facts.places.map((p) => [p.id, p]));
  const worded = (key: string, name: string) => (t(key) === key ? name : t(key)); // a map of somebody else's has its own
  const own = facts.names[lang.code];
  const bare = (p: PlaceFact) => {
    const name = own?.places[p.id];
    if (name) return name;
    if (p.kind === "country") return worded(`common.country.${p.country}`, p.name);
    return p.kind === "way_station" ? worded(`common.way.${p.id}`, p.label) : p.name;
  };
  const label = (p: PlaceFact) => {
    if (p.kind !== "country") return bare(p);
    const near = facts.tracks
      .filter((track) => track.a === p.id || track.b === p.id)
      .map((track) => known.get(track.a === p.id ? track.b : track.a)!)
      .sort((a, b) => Number(a.kind !== "city") - Number(b.kind !== "city"));
    return near[0] ? t("common.by", { place: bare(p), near: bare(near[0]) }) : bare(p);
  };
  const end = (places: string[], name: string) => {
    const place = known.get(places[0] ?? "");
    return place ? (places.length > 1 ? bare(place) : label(place)) : name;
  };
  return {
    ...facts,
    name: own?.map ?? worded(`common.map.${facts.id}`, facts.name),
    places: facts.places.map((p) => ({ ...p, label: label(p) })),
    tickets: facts.tickets.map((k) => ({ ...k, from: end(k.a, k.from), to: end(k.b, k.to) })),
  };
}

export const cardName = (card: string) => t(`common.card.${card}`);
