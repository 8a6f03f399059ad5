/** The words a player can type beside verbs, in all our languages at once, and how typed names find their places. */
import type { Names } from "../lib/names.ts";

const NOT_DECOMPOSED: Record<string, string> = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i" };

/** Text without capitals, accents and punctuation, one blank between words. */
export function folded(text: string): string {
  const bare = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[øłđßæœı]/gu, (c) => NOT_DECOMPOSED[c] ?? c);
  return bare.replace(/[^a-z0-9]+/gu, " ").trim();
}

const COLOURS: Record<string, string> = {
  purple: "purple,p,pink,violet,mov,roxo,roxa,roxas,roxos",
  blue: "blue,b,albastru,albastra,albastre,azul,azuis",
  orange: "orange,o,portocaliu,portocalie,portocalii,laranja,laranjas",
  white: "white,w,alb,alba,albe,branco,branca,brancas,brancos",
  green: "green,g,verde,verzi,verdes",
  yellow: "yellow,y,galben,galbena,galbene,amarelo,amarela,amarelas,amarelos",
  black: "black,negru,neagra,negre,preto,preta,pretas,pretos",
  red: "red,r,rosu,rosie,rosii,vermelho,vermelha,vermelhas,vermelhos",
  loco: "loco,locos,l,locomotive,locomotives,locomotiva,locomotivas,wild,joker,jokers,coringa,coringas",
};
const COLOUR_OF = new Map(
  Object.entries(COLOURS).flatMap(([card, words]) => words.split(",").map((word): [string, string] => [word, card])),
);
const DECK = new Set(["deck", "blind", "pachet", "pachetul", "monte", "baralho"]);
const ALL = new Set(["all", "both", "everything", "toate", "todos", "tudo", "ambos"]);
const AND = new Set(["and", "si", "e"]);
/** Words that say nothing. */
const FILLERS = new Set(
  (
    "to,and,from,with,using,the,of,for,at,in,card,cards,please,place," +
    "cu,din,spre,la,de,pe,carte,cartea,locul,pozitia,com,do,da,em,para,carta,posicao"
  ).split(","),
);

/** The card a word means: its name, or a beginning of at least three letters. */
export function colourOf(word: string): string | null {
  const exact = COLOUR_OF.get(word);
  if (exact || word.length < 3) return exact ?? null;
  const found = new Set([...COLOUR_OF].filter(([name]) => name.startsWith(word)).map(([, card]) => card));
  return found.size === 1 ? [...found][0]! : null;
}
export const isDeck = (word: string) => DECK.has(word);
export const isAll = (word: string) => ALL.has(word);
export const isAnd = (word: string) => AND.has(word);
export const isFiller = (word: string) => FILLERS.has(word);
export const isNumber = (word: string) => /^\d{1,2}$/u.test(word);
export const isLoco = (word: string) => COLOUR_OF.get(word) === "loco";

/** What cities are called by people who do not live there. */
const EXONYMS: Record<string, string> = {
  athina: "athens,atena,atenas",
  bruxelles: "brussels,bruxelas",
  bucuresti: "bucharest,bucareste",
  budapest: "budapesta,budapeste",
  constantinople: "istanbul,constantinopol,constantinopla",
  danzig: "gdansk",
  edinburgh: "edimburgo",
  kharkov: "kharkiv,harkov,carcovia",
  kobenhavn: "copenhagen,copenhaga,copenhague",
  kyiv: "kiev",
  lisboa: "lisbon,lisabona",
  london: "londra,londres",
  marseille: "marsilia,marselha",
  moskva: "moscow,moscova,moscovo,moscou",
  munchen: "munich,munique",
  petrograd: "saint petersburg,petersburg,petrogrado",
  roma: "rome",
  stockholm: "estocolmo",
  venezia: "venice,venetia,veneza",
  warszawa: "warsaw,varsovia",
  wien: "vienna,viena",
  wilno: "vilnius",
  zagrab: "zagreb",
  zurich: "zurique",
  smyrna: "izmir,esmirna",
  angora: "ankara,ancara",
  berlin: "berlim",
  moscow: "moskva",
  francia: "france,franta,franca",
  sevilla: "seville,sevilha",
  a_coruna: "corunna,corunha",
  zaragoza: "saragossa",
  cadiz: "cadis",
  new_york: "nova iorque,nova york",
  cape_town: "cidade do cabo",
  saint_louis: "st louis",
};

const EXACT = 0,
  INITIALS = 1,
  BEGINNING = 2,
  INSIDE = 3;

/** Looks up typed words among the places of a map. */
export class Places {
  readonly #names: { id: string; words: string[] }[] = [];
  readonly vocabulary: string[];

  constructor(names: Names) {
    for (const place of names.places.values()) {
      const spellings = new Set(
        [place.name, place.id, place.label, ...(EXONYMS[place.id] ?? "").split(",")].map(folded),
      );
      for (const text of spellings)
        if (text) this.#names.push({ id: place.id, words: text.split(" ").filter((word) => !isFiller(word)) });
    }
    this.vocabulary = [...new Set(this.#names.flatMap((name) => name.words).filter((word) => word.length > 2))];
  }

  /** The places these words can mean, with how well they fit (0 is best). */
  ranks(words: readonly string[]): Map<string, number> {
    const found = new Map<string, number>();
    if (!words.length) return found;
    for (const { id, words: name } of this.#names) {
      const rank = fit(words, name);
      if (rank !== null && rank < (found.get(id) ?? INSIDE + 1)) found.set(id, rank);
    }
    return found;
  }

  /** The places that fit best, none if nothing fits. */
  best(words: readonly string[]): string[] {
    const ranks = this.ranks(words);
    const least = Math.min(...ranks.values());
    return [...ranks].filter(([, rank]) => rank === least).map(([id]) => id);
  }
}

function fit(words: readonly string[], name: readonly string[]): number | null {
  if (words.join(" ") === name.join(" ")) return EXACT;
  if (words.length === 1 && name.length > 1 && words[0] === name.map((word) => word[0]).join("")) return INITIALS;
  for (let start = 0; start + words.length <= name.length; start++) {
    if (words.every((word, i) => name[start + i]!.startsWith(word))) return start ? INSIDE : BEGINNING;
  }
  return null;
}

/** The known word most like an unknown one, if any is like it. */
export function nearest(word: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const other of known) {
    const distance = Math.abs(other.length - word.length) < least ? edits(word, other) : least;
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

/** How many letters must be changed, added, left out or swapped with their neighbour to make one word of the other. */
function edits(a: string, b: string): number {
  let before: number[] = [],
    row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
