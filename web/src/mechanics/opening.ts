/** The mechanics' questions before the first turn: loaded without those of the turns. */
import { inOrder } from "./index.ts";
import type { OpeningPart } from "./types.ts";

const PARTS = inOrder(import.meta.glob<OpeningPart>("./*/opening.ts", { eager: true, import: "default" }));
export const OPENING: OpeningPart = Object.assign({}, ...PARTS);
