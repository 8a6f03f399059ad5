/** A finished game as frames to look at, and where one can jump to. */
import type { EventWire, PlayerWire, ReplayStep, ViewWire } from "../wire.ts";

/** The steps in which something happened; a choice in the making changes nothing that can be seen. */
export function framesOf(steps: ReplayStep[]): ReplayStep[] {
  return steps.filter((step, i) => i === 0 || step.events.length > 0);
}

/** `#move=41`: the frame that the address asks for, or null if it names none. */
export function frameAt(frames: ReplayStep[], hash: string): number | null {
  const move = /(?:^#|&)move=(\d+)\b/.exec(hash)?.[1];
  return move === undefined ? null : Math.min(Number(move), frames.length - 1);
}

const happens = (kind: string) => (frame: ReplayStep) => frame.events.some((event) => event.kind === kind);
/** The frames in which a turn begins, and those in which a track is claimed. */
export const turnsIn = (frames: ReplayStep[]) => indices(frames, happens("TurnBegan"));
export const claimsIn = (frames: ReplayStep[]) => indices(frames, happens("TrackClaimed"));

function indices(frames: ReplayStep[], wanted: (frame: ReplayStep) => boolean): number[] {
  return frames.flatMap((frame, i) => (wanted(frame) ? [i] : []));
}

/** The nearest of these before or after; the ends of the game stand for "no more". */
export function jump(stops: number[], at: number, by: 1 | -1, last: number): number {
  if (by > 0) return stops.find((stop) => stop > at) ?? last;
  return stops.filter((stop) => stop < at).at(-1) ?? 0;
}

/** A position as one seat saw it: the others' secrets are left out. */
export function seenBy(view: ViewWire, eyes: number | null): ViewWire {
  if (eyes === null) return view;
  const mine = view.to_act[0] === eyes;
  const players = view.players.map((player): PlayerWire =>
    player.seat === eyes ? player : { ...player, hand: {}, tickets: [], completed: [], festivals: {} },
  );
  return { ...view, players, offered: mine ? view.offered : [], pack: mine ? view.pack : [] };
}

/** Events as one seat saw them: what was another's secret is taken out. */
export function heardBy(events: EventWire[], eyes: number | null): EventWire[] {
  return eyes === null ? events : events.map((event) => (event.seat === eyes ? event : veiled(event)));
}

function veiled(event: EventWire): EventWire {
  switch (event.kind) {
    case "DrewBlind":
      return { ...event, card: null };
    case "TicketsOffered":
    case "TicketsKept":
      return { ...event, tickets: null };
    case "TicketPicked":
      return { ...event, ticket: null };
    default:
      return event;
  }
}

/** The track laid in a frame, to be shown as fresh. */
export function freshIn(frame: ReplayStep): string | null {
  return frame.events.find((event) => event.kind === "TrackClaimed")?.track ?? null;
}

/** Which seat has a station in which place. */
export function stationsIn(view: ViewWire): Record<string, number> {
  return Object.fromEntries(view.players.flatMap((player) => player.stations.map((place) => [place, player.seat])));
}
