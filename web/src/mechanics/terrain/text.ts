/** Terrain in the text view: drawing the cards, doubling by them, who has which. */
import { list, t, tn } from "../../i18n/index.svelte.ts";
import type { Names } from "../../lib/names.ts";
import { isDeck, isFiller, isNumber } from "../../text/lexicon.ts";
import { counted, move, say, type Context, type Reading } from "../../text/reading.ts";
import { thing } from "../../text/telling.ts";
import { mark } from "../../text/words.ts";
import type { TextPart } from "../types.ts";

const SPELLINGS = "terrain,teren,terreno";
const KINDS: Record<string, string> = {
  desert: "desert",
  deserto: "desert",
  jungle: "jungle",
  jungla: "jungle",
  selva: "jungle",
  mountain: "mountain",
  munte: "mountain",
  montanha: "mountain",
};

/** "a desert card", "2 desert cards". */
const terrains = (id: string, names: Names, n = 1) => thing("terrain", id, { names, seats: [], me: null }, n);

/** "deck", a place, or the name of a terrain. */
function read(rest: string[], _: string, { view }: Context): Reading {
  const word = rest.find((each) => !isFiller(each));
  if (!word) return say("text.which_card");
  if (isDeck(word)) return move("terrain deck");
  if (isNumber(word)) return move(`terrain ${Number(word)}`);
  const kind = KINDS[word];
  if (!kind) return say("text.unknown", { word });
  const place = view.terrain_display.indexOf(kind) + 1;
  return place ? move(`terrain ${place}`) : say("text.no_card", { card: `thing.ground.${kind}` });
}

export default {
  verbs: {
    terrain: {
      spellings: SPELLINGS,
      group: "draw",
      read,
      words: ([place = ""], view, names) =>
        place === "deck"
          ? tn("text.offer.terrain_deck", view.terrain_deck)
          : t("text.offer.terrain", {
              card: terrains(view.terrain_display[Number(place) - 1] ?? "any", names),
              place,
            }),
    },
    double: {
      spellings: "double,dubleaza,dublez,dublu,duplicar,duplico,dobrar,dobro",
      group: "pay",
      read: (rest, _, context) => counted("double", rest, context),
      words: ([locos]) => (Number(locos) ? tn("text.offer.double_locos", Number(locos)) : t("text.offer.double")),
    },
    single: {
      spellings: "single,simplu,simples",
      group: "pay",
      read: () => move("single"),
      words: () => t("text.offer.single"),
    },
  },
  help: ({ terrain }) => (terrain.length ? ["terrain"] : []),
  drawn: (words, context) => {
    if (SPELLINGS.split(",").includes(words[0]!)) return read(words.slice(1), "", context);
    return words[0]! in KINDS ? read(words, "", context) : null;
  },
  table: ({ terrain_display, terrain_deck }, { terrain }) => {
    if (!terrain.length) return [];
    const open = terrain_display.map((id) => (id ? mark("terrain", id, t(`thing.ground.${id}`)) : t("text.empty")));
    return [t("text.terrain", { cards: list(open), n: terrain_deck })];
  },
  player: ({ terrain }, _, names) => Object.entries(terrain).flatMap(([id, n]) => (n ? [terrains(id, names, n)] : [])),
} satisfies TextPart;
