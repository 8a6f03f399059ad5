/** What stations lend, and what one in a city would do for the reader's tickets. */
import { list, t } from "../../i18n/index.svelte.ts";
import type { Screen } from "../../table/screen.svelte.ts";
import { helpWords } from "../../table/words.ts";
import type { LoanHelpWire } from "../../wire.ts";

export const stationHelp = (screen: Screen, place: string): LoanHelpWire | null =>
  screen.client.advice?.loans.find((help) => help.place === place) ?? null;

/** "borrows Budapest–București". */
export const loanWords = (screen: Screen, tracks: string[]): string =>
  t("game.aid.borrows", { tracks: list(tracks.map((track) => screen.names.track(track))) });

/** "borrows Budapest–București: completes Berlin–București". */
export const stationWords = (screen: Screen, help: LoanHelpWire): string =>
  `${loanWords(screen, [help.track])}: ${help.helps.map((one) => helpWords(screen, one)).join("; ")}`;
