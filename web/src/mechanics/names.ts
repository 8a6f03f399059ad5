/** What the mechanics call their things. */
import { inOrder } from "./index.ts";
import type { NamesPart } from "./types.ts";

export const NAMES = inOrder(import.meta.glob<NamesPart>("./*/names.ts", { eager: true, import: "default" }));
