/** Mail on the board: a bag where one lies, with its value if the reader has looked at it; a stamp where one is awaited. */
import { num, t, tn } from "../../i18n/index.svelte.ts";
import { Names } from "../../lib/names.ts";
import type { BagWire, MapFacts } from "../../wire.ts";
import type { BoardPart, PlaceMark } from "../types.ts";
import { carriedBy, isRead, valueOf, type Read } from "./bags.ts";

const points = (facts: MapFacts, label: string) => tn("common.points", valueOf(facts, label));

function lying(bag: BagWire, facts: MapFacts, names: Names): PlaceMark {
  if (!isRead(bag)) return { beside: "#bag", words: () => t("board.place.bag") };
  const words = t("board.place.bag_read", { place: names.place(bag.label), points: points(facts, bag.label) });
  return { beside: "#bag-read", note: num(valueOf(facts, bag.label)), words: () => words };
}

function goal({ place, label }: Read, facts: MapFacts, names: Names): PlaceMark {
  const words = t("board.place.bag_goal", { place: names.place(place), points: points(facts, label) });
  return { beside: "#stamp-bare", goal: true, note: num(valueOf(facts, label)), words: () => words };
}

export default {
  places: (facts, view) => {
    if (!view || !facts.mail_carry) return [];
    const names = new Names(facts);
    return [
      ...view.bags.map((bag): [string, PlaceMark] => [bag.place, lying(bag, facts, names)]),
      ...carriedBy(view, view.reader).map((bag): [string, PlaceMark] => [bag.label, goal(bag, facts, names)]),
    ];
  },
} satisfies BoardPart;
