/** Mail in the text view: taking a bag or leaving them, where bags lie, who carries how many. */
import { list, num, t, tn } from "../../i18n/index.svelte.ts";
import type { Names } from "../../lib/names.ts";
import { isFiller, isNumber } from "../../text/lexicon.ts";
import { move, say, type Context, type Reading } from "../../text/reading.ts";
import { mark, points } from "../../text/words.ts";
import type { BagWire, PlayerWire, ViewWire } from "../../wire.ts";
import type { TextPart } from "../types.ts";
import { isRead, valueOf } from "./bags.ts";
import { bagWords, mailPoints } from "./table.ts";

const TAKE = "take bag";
const placeName = (id: string, names: Names) => mark("place", id, names.place(id));

/** "cluj", "cluj for 2": the city, and the number of the bag that is laid down. */
function read(rest: string[], _: string, context: Context): Reading {
  const words = rest.filter((word) => !isFiller(word) && !isNumber(word) && word !== "pentru");
  const laid = rest.find(isNumber);
  const meant = context.places.ranks(words);
  const lines = context.offers.filter((line) => line.startsWith(`${TAKE} `));
  const fits = lines.filter((line) => meant.has(line.split(" ")[2]!) && (!laid || line.endsWith(` for ${laid}`)));
  if (fits.length === 1) return move(fits[0]!);
  const [place] = new Set(fits.length ? fits.map((line) => line.split(" ")[2]!) : context.places.best(words));
  if (!words.length) return say("text.which_place", { example: lines[0] ?? `${TAKE} brasov` });
  if (!place) return say("text.no_place", { word: words.join(" ") });
  if (fits.length) return say("text.which_bag", { example: `${TAKE} ${place} for 1` });
  return move(`${TAKE} ${place}${laid ? ` for ${Number(laid)}` : ""}`);
}

/** A line that takes a bag, in words: where it goes, what it brings, what is laid down for it. */
function words([place = "", , laid]: string[], view: ViewWire, names: Names): string {
  const label = view.bags.find((bag) => bag.place === place)?.label ?? place;
  const said = {
    place: placeName(place, names),
    label: placeName(label, names),
    points: points(valueOf(names.facts, label)),
  };
  const down = laid && view.players[view.reader ?? 0]?.carried[Number(laid) - 1];
  if (down) return t("text.offer.swap_bag", { ...said, laid: bagWords(down, names) });
  return t(view.bags_at_once.includes(place) ? "text.offer.bag_once" : "text.offer.bag", said);
}

/** Where bags lie: the cities without one, once that is the shorter way to say it. */
function lying(bags: readonly BagWire[], names: Names): string {
  if (!bags.length) return t("text.mail.none");
  const here = new Set(bags.map(({ place }) => place));
  const without = Object.keys(names.facts.mail).filter((place) => !here.has(place));
  if (!without.length) return t("text.mail.everywhere");
  const named = (places: Iterable<string>) => list([...places].map((place) => placeName(place, names)));
  return without.length < here.size
    ? t("text.mail.but", { places: named(without) })
    : t("text.mail.in", { places: named(here) });
}

function carriedWords({ carried, delivered, stamps }: PlayerWire, names: Names): string[] {
  const known = carried.map((bag, i) => `${num(i + 1)}\u00a0${bagWords(bag, names)}`).join("; ");
  const brought = tn("common.points", mailPoints(delivered));
  return [
    tn("game.player.bags", carried.length) + (known && ` (${known})`),
    ...(delivered.length ? [tn("game.bags.delivered", delivered.length, { points: brought })] : []),
    ...(stamps ? [tn("game.player.stamps", stamps)] : []),
  ];
}

export default {
  verbs: {
    [TAKE]: {
      spellings:
        "take bag,take the bag,take mail,mail,bag,ia sacul,ia sac,iau sacul,sac,sacul,levar saco,levo saco,leva saco,saco,levar malote,levo malote,leva malote,malote",
      group: "other",
      taken: "bare",
      read,
      words,
    },
    "leave bags": {
      spellings:
        "leave bags,leave bag,leave the bags,leave,lasa sacii,las sacii,lasa sacul,lasa,las,deixar sacos,deixo sacos,deixar malotes,deixo malotes,deixar,deixo,deixa",
      group: "other",
      read: () => move("leave bags"),
      words: () => t("text.offer.leave_bags"),
    },
  },
  help: ({ mail_carry }) => (mail_carry ? ["mail"] : []),
  table: ({ bags }, { mail_carry }, names) => {
    if (!mail_carry) return [];
    const known = bags.filter(isRead).map((bag) => bagWords(bag, names));
    return [lying(bags, names), ...(known.length ? [t("text.mail.known", { bags: known.join("; ") })] : [])];
  },
  player: (player, { mail_carry }, names) => (mail_carry ? carriedWords(player, names) : []),
} satisfies TextPart;
