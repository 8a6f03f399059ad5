/** A terrain by the name its map gives it, in the middle of a sentence. */
import type { NamesPart } from "../types.ts";

export default {
  terrain: (id, names) => names.facts.terrain.find((one) => one.id === id)?.name.toLowerCase() ?? id,
} satisfies NamesPart;
