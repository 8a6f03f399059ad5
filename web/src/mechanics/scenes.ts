/** The mechanics' questions and sheets: loaded with those of the table, once a game is under way. */
import { inOrder } from "./index.ts";
import type { ScenePart } from "./types.ts";

export const SCENES = inOrder(import.meta.glob<ScenePart>("./*/scenes.ts", { eager: true, import: "default" }));
