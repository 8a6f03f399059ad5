/** The table a visitor has in mind: kept in the browser between visits, and turned into what the service is asked for. */
import { FIRST_LEVEL } from "../lib/bots.svelte.ts";
import { maps } from "../lib/maps.svelte.ts";
import type { ClockKind, ClockOption, NewTable, Order, SeatRequest } from "../wire.ts";

export const OPPONENTS = [1, 2, 3, 4] as const;
export const DAYS = [0.5, 1, 3, 7] as const;
export const POOLS = [5, 10, 15, 20, 30, 45, 60] as const; // minutes
export const INCREMENTS = [0, 5, 10, 15, 30, 60] as const; // seconds
/** The bot on a chair that nobody has decided about. */
export const USUAL_BOT = FIRST_LEVEL;

/** What stands at a chair: "me", "open", or a bot's id. */
export type Chair = string;

export interface TableChoice {
  map: string; // "" = the first there is
  level: string; // of the bots in a quick game, and on a chair that is added
  opponents: number; // bots in a quick game
  chairs: Chair[];
  colour: number; // of the visitor's pieces
  listed: boolean;
  order: Order;
  clock: ClockKind;
  minutes: number;
  increment: number;
  days: number;
  deal: string; // a chosen deal's number as typed; "" = drawn
}

export const DEFAULT: TableChoice = {
  map: "",
  level: USUAL_BOT,
  opponents: 2,
  chairs: ["me", "open", USUAL_BOT],
  colour: 0,
  listed: false,
  order: "drawn",
  clock: "none",
  minutes: 15,
  increment: 15,
  days: 1,
  deal: "",
};

const KEY = "newTable";

/** The latest choice; whatever is odd about it is replaced by the default. The deal is never kept: it is chosen anew. */
export function remembered(): TableChoice {
  let kept: Partial<TableChoice> = {};
  try {
    kept = (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Partial<TableChoice>;
  } catch {
    // a choice that cannot be read is none
  }
  const among = <T>(values: readonly T[], value: unknown, fallback: T) =>
    values.includes(value as T) ? (value as T) : fallback;
  const chairs =
    Array.isArray(kept.chairs) && kept.chairs.every((c) => typeof c === "string") ? kept.chairs : DEFAULT.chairs;
  return {
    map: maps.fit(typeof kept.map === "string" ? kept.map : DEFAULT.map),
    level: typeof kept.level === "string" ? kept.level : DEFAULT.level,
    opponents: among<number>(OPPONENTS, kept.opponents, DEFAULT.opponents),
    chairs: fitted(chairs, 2, 5),
    colour: among<number>([0, 1, 2, 3, 4], kept.colour, DEFAULT.colour),
    listed: kept.listed === true,
    order: among<Order>(["drawn", "fixed"], kept.order, "drawn"),
    clock: among<ClockKind>(["none", "live", "days"], kept.clock, "none"),
    minutes: among<number>(POOLS, kept.minutes, DEFAULT.minutes),
    increment: among<number>(INCREMENTS, kept.increment, DEFAULT.increment),
    days: among<number>(DAYS, kept.days, DEFAULT.days),
    deal: "",
  };
}

export function remember(choice: TableChoice): void {
  localStorage.setItem(KEY, JSON.stringify({ ...choice, deal: "" }));
}

/** The map chosen last, here or on the front page. */
export function rememberMap(map: string): void {
  remember({ ...remembered(), map });
}

export function rememberOpponents(opponents: number): void {
  remember({ ...remembered(), opponents });
}

/** The level chosen last, for the bots of the next game too. */
export function rememberLevel(level: string): void {
  const kept = remembered();
  remember({ ...kept, level, chairs: kept.chairs.map((chair) => (chair === kept.level ? level : chair)) });
}

/** As many chairs as a map takes, and the visitor on one of them. */
export function fitted(chairs: Chair[], least: number, most: number, bot: string = USUAL_BOT): Chair[] {
  const result = chairs.slice(0, most);
  while (result.length < least) result.push(bot);
  if (!result.includes("me")) result[0] = "me";
  return result.map((chair, i) => (chair === "me" && result.indexOf("me") !== i ? "open" : chair));
}

/** The same chairs, at least one of them free for a friend. */
export function withRoom(chairs: Chair[]): Chair[] {
  if (chairs.includes("open")) return chairs;
  const bot = chairs.findIndex((chair) => chair !== "me");
  return chairs.map((chair, i) => (i === bot ? "open" : chair));
}

/** The same chairs with two neighbours swapped. */
export function moved(chairs: Chair[], at: number, by: 1 | -1): Chair[] {
  const result = [...chairs];
  const [one, other] = [result[at], result[at + by]];
  if (one === undefined || other === undefined) return result;
  result[at] = other;
  result[at + by] = one;
  return result;
}

export function clockOf(choice: TableChoice): ClockOption {
  return { kind: choice.clock, pool: choice.minutes * 60, increment: choice.increment, days: choice.days };
}

/** The number of a chosen deal; null for none; undefined for what is no number. */
export function dealOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (!trimmed) return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}

export function requestOf(choice: TableChoice): NewTable {
  const open = choice.chairs.includes("open");
  const deal = dealOf(choice.deal) ?? null;
  return {
    map: choice.map,
    seats: choice.chairs.map((chair) => seat(chair, choice.colour)),
    listed: open && choice.listed && deal === null, // a chosen deal is for friends and practice
    order: choice.order,
    clock: clockOf(choice),
    seed: deal,
    start: !open,
  };
}

/** One click: this map, the visitor and so many bots of this level, begun at once. */
export function quickGame(map: string, level: string, opponents = DEFAULT.opponents): NewTable {
  return requestOf({
    ...DEFAULT,
    map,
    chairs: ["me", ...Array<Chair>(maps.opponents(map, opponents)).fill(level)],
    colour: remembered().colour,
  });
}

/** The same to look on: bots alone. */
export function watchedGame(map: string, level: string): NewTable {
  return requestOf({ ...DEFAULT, map, chairs: Array<Chair>(1 + maps.opponents(map, 2)).fill(level) });
}

function seat(chair: Chair, mine: number): SeatRequest {
  if (chair === "me") return { kind: "me", bot: null, colour: mine };
  return chair === "open" ? { kind: "open", bot: null } : { kind: "bot", bot: chair };
}
