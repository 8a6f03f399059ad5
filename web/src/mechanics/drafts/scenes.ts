/** What a draft asks. */
import type { ScenePart } from "../types.ts";
import Draft from "./Draft.svelte";

export default { scenes: { draft: Draft } } satisfies ScenePart;
