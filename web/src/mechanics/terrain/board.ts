/** Terrain on the board: the ground under tracks, a sign in one space, and the tracks whose points were doubled. */
import { t } from "../../i18n/index.svelte.ts";
import type { MapFacts, TrackFact } from "../../wire.ts";
import type { BoardPart } from "../types.ts";

const MOUNTAIN = "light-dark(#a9a69c, #55666b)";
const GROUND: Record<string, string> = {
  desert: "light-dark(#e2b96c, #8f6d2e)",
  jungle: "light-dark(#86b07c, #2f6142)",
  mountain: MOUNTAIN,
};

/** The terrain a track's colour stands for, where the map has terrain. */
export const terrainOf = (facts: MapFacts, track: TrackFact) =>
  facts.terrain.find((terrain) => terrain.colours.includes(track.colour));

/** Terrain of our maps has a name in every language; a fan map's keeps its own. */
export function nameOf({ id, name }: MapFacts["terrain"][number]): string {
  const known = t(`board.terrain.${id}`);
  return known.startsWith("board.") ? name : known;
}

export default {
  track: (track, facts) => {
    const terrain = terrainOf(facts, track);
    return terrain ? { sign: `#terrain-${terrain.id}` } : null;
  },
  grounds: (facts) =>
    facts.terrain.map((terrain) => ({
      colour: GROUND[terrain.id] ?? MOUNTAIN,
      tracks: facts.tracks.filter((track) => terrainOf(facts, track) === terrain),
    })),
  badge: (track, view) => (view.doubled.includes(track.id) ? "×2" : null),
  owned: (track, view, who) => (view.doubled.includes(track.id) ? t("board.state.doubled", { who }) : null),
  notes: (track, facts) => {
    const terrain = terrainOf(facts, track);
    return terrain ? [`${nameOf(terrain)}.`] : [];
  },
} satisfies BoardPart;
