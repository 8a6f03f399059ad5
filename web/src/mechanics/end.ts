/** What the mechanics add to the score, and to a replay. */
import { inOrder } from "./index.ts";
import type { EndPart } from "./types.ts";

export const END = inOrder(import.meta.glob<EndPart>("./*/end.ts", { eager: true, import: "default" }));
