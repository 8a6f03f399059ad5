/** A track in words: what it joins, what it costs, whose it is, and what its marks mean. */
import type { TicketSign } from "../art/ticketSigns.ts";
import { list, t, tn } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { BOARD } from "../mechanics/board.ts";
import { first } from "../mechanics/index.ts";
import type { PlaceMark } from "../mechanics/types.ts";
import type { MapFacts, TrackFact, ViewWire } from "../wire.ts";

export interface TrackState {
  owner: number | undefined;
  closed: boolean;
  legal: boolean;
  view: ViewWire | null;
}

function kind(track: TrackFact): string {
  const colour = t(`thing.colour.${track.colour}`); // as a track is coloured: some languages bend it
  const kinds = BOARD.flatMap((part) => part.kind?.(track, colour) ?? []);
  return kinds.length ? list(kinds) : t("board.kind.track", { colour });
}

function state(track: TrackFact, { owner, closed, legal, view }: TrackState, nameOf: (seat: number) => string): string {
  if (owner !== undefined) {
    const who = nameOf(owner);
    return first(BOARD, (part) => view && part.owned?.(track, view, who)) ?? t("board.state.owned", { who });
  }
  if (closed) return t("board.state.closed");
  return legal ? t("board.state.legal") : t("board.state.free");
}

/** "Paris–Zürich, 3 spaces, green, free". */
export function trackName(track: TrackFact, now: TrackState, names: Names, nameOf: (seat: number) => string): string {
  return [names.track(track.id), tn("common.spaces", track.length), kind(track), state(track, now, nameOf)].join(", ");
}

/** What the marks of a track mean, for those who have not met them yet. */
export function trackNotes(track: TrackFact, facts: MapFacts): string[] {
  const notes: string[] = [];
  if (track.colour === "gray") notes.push(t("board.note.gray"));
  for (const part of BOARD) notes.push(...(part.notes?.(track, facts) ?? []));
  const twins = facts.tracks.filter((other) => isTwin(other, track));
  if (twins.length) notes.push(t("board.note.double"));
  return notes;
}

const isTwin = (one: TrackFact, other: TrackFact): boolean =>
  one.id !== other.id && ((one.a === other.a && one.b === other.b) || (one.a === other.b && one.b === other.a));

/** A place in words, with what lies or stands there. */
export function placeName(
  id: string,
  names: Names,
  marks: readonly PlaceMark[],
  nameOf: (seat: number) => string,
  tickets: readonly TicketSign[] = [],
): string {
  const parts = [names.place(id)];
  const place = names.places.get(id);
  if (place?.kind === "way_station") parts.push(t("board.place.way_station"));
  if (place?.kind === "country") parts.push(place.dead_end ? t("board.place.dead_end") : t("board.place.country"));
  for (const mark of marks) parts.push(mark.words(nameOf));
  for (const { letter, done } of tickets)
    parts.push(t(done ? "board.place.ticket_done" : "board.place.ticket", { sign: letter }));
  return parts.join(", ");
}
