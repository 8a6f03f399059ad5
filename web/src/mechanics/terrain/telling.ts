/** How terrain cards are told. */
import type { TellingPart } from "../types.ts";

export default {
  symbols: { terrain: (id) => `#terrain-${id}` },
  quiet: ["TerrainFilled"],
} satisfies TellingPart;
