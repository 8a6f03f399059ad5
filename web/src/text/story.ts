/** Events as a story: by turns for the log, in few sentences for those who listen. */
import { list, t } from "../i18n/index.svelte.ts";
import { first } from "../mechanics/index.ts";
import { TELLING } from "../mechanics/telling.ts";
import type { DisplayFilled, EventWire, StepWire } from "../wire.ts";
import { blindly, cards, partsOf, plain, tell, type Telling } from "./words.ts";

/** "start", "turn", "end", or what a mechanic tells apart between the turns. */
export type Chapter = string;
export interface Line {
  event: EventWire;
  by: string;
}
/** What belongs together in the log: a turn, or what comes before, between and after the turns. */
export interface Turn {
  key: string;
  chapter: Chapter;
  number: number;
  seat: number | null;
  lines: Line[];
}

/** The history by turns; a turn that has only begun has no lines yet. */
export function turnsOf(steps: readonly StepWire[]): Turn[] {
  const turns: Turn[] = [];
  let number = 0;
  const open = (chapter: Chapter, seat: number | null, n = 0) => {
    turns.push({ key: `${chapter}-${turns.length}`, chapter, number: n, seat, lines: [] });
  };
  open("start", null);
  for (const step of steps) {
    for (const event of step.events) {
      if (event.kind === "TurnBegan") {
        open("turn", event.seat, ++number);
        continue;
      }
      const own = number ? first(TELLING, (part) => part.chapter?.(event)) : null;
      if (own) open(own, null);
      if (event.kind === "GameEnded") open("end", null);
      turns.at(-1)!.lines.push({ event, by: step.by });
    }
  }
  return turns.filter((turn) => turn.lines.length || turn.chapter === "turn");
}

/** What a listener need not hear: it is told in another way, or says nothing. */
const silent = (event: EventWire, me: number | null) =>
  event.kind === "TurnBegan" ||
  (event.kind === "ChoiceMade" && event.seat === me) ||
  TELLING.some((part) => part.silent?.(event));

/** The events in as few sentences as tell them; whose turn comes next is not among them. */
export function retell(events: readonly EventWire[], to: Telling): string[] {
  const told: string[] = [];
  let drawn: { place: number; at: number } | null = null;
  let blind: { seat: number; at: number; n: number } | null = null;
  let filled: DisplayFilled[] = [];
  const flush = () => {
    told.push(...display(filled, to));
    filled = [];
  };
  for (const event of events) {
    if (silent(event, to.me)) continue;
    if (event.kind === "DisplayFilled") {
      if (drawn && drawn.place === event.place) {
        told[drawn.at] += ` ${plain(partsOf(t("log.instead", { card: cards(event.card) })))}`;
        drawn = null;
      } else filled.push(event);
      continue;
    }
    flush();
    if (blind && event.kind === "DrewBlind" && !event.card && event.seat === blind.seat) {
      told[blind.at] = plain(blindly(event, ++blind.n, to));
      continue;
    }
    told.push(plain(tell(event, to)));
    blind = event.kind === "DrewBlind" && !event.card ? { seat: event.seat, at: told.length - 1, n: 1 } : null;
    if (event.kind === "DrewCard") drawn = { place: event.place, at: told.length - 1 };
  }
  flush();
  return told;
}

/** Cards turned up one after the other: all of a new display in one sentence. */
function display(filled: DisplayFilled[], to: Telling): string[] {
  if (filled.length < 5) return filled.map((event) => plain(tell(event, to)));
  const latest = new Map(filled.map((event) => [event.place, event.card]));
  return [t("log.new_display", { cards: list([...latest.values()].map((card) => t(`thing.colour.${card}`))) })];
}
