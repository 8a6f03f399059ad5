/** A player who wants to see everything: what it does next, from what stands on the screen. It knows no hidden thing. */
import type { SeenTrack, Sight } from "./screen.ts";

export type Deed =
  | { do: "draw"; place: number | "deck" }
  | { do: "terrain"; place: number | "deck" }
  | { do: "claim"; track: SeenTrack }
  | {
      do:
        "tickets" | "station" | "pass" | "keep" | "return" | "take" | "festival" | "double" | "tunnel" | "pay" | "bag";
    };

/** What has been met so far, by name. */
export type Met = Set<string>;

/** The scenes that ask for an answer, and what answers them. */
const SCENES: Record<string, Deed["do"]> = {
  "ticket-choice": "keep",
  "return-order": "return",
  draft: "take",
  "festival-choice": "festival",
  "double-choice": "double",
  tunnel: "tunnel",
  "pay-choice": "pay",
  "take-bags": "bag",
};
const COUNTRIES = /Nigeria|Chad|Sudan|Madagascar/;

/** Whether two tracks join the same places; alike ones are numbered, as in "Dallas–Houston (2)". */
export const twins = (one: SeenTrack, other: SeenTrack): boolean =>
  one.id !== other.id && one.ends.split(" (")[0] === other.ends.split(" (")[0];

/** What is special about a claim, by the name of the thing to meet. */
export function specials(track: SeenTrack, all: readonly SeenTrack[]): string[] {
  const twin = all.some((other) => twins(track, other));
  return [
    ...(track.kind === "grey" ? ["gray"] : []),
    ...(track.kind.includes("ferry") ? ["ferry"] : []),
    ...(track.kind.includes("tunnel") ? ["tunnel"] : []),
    ...(twin ? ["double track"] : []),
    ...(COUNTRIES.test(track.ends) ? ["country"] : []),
  ];
}

/** The next deed; `wanted` are the things still to meet. */
export function decide(sight: Sight, wanted: ReadonlySet<string>): Deed {
  const scene = SCENES[sight.scene ?? ""];
  if (scene) return { do: scene } as Deed;
  if (sight.buttons.includes("pass")) return { do: "pass" };
  const second = !sight.buttons.includes("claims");
  if (second) return draw(sight, wanted);
  if (wanted.has("tickets drawn") && sight.buttons.includes("draw-tickets")) return { do: "tickets" };
  if (wanted.has("station") && sight.buttons.includes("station")) return { do: "station" };
  const claim = bestClaim(sight, wanted);
  if (claim) return { do: "claim", track: claim };
  const terrain = sight.terrain.find((card) => card.free);
  if (terrain && [...wanted].some((thing) => thing.startsWith("terrain") || thing.startsWith("doubling")))
    return { do: "terrain", place: wanted.has("terrain deck") ? "deck" : terrain.place };
  return draw(sight, wanted);
}

/** A claim worth making: a special one, a long one, or any when the hand is full. The end is put off while something is left to meet. */
function bestClaim(sight: Sight, wanted: ReadonlySet<string>): SeenTrack | null {
  const cards = Object.values(sight.hand).reduce((sum, n) => sum + n, 0);
  const worth = (track: SeenTrack) => track.length + (isWanted(track, sight, wanted) ? 10 : 0);
  const least = wanted.size && sight.trains < 20 && cards < 30 ? 10 : cards > 14 || sight.trains < 8 ? 1 : 4;
  const [best] = sight.tracks.filter((track) => track.legal).sort((one, other) => worth(other) - worth(one));
  return best && worth(best) >= least ? best : null;
}

function isWanted(track: SeenTrack, sight: Sight, wanted: ReadonlySet<string>): boolean {
  if (wanted.has("festival choice") && track.feasts === 2) return true;
  if (sight.trains > 20 && [...wanted].some((thing) => thing.startsWith("bag"))) return true; // any claim looks at mail
  if (wanted.has("tunnel paid") && track.kind.includes("tunnel")) return spare(track, sight) >= 2;
  if (wanted.has("locomotives by hand") && sight.hand["locomotive"] && spare(track, sight) >= 1) return true;
  return specials(track, sight.tracks).some((thing) => wanted.has(thing));
}

/** Cards left over when a track is paid for. */
function spare(track: SeenTrack, sight: Sight): number {
  const colour = track.kind.split(" ")[0]!;
  const most = Math.max(
    0,
    ...Object.entries(sight.hand)
      .filter(([card]) => card !== "locomotive")
      .map(([, n]) => n),
  );
  return (colour === "grey" ? most : (sight.hand[colour] ?? 0)) + (sight.hand["locomotive"] ?? 0) - track.length;
}

/** The colour there is most of, if it lies open; else the deck; else whatever can be had. */
function draw(sight: Sight, wanted: ReadonlySet<string>): Deed {
  const open = sight.display.filter((card) => card.free);
  const loco = open.find((card) => card.card === "locomotive");
  if (loco && wanted.has("locomotives by hand") && !sight.hand["locomotive"]) return { do: "draw", place: loco.place };
  const [best] = open
    .filter((card) => card.card !== "locomotive")
    .sort((one, other) => (sight.hand[other.card] ?? 0) - (sight.hand[one.card] ?? 0));
  if (best && (sight.hand[best.card] ?? 0) >= 2) return { do: "draw", place: best.place };
  if (sight.buttons.includes("draw-deck")) return { do: "draw", place: "deck" };
  if (open[0]) return { do: "draw", place: open[0].place };
  const terrain = sight.terrain.find((card) => card.free);
  if (terrain) return { do: "terrain", place: terrain.place };
  throw new Error(`nothing to draw: ${sight.status}; ${sight.buttons.join(", ")}`);
}
