/** How a seat looks: one of five looks (colour, outline, pattern). Everything that draws a seat asks here, never the bare number. */
import { getContext, setContext } from "svelte";
import { t } from "../i18n/index.svelte.ts";

type Chosen = { name?: string; colour?: number };
const KEY = Symbol("seats");

/** The look of a seat among these; without a choice the seat's own number. */
export const lookOf = (seats: readonly Chosen[] | undefined, seat: number): number => seats?.[seat]?.colour ?? seat;

/** The word for a look: "blue". */
export const lookName = (look: number): string => t(`common.seat.${look}`);

/** Said once by whatever shows a table: the components in it draw its seats in the colours chosen there. */
export function provideSeats(seats: () => readonly Chosen[] | undefined): void {
  setContext(KEY, seats);
}

/** From a seat to its look, for the components of a table; elsewhere the seat's own number. */
export function seatLooks(): (seat: number) => number {
  const seats = getContext<(() => readonly Chosen[] | undefined) | undefined>(KEY);
  return (seat) => lookOf(seats?.(), seat);
}
