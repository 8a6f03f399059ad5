/** What the mechanics add to a turn. */
import { inOrder } from "./index.ts";
import type { TablePart } from "./types.ts";

export const TABLE = inOrder(import.meta.glob<TablePart>("./*/table.ts", { eager: true, import: "default" }));
