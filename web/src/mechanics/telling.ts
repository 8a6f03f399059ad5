/** How the mechanics' events are told. */
import { inOrder } from "./index.ts";
import type { TellingPart } from "./types.ts";

export const TELLING = inOrder(import.meta.glob<TellingPart>("./*/telling.ts", { eager: true, import: "default" }));
