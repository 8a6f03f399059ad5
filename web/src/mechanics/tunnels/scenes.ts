/** What a tunnel asks, and what is said about it before it is tried. */
import { t } from "../../i18n/index.svelte.ts";
import type { ScenePart } from "../types.ts";
import TunnelFacts from "./TunnelFacts.svelte";
import TunnelScene from "./TunnelScene.svelte";

export default {
  scenes: { tunnel: TunnelScene },
  TrackFacts: TunnelFacts,
  confirm: (track) => (track.tunnel ? t("game.claim.try") : null),
} satisfies ScenePart;
