/** A track in words: what it joins, what it costs, whose it is, and what its marks mean. */
import { t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import type { MapFacts, TrackFact } from "../wire.ts";

export interface TrackState {
  owner: number | undefined;
  closed: boolean;
  legal: boolean;
  doubled: boolean;
}

function kind(track: TrackFact): string {
  const colour = t(`common.card.${track.colour}`);
  if (track.tunnel && track.ferry) return t("board.kind.both", { colour });
  if (track.tunnel) return t("board.kind.tunnel", { colour });
  return track.ferry ? t("board.kind.ferry", { colour }) : t("board.kind.track", { colour });
}

function state({ owner, closed, legal, doubled }: TrackState, players: string[]): string {
  if (owner !== undefined) {
    const who = players[owner] ?? t(`common.seat.${owner}`);
    return doubled ? t("board.state.doubled", { who }) : t("board.state.owned", { who });
  }
  if (closed) return t("board.state.closed");
  return legal ? t("board.state.legal") : t("board.state.free");
}

/** "Paris–Zürich, 3 spaces, green tunnel, free". */
export function trackName(track: TrackFact, now: TrackState, names: Names, players: string[]): string {
  return [names.track(track.id), tn("common.spaces", track.length), kind(track), state(now, players)].join(", ");
}

/** The terrain a track's colour stands for, where the map has terrain. */
export const terrainOf = (facts: MapFacts, track: TrackFact): string | null =>
  facts.terrain.find((terrain) => terrain.colours.includes(track.colour))?.id ?? null;

/** What the marks of a track mean, for those who have not met them yet. */
export function trackNotes(track: TrackFact, facts: MapFacts): string[] {
  const notes: string[] = [];
  if (track.colour === "gray") notes.push(t("board.note.gray"));
  if (track.ferry) notes.push(tn("board.note.ferry", track.ferry));
  if (track.tunnel) notes.push(tn("board.note.tunnel", facts.tunnel_cards));
  const terrain = terrainOf(facts, track);
  if (terrain) notes.push(`${terrainName(facts, terrain)}.`);
  const twins = facts.tracks.filter((other) => isTwin(other, track));
  if (twins.length) notes.push(t("board.note.double"));
  return notes;
}

/** Terrain of the four maps has a name in every language; a fan map's keeps its own. */
function terrainName(facts: MapFacts, id: string): string {
  const known = t(`board.terrain.${id}`);
  return known.startsWith("board.") ? (facts.terrain.find((terrain) => terrain.id === id)?.name ?? id) : known;
}

const isTwin = (one: TrackFact, other: TrackFact): boolean =>
  one.id !== other.id && [one.a, one.b].sort().join() === [other.a, other.b].sort().join();

/** A place in words, with what lies or stands there. */
export function placeName(id: string, names: Names, station: string | null, festival: number | null): string {
  const parts = [names.place(id)];
  const place = names.places.get(id);
  if (place?.kind === "way_station") parts.push(t("board.place.way_station"));
  if (place?.kind === "country") parts.push(place.dead_end ? t("board.place.dead_end") : t("board.place.country"));
  if (station !== null) parts.push(t("board.place.station", { who: station }));
  if (festival !== null) parts.push(tn("board.place.festival", festival));
  return parts.join(", ");
}

