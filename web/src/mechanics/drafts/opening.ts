/** What a draft asks, the first of them before anybody has had a turn. */
import type { OpeningPart } from "../types.ts";
import Draft from "./Draft.svelte";

export default { draft: Draft } satisfies OpeningPart;
