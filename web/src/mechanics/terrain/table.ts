/** Terrain in a turn: cards beside the display, a deck that asks first, and what each player has laid out. */
import { t } from "../../i18n/index.svelte.ts";
import type { MapFacts, PlayerWire } from "../../wire.ts";
import type { Holding, TablePart } from "../types.ts";

const held = (facts: MapFacts, player: PlayerWire): Holding[] =>
  facts.terrain.map(({ id }) => ({
    id,
    sign: `#terrain-${id}`,
    n: player.terrain[id] ?? 0,
    words: t(`art.terrain.${id}`),
  }));

export default {
  scene: (_, offers) => (offers.of("single").length || offers.of("double").length ? "double" : null),
  buttons: ({ offers }) =>
    offers.of("terrain").some(([from]) => from === "deck")
      ? [{ testid: "draw-terrain", sign: "deck", words: t("game.terrain.short"), pile: "terrain" }]
      : [],
  help: ({ facts }) => (facts.terrain.length ? t("game.turn.help_terrain") : null),
  piles: [
    {
      id: "terrain",
      line: (offers) => (offers.of("terrain").some(([from]) => from === "deck") ? "terrain deck" : null),
      question: () => t("game.draw.terrain_ask"),
      words: () => t("game.draw.terrain"),
      sign: "deck",
    },
  ],
  display: {
    shown: (view) => view.terrain_display.length > 0,
    load: () => import("./TerrainDisplay.svelte"),
  },
  hand: ({ facts }, mine) => held(facts, mine).filter(({ n }) => n),
  player: ({ facts }, player) => held(facts, player),
  flight: (event) =>
    event.kind === "DrewTerrain"
      ? { from: event.place ? `terrain-${event.place}` : "terrain-deck", seat: event.seat }
      : null,
  sounds: { DrewTerrain: "draw" },
} satisfies TablePart;
