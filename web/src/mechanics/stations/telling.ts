/** How a station is told. */
import type { TellingPart } from "../types.ts";

export default {
  left: (event) => (event.kind === "StationBuilt" ? event.place : null),
} satisfies TellingPart;
