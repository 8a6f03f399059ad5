/** The scenes and sheets of a game under way, by their names: loaded together once the first tickets are chosen, before they are needed. */
import { OPENING } from "../mechanics/opening.ts";
import { SCENES as PARTS } from "../mechanics/scenes.ts";
import type { ScenePart } from "../mechanics/types.ts";
import ClaimList from "./ClaimList.svelte";
import PayChoice from "./PayChoice.svelte";
import ReturnOrder from "./ReturnOrder.svelte";
import TrackSheet from "./TrackSheet.svelte";

/** What the game asks. */
export const SCENES: NonNullable<ScenePart["scenes"]> = Object.assign(
  { return: ReturnOrder, pay: PayChoice },
  OPENING,
  ...PARTS.map((part) => part.scenes),
);
/** What the reader opened. */
export const SHEETS: NonNullable<ScenePart["sheets"]> = Object.assign(
  { claims: ClaimList, track: TrackSheet },
  ...PARTS.map((part) => part.sheets),
);
