/** Single keys of the game screen (WCAG 2.1.4: they can be switched off, and never act while something is typed). */
import { settings } from "../lib/settings.svelte.ts";
import { TABLE } from "../mechanics/table.ts";
import type { Screen } from "./screen.svelte.ts";

const TYPING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]";

export function onKey(event: KeyboardEvent, screen: Screen): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || screen.dialog) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.matches(TYPING)) return;
  if (event.key === "Escape") {
    screen.refusal = null;
    screen.alone = null;
    if (!screen.staged) screen.clear();
    if (screen.sheet || screen.filter) screen.rest();
    return;
  }
  // On the board letters find cities and Enter chooses the track in focus.
  if (!settings.shortcuts || (target.closest('[data-tour="board"]') && !/^[1-9]$/.test(event.key))) return;
  if (act(event.key, target, screen)) event.preventDefault();
}

function act(key: string, target: Element, screen: Screen): boolean {
  const line = lineOf(key, screen);
  if (line) void screen.play([line]);
  else if (key === "Enter") return confirm(target);
  else if (key === "?") screen.dialog = "help";
  else if (key.toLowerCase() === "t" && screen.offers.tickets) screen.draw("tickets", settings.confirm);
  else if (key.toLowerCase() === "c" && screen.open) screen.toggle("claims");
  else if (pressed(key.toLowerCase(), screen)) return true;
  else if (key.toLowerCase() === "n") screen.nextAlone();
  else if (key.toLowerCase() === "p" && screen.mine) screen.together = !screen.together;
  else if (key.toLowerCase() === "l" && screen.mine) settings.set("litAll", !settings.litAll);
  else if (key.toLowerCase() === "u" && screen.client.undo) void screen.undo();
  else return false;
  return true;
}

/** Whether a mechanic had something to do for the key. */
const pressed = (key: string, screen: Screen): boolean =>
  TABLE.flatMap((part) => part.keys ?? []).some((one) => one.key === key && one.press(screen));

function lineOf(key: string, screen: Screen): string | null {
  if (/^[1-9]$/.test(key)) return screen.offers.display.get(Number(key)) ?? null;
  return key.toLowerCase() === "d" ? screen.offers.deck : null;
}

/** Enter presses the main button of what is open, unless a control of its own has the focus. */
function confirm(target: Element): boolean {
  if (target.matches("button, a, input, summary")) return false;
  const button = document.querySelector<HTMLButtonElement>("[data-confirm]:not(:disabled)");
  button?.click();
  return button !== null;
}
