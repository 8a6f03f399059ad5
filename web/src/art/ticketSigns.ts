/** The sign of a ticket: a letter on a plate whose shape, colour and dashes are its own. The same on the map and in the list. */

export interface TicketSign {
  id: string;
  letter: string;
  kind: number;
  done: boolean;
}

const KINDS = 6;
/** Dashes of the path, in lengths of the map; the first is a plain line. */
export const DASHES = ["", "9 5", "2.5 4.5", "14 4 2.5 4", "5 3", "16 6"];

const ring = (n: number, r: number, from: number) =>
  `${Array.from({ length: n }, (_, i) => {
    const turn = from + (2 * Math.PI * i) / n;
    return `${i ? "L" : "M"}${(Math.sin(turn) * r).toFixed(2)} ${(-Math.cos(turn) * r).toFixed(2)}`;
  }).join("")}Z`;

/** Plates about the middle, all of much the same size: circle, square, lozenge, hexagon, shield, octagon. */
export const PLATES = [
  "M-10 0A10 10 0 0 1 10 0A10 10 0 0 1-10 0Z",
  "M-9-9H9V9H-9Z",
  ring(4, 12.4, 0),
  ring(6, 11, 0),
  "M-9-9.5H9V1.5Q9 8 0 11Q-9 8-9 1.5Z",
  ring(8, 10.6, Math.PI / 8),
];

/** Signs for the tickets held, in the order in which they came: they keep their letters. */
export function signsOf(tickets: readonly string[], completed: readonly string[]): TicketSign[] {
  return tickets.map((id, i) => ({ id, letter: letterOf(i), kind: i % KINDS, done: completed.includes(id) }));
}

const letterOf = (i: number): string =>
  i < 26 ? String.fromCharCode(65 + i) : letterOf(Math.floor(i / 26) - 1) + letterOf(i % 26);
