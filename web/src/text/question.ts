/** What a phase of the game asks of the reader, in one sentence: on the map it is called out, in the text view it is read. */
import { t } from "../i18n/index.svelte.ts";
import type { Names } from "../lib/names.ts";
import { first } from "../mechanics/index.ts";
import { TELLING } from "../mechanics/telling.ts";
import type { ViewWire } from "../wire.ts";
import { trackName } from "./words.ts";

export function question(view: ViewWire, offers: readonly string[], names: Names): string {
  if (offers[0]?.startsWith("return ")) return t("ask.return");
  const about = view.pending ?? first(TELLING, (part) => part.about?.(view)) ?? "";
  return t(`ask.${view.phase}`, { about: names.tracks.has(about) ? trackName(about, names) : names.any(about) });
}
