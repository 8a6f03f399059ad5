/** Whose festival cards are taken, and what is said about that before. */
import type { ScenePart } from "../types.ts";
import FestivalChoice from "./FestivalChoice.svelte";
import FestivalFacts from "./FestivalFacts.svelte";

export default { scenes: { festival: FestivalChoice }, TrackFacts: FestivalFacts } satisfies ScenePart;
