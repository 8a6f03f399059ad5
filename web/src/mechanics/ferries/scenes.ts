/** What is said of a ferry before it is claimed. */
import type { ScenePart } from "../types.ts";
import FerryFacts from "./FerryFacts.svelte";

export default { TrackFacts: FerryFacts } satisfies ScenePart;
