/** Whether a claim is doubled, and what is said about that before. */
import { t } from "../../i18n/index.svelte.ts";
import type { ScenePart } from "../types.ts";
import DoubleChoice from "./DoubleChoice.svelte";
import TerrainFacts from "./TerrainFacts.svelte";

export default {
  scenes: { double: DoubleChoice },
  TrackFacts: TerrainFacts,
  owned: (track, view) => (view.doubled.includes(track.id) ? t("game.track.doubled") : null),
} satisfies ScenePart;
