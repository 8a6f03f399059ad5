/** What is seen and heard of new steps: cards fly, trains are laid, short sounds. The game never waits for any of it. */
import { tick } from "svelte";
import { fly } from "../art/fly.ts";
import { play, type Sound } from "../art/sounds.ts";
import { first } from "../mechanics/index.ts";
import { TABLE } from "../mechanics/table.ts";
import type { EventWire, StepWire } from "../wire.ts";
import type { Screen } from "./screen.svelte.ts";

const SOUNDS: Partial<Record<EventWire["kind"], Sound>> = {
  GameEnded: "end",
  LastRoundBegan: "lastRound",
  TrackClaimed: "claim",
  TicketsOffered: "ticket",
  DrewCard: "draw",
  DrewBlind: "draw",
  ...Object.assign({}, ...TABLE.map((part) => part.sounds)),
};
const LAID_MS = 900; // how long a track counts as just laid
const MOMENT_MS = 4500;
const MANY = 12; // more events than this are a catching-up, not something to watch

const spot = (name: string) => document.querySelector(`[data-fly="${name}"]`);

/** A card that somebody drew: from where, whose it is, and of train cards which one, if the reader may know. */
interface Flight {
  from: string;
  seat: number;
  card?: string | null;
}

function flightOf(event: EventWire): Flight | null {
  switch (event.kind) {
    case "DrewCard":
      return { from: `display-${event.place}`, seat: event.seat, card: event.card };
    case "DrewBlind":
      return { from: "deck", seat: event.seat, card: event.card };
    default:
      return first(TABLE, (part) => part.flight?.(event));
  }
}

/** The page has not been redrawn yet: the card that was taken still lies where it lay, and is copied there. */
async function flyCard(screen: Screen, { seat, card: drawn, ...flight }: Flight, order: number): Promise<void> {
  const from = spot(flight.from);
  const card = from?.querySelector(".playing-card");
  if (!from || !card) return;
  const ghost = card.cloneNode(true) as Element;
  ghost.removeAttribute("data-testid");
  const start = from.getBoundingClientRect();
  await tick();
  const own = drawn !== undefined && seat === screen.client.me;
  const to = own
    ? (spot(`hand-${drawn}`)?.firstElementChild ?? document.querySelector('[data-tour="hand"]'))
    : spot(`seat-${seat}`);
  if (to) await fly(ghost, start, small(to), { delay: order * 90, fade: !own });
}

/** A card flies to the middle of a large target in its own size, not stretched over it. */
function small(to: Element): DOMRect {
  const box = to.getBoundingClientRect();
  const width = Math.min(box.width, 68);
  const height = Math.min(box.height, 45);
  return new DOMRect(box.left + (box.width - width) / 2, box.top + (box.height - height) / 2, width, height);
}

export function watch(screen: Screen): () => void {
  let laid: ReturnType<typeof setTimeout> | undefined;
  let shown: ReturnType<typeof setTimeout> | undefined;
  const stop = screen.client.onSteps((steps: StepWire[]) => {
    const events = steps.flatMap((step) => step.events);
    const sound = Object.entries(SOUNDS).find(([kind]) => events.some((event) => event.kind === kind))?.[1];
    if (sound) play(sound);
    const claimed = events.filter((event) => event.kind === "TrackClaimed").at(-1);
    if (claimed) {
      screen.fresh = claimed.track;
      clearTimeout(laid);
      laid = setTimeout(() => (screen.fresh = null), LAID_MS);
    }
    const moment = events.filter((event) => TABLE.some((part) => part.moment?.of(event))).at(-1);
    if (moment) {
      screen.moment = moment;
      clearTimeout(shown);
      shown = setTimeout(() => (screen.moment = null), MOMENT_MS);
    }
    if (document.hidden || events.length > MANY) return;
    events.flatMap((event) => flightOf(event) ?? []).forEach((flight, order) => void flyCard(screen, flight, order));
  });
  return () => {
    stop();
    clearTimeout(laid);
    clearTimeout(shown);
  };
}
