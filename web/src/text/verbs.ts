/** The verbs a player can type, in all our languages at once: the core's, and those of the mechanics. */
import { TEXT } from "../mechanics/text.ts";
import type { VerbPart } from "../mechanics/types.ts";

export type Verb =
  | "draw"
  | "take"
  | "tickets"
  | "claim"
  | "keep"
  | "return"
  | "locos"
  | "pass"
  | "undo"
  | "hand"
  | "table"
  | "players"
  | "mine"
  | "track"
  | "menu"
  | "now"
  | "log"
  | "help";

const LONGEST_VERB = 3; // words

/** English first, then Romanian, then Portuguese; folded. */
const VERBS: Record<Verb, string> = {
  draw: "draw,d,pick,trage,trag,tragi,iau,biscar,bisca,bisco,tirar,tira,tiro,pegar,pega,pego,comprar,compra,compro",
  take: "take,ia,iei,escolher,escolhe,escolho,levar,leva,levo",
  tickets: "tickets,ticket,draw tickets,new tickets,dt,bilete,bilet,bilete noi,bilhetes,bilhete,novos bilhetes",
  claim:
    "claim,c,revendica,revendic,revendici,ocupa,ocup,ocupi,conquistar,conquista,conquisto,reivindicar,reivindica,reivindico,ocupar,reclamar",
  keep: "keep,k,pastreaza,pastrez,pastrezi,tin,ficar com,ficar,fico com,fico,guardar,guarda,guardo,manter",
  return: "return,bottom,inapoiaza,inapoiez,la baza,baza,fund,devolver,devolvo,fundo",
  locos: "locos,loco,locomotives,locomotive,locomotiva,locomotivas",
  pass: "pass,paseaza,pasez,pas,passar,passo,passa",
  undo: "undo,u,back,inapoi,anuleaza,anulez,desfazer,anular",
  hand: "hand,cards,my cards,mana,carti,cartile mele,mao,cartas,minhas cartas,as minhas cartas",
  table: "table,display,masa,la vedere,mesa,cartas a vista,cartas abertas",
  players: "players,player,score,scores,points,jucatori,scor,puncte,jogadores,placar,pontos",
  mine: "mine,my tickets,biletele mele,meus bilhetes,os meus bilhetes",
  track: "track,tracks,ruta,rute,rutele,linie,linia,linii,rota,rotas,linha,linhas",
  menu: "menu,m,offers,options,meniu,optiuni,opcoes",
  now: "now,status,look,repeat,again,acum,situatie,agora,situacao",
  log: "log,news,jurnal,registo,historico",
  help: "help,h,ajutor,ajuda",
};

/** The verbs of the mechanics, by their names in the notation. */
export const OWN_VERBS = new Map(TEXT.flatMap(({ verbs }) => Object.entries(verbs ?? {})));

/** The mechanic's verb that a line of the notation begins with, and the words after it; a longer verb wins. */
export function ownVerb(line: string): { own: VerbPart; rest: string[] } | null {
  const words = line.split(" ");
  for (let n = Math.min(LONGEST_VERB, words.length); n; n--) {
    const own = OWN_VERBS.get(words.slice(0, n).join(" "));
    if (own) return { own, rest: words.slice(n) };
  }
  return null;
}

const spelt = (verb: string, words: string) => words.split(",").map((word): [string, string] => [word, verb]);
const SPELLINGS = new Map([
  ...Object.entries(VERBS).flatMap(([verb, words]) => spelt(verb, words)),
  ...[...OWN_VERBS].flatMap(([verb, { spellings }]) => (spellings ? spelt(verb, spellings) : [])),
]);

/** The verb a folded line begins with, of how many words it is, and the words after it; longer spellings win. */
export function verbOf(words: readonly string[]): { verb: string; n: number; rest: string[] } | null {
  for (let n = Math.min(LONGEST_VERB, words.length); n; n--) {
    const verb = SPELLINGS.get(words.slice(0, n).join(" "));
    if (verb) return { verb, n, rest: words.slice(n) };
  }
  return null;
}

export const VERB_WORDS = [...SPELLINGS.keys()].filter((word) => word.length > 2 && !word.includes(" "));
