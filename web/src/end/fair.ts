/**
 * The fair deal, computed again here: the same functions as branchline/fair.py. The game's seed has 63 bits, more
 * than a JavaScript number holds, so it is a string of digits.
 */
import type { OwnPart } from "../lib/api.ts";
import type { FairSeat, FairWire } from "../wire.ts";
import { hmac, joined, sha256 } from "./sha256.ts";

const TAG = "branchline fair deal 1: ";
const WORD = 2 ** 32;
const utf8 = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

/** One thing that was checked: what the server says, and what comes out here. */
export interface Check {
  id: "promise" | "commitment" | "yours" | "drawn" | "seed" | "order" | "sitting";
  ok: boolean;
  said: string;
  found: string;
}

export const toHex = (bytes: Uint8Array) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");

export function fromHex(text: string): Bytes {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error("not hexadecimal");
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** The parts with their lengths before them, so that nothing can be shifted from one into the next. */
function packed(purpose: string, ...parts: Bytes[]): Bytes {
  const counted = [utf8.encode(TAG + purpose), ...parts].flatMap((part) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    return [length, part];
  });
  return joined(...counted);
}

const mixed = (serverSeed: Bytes, purpose: string, table: string, seeds: string[]) =>
  hmac(serverSeed, packed(purpose, utf8.encode(table), ...seeds.map((seed) => utf8.encode(seed))));

/** What the server showed of its seed before anybody sat down. */
export async function commitment(serverSeed: Bytes): Promise<string> {
  return toHex(await sha256(packed("commitment", serverSeed)));
}

/** The seed of the game, 63 bits, in digits. */
export async function dealSeed(serverSeed: Bytes, table: string, seeds: string[]): Promise<string> {
  const bytes = await mixed(serverSeed, "deal", table, seeds);
  return (BigInt(`0x${toHex(bytes.slice(0, 8))}`) >> 1n).toString();
}

/** The seed of a chair whose browser gave none, counted in the order of sitting down. */
export async function serverSeatSeed(serverSeed: Bytes, table: string, place: number): Promise<string> {
  return toHex(await mixed(serverSeed, "seat", table, [String(place)]));
}

/** On which seat each plays, in the order of sitting down: a shuffle with every order equally likely. */
export async function seatOrder(serverSeed: Bytes, table: string, seeds: string[]): Promise<number[]> {
  const words = wordsOf(serverSeed, table, seeds);
  const order = seeds.map((_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = await below(i + 1, words);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** Numbers of 32 bits without end, eight from each block. */
async function* wordsOf(serverSeed: Bytes, table: string, seeds: string[]): AsyncGenerator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = await mixed(serverSeed, `order ${block}`, table, seeds);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/** A number from 0 to n - 1; words from the uneven rest at the top are thrown away. */
async function below(n: number, words: AsyncGenerator<number, never>): Promise<number> {
  for (;;) {
    const word = (await words.next()).value;
    if (word < WORD - (WORD % n)) return word % n;
  }
}

/** Every check that can be made now; `kept` is what this browser wrote down when it sat down. */
export async function checkFair(fair: FairWire, kept: OwnPart | null): Promise<Check[]> {
  const checks: Check[] = [];
  const add = (id: Check["id"], said: string, found: string) => checks.push({ id, ok: said === found, said, found });
  if (kept) add("promise", fair.commitment, kept.commitment);
  if (fair.server_seed === null) return checks;
  const seed = fromHex(fair.server_seed);
  const seeds = fair.seats.map((given) => given.seed);
  add("commitment", fair.commitment, await commitment(seed));
  if (kept) add("yours", seeds.find((given) => given === kept.seed) ?? "–", kept.seed);
  const ours = fair.seats.flatMap((given, i) => (given.by === "server" ? [i] : []));
  if (ours.length) {
    const expected = await Promise.all(ours.map((i) => serverSeatSeed(seed, fair.table, i)));
    add("drawn", ours.map((i) => (fair.seats[i] as FairSeat).seed).join("\n"), expected.join("\n"));
  }
  if (!fair.fixed_deal) add("seed", String(fair.seed), await dealSeed(seed, fair.table, seeds));
  const order = fair.drawn ? await seatOrder(seed, fair.table, seeds) : seeds.map((_, i) => i);
  const shown = (seats: number[]) => seats.map((seat) => seat + 1).join(" ");
  add(fair.drawn ? "order" : "sitting", shown(fair.seats.map((given) => given.seat)), shown(order));
  return checks;
}
