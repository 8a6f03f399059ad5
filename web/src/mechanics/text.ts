/** What the mechanics add to the text view. */
import { inOrder } from "./index.ts";
import type { TextPart } from "./types.ts";

export const TEXT = inOrder(import.meta.glob<TextPart>("./*/text.ts", { eager: true, import: "default" }));
