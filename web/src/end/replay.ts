/** A finished game as frames to look at, and where one can jump to. */
import { END } from "../mechanics/end.ts";
import { first } from "../mechanics/index.ts";
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

const happens = (kind: EventWire["kind"]) => (frame: ReplayStep) => frame.events.some((event) => event.kind === kind);
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
  const players = view.players.map((player): PlayerWire => {
    if (player.seat === eyes) return player;
    const hidden = END.map((part) => part.veilPlayer?.(player, eyes));
    return Object.assign({ ...player, hand: {}, tickets: [], completed: [] }, ...hidden);
  });
  const offered = view.to_act[0] === eyes ? view.offered : [];
  return Object.assign({ ...view, players, offered }, ...END.map((part) => part.veilView?.(view, eyes)));
}

/** Events as one seat saw them: what was another's secret is taken out. */
export function heardBy(events: EventWire[], eyes: number | null): EventWire[] {
  return eyes === null
    ? events
    : events.map((event) => ("seat" in event && event.seat === eyes ? event : veiled(event, eyes)));
}

function veiled(event: EventWire, eyes: number): EventWire {
  switch (event.kind) {
    case "DrewBlind":
      return { ...event, card: null };
    case "TicketsOffered":
    case "TicketsKept":
      return { ...event, tickets: null };
    default:
      return first(END, (part) => part.veilEvent?.(event, eyes)) ?? event;
  }
}

/** The track laid in a frame, to be shown as fresh. */
export function freshIn(frame: ReplayStep): string | null {
  return frame.events.find((event) => event.kind === "TrackClaimed")?.track ?? null;
}
