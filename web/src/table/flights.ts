/** What is seen and heard of new steps: cards fly, trains are laid, short sounds. The game never waits for any of it. */
import { tick } from "svelte";
import { fly } from "../art/fly.ts";
import { play, type Sound } from "../art/sounds.ts";
import type { EventWire, StepWire } from "../wire.ts";
import type { Screen } from "./screen.svelte.ts";

const SOUNDS: Record<string, Sound> = {
  GameEnded: "end", LastRoundBegan: "lastRound", TrackClaimed: "claim", StationBuilt: "station", TicketsOffered: "ticket",
  TicketPicked: "ticket", DrewCard: "draw", DrewBlind: "draw", DrewTerrain: "draw",
};
const LAID_MS = 900; // how long a track counts as just laid
const TURNED_MS = 4500;
const MANY = 12; // more events than this are a catching-up, not something to watch

const spot = (name: string) => document.querySelector(`[data-fly="${name}"]`);

/** Where a drawn card comes from. */
function source(event: EventWire): string | null {
  if (event.kind === "DrewCard") return `display-${event.place}`;
  if (event.kind === "DrewBlind") return "deck";
  if (event.kind === "DrewTerrain") return event.place ? `terrain-${event.place}` : "terrain-deck";
  return null;
}

/** The page has not been redrawn yet: the card that was taken still lies where it lay, and is copied there. */
async function flyCard(screen: Screen, event: EventWire, order: number): Promise<void> {
  const name = source(event);
  const from = name ? spot(name) : null;
  const card = from?.querySelector(".playing-card");
  if (!from || !card) return;
  const ghost = card.cloneNode(true) as Element;
  ghost.removeAttribute("data-testid");
  const start = from.getBoundingClientRect();
  await tick();
  const own = event.seat === screen.client.me && event.kind !== "DrewTerrain";
  const to = own ? (spot(`hand-${event.card}`)?.firstElementChild ?? document.querySelector('[data-tour="hand"]')) : spot(`seat-${event.seat}`);
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
    const sound = Object.keys(SOUNDS).find((kind) => events.some((event) => event.kind === kind));
    if (sound) play(SOUNDS[sound]!);
    const claimed = events.filter((event) => event.kind === "TrackClaimed").at(-1);
    if (claimed) {
      screen.fresh = claimed.track ?? null;
      clearTimeout(laid);
      laid = setTimeout(() => (screen.fresh = null), LAID_MS);
    }
    const turned = events.filter((event) => event.kind === "TunnelCardsTurned").at(-1);
    if (turned && !turned.extra) {
      screen.turned = turned;
      clearTimeout(shown);
      shown = setTimeout(() => (screen.turned = null), TURNED_MS);
    }
    if (document.hidden || events.length > MANY) return;
    events.filter((event) => source(event)).forEach((event, order) => void flyCard(screen, event, order));
  });
  return () => {
    stop();
    clearTimeout(laid);
    clearTimeout(shown);
  };
}
