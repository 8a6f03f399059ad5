/**
 * One word for one thing: what each thing is called in each language, and the words that were given up for it.
 * Where players know a word from the printed rules, it is that word. `docs/languages.md` shows the table.
 */
export const LANGUAGES = ["en", "ro", "pt-PT", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A thing and its name in English, Romanian, Portuguese of Portugal and of Brazil. */
export const WORDS: readonly (readonly [string, string, string, string])[] = [
  ["ticket", "bilet", "bilhete", "bilhete"],
  ["long, normal ticket", "bilet lung, normal", "bilhete longo, normal", "bilhete longo, normal"],
  ["completed, not completed", "realizat, nerealizat", "completo, incompleto", "completo, incompleto"],
  ["track", "rută", "rota", "rota"],
  ["double route", "rută dublă", "rota dupla", "rota dupla"],
  ["grey track", "rută gri", "rota cinzenta", "rota cinza"],
  ["space", "spațiu", "espaço", "espaço"],
  ["claim", "revendică", "conquistar", "conquistar"],
  ["join (cities)", "unește", "ligar", "ligar"],
  ["train (piece)", "vagon", "comboio", "vagão"],
  ["train card", "carte de tren", "carta de carruagem", "carta de trem"],
  ["locomotive", "locomotivă", "locomotiva", "locomotiva"],
  ["deck", "pachet", "monte", "baralho"],
  ["display", "la vedere", "cartas abertas", "cartas abertas"],
  ["place of the display", "poziția", "posição", "posição"],
  ["draw", "trage", "biscar", "comprar"],
  ["take (a card one sees)", "ia", "biscar", "pegar"],
  ["take (festival cards)", "ia", "levar", "levar"],
  ["take (in a draft)", "ia", "escolher", "pegar"],
  ["keep (tickets)", "păstrează", "guardar", "ficar com"],
  ["return (tickets)", "înapoiază", "devolver", "devolver"],
  ["bottom of the deck", "baza pachetului", "fundo do monte", "fundo do baralho"],
  ["discard", "decartează", "descartar", "descartar"],
  ["your turn (whose)", "rândul tău", "a tua vez", "a sua vez"],
  ["turn (counted)", "tură", "turno", "turno"],
  ["round", "rundă", "ronda", "rodada"],
  ["longest path", "cel mai lung traseu", "maior rota contínua", "caminho mais longo"],
  ["way (to build)", "drum", "caminho", "caminho"],
  ["tunnel", "tunel", "túnel", "túnel"],
  ["give up (a tunnel)", "renunță", "desistir", "desistir"],
  ["ferry", "feribot", "ferry", "balsa"],
  ["station", "gară", "estação", "estação"],
  ["way station", "haltă", "apeadeiro", "parada"],
  ["festival city", "oraș cu festival", "cidade com festival", "cidade com festival"],
  ["set (of festivals)", "set", "coleção", "coleção"],
  ["draft", "draft", "draft", "draft"],
  ["pack (in a draft)", "teanc", "maço", "maço"],
  ["terrain card", "carte de teren", "carta de terreno", "carta de terreno"],
  ["double (points)", "dublează", "duplicar", "dobrar"],
  ["map", "hartă", "mapa", "mapa"],
  ["dead end", "capăt de linie", "fim de linha", "fim de linha"],
  ["game (one match)", "joc", "partida", "partida"],
  ["move", "mutare", "jogada", "jogada"],
  ["table", "masă", "mesa", "mesa"],
  ["seat", "loc", "lugar", "lugar"],
  ["host", "gazdă", "quem criou a mesa", "quem criou a mesa"],
  ["watching", "privești", "a assistir", "assistindo"],
  ["bot", "bot", "bot", "bot"],
  ["in real time", "în timp real", "em tempo real", "em tempo real"],
  ["rematch", "revanșă", "desforra", "revanche"],
  ["replay", "reluare", "repetição", "replay"],
  ["undo", "anulează", "desfazer", "desfazer"],
  ["log", "jurnal", "histórico", "histórico"],
  ["record (file)", "fișierul jocului", "registo", "registro"],
  ["link", "link", "link", "link"],
  ["connection", "conexiune", "ligação", "conexão"],
  ["settings", "setări", "definições", "configurações"],
  ["quick phrases", "fraze gata făcute", "frases prontas", "frases prontas"],
  ["highlighted (on the map)", "evidențiat", "destacado", "destacado"],
  ["blind", "pe nevăzute", "às cegas", "às cegas"],
  ["shuffle", "amestecă", "baralhar", "embaralhar"],
  ["deal", "împărțire", "distribuição", "distribuição"],
  ["hand", "mână", "mão", "mão"],
  ["play (cards)", "joacă", "jogar", "jogar"],
  ["pass (a turn)", "pasează", "passar", "passar"],
  ["player", "jucător", "jogador", "jogador"],
  ["points", "puncte", "pontos", "pontos"],
  ["Globetrotter", "Globetrotter", "Globetrotter", "Globetrotter"],
  ["extra cards (of a tunnel)", "cărți în plus", "cartas a mais", "cartas extras"],
  ["festival card", "carte de festival", "carta de festival", "carta de festival"],
  ["desert, jungle, mountain", "deșert, junglă, munte", "deserto, selva, montanha", "deserto, selva, montanha"],
  ["mail", "poștă", "correio", "correio"],
  ["mail bag", "sac poștal", "saco de correio", "malote"],
  ["deliver (a mail bag)", "livrează", "entregar", "entregar"],
  ["label (of a mail bag)", "etichetă", "etiqueta", "etiqueta"],
  ["stamp", "timbru", "selo", "selo"],
  ["city, country", "oraș, țară", "cidade, país", "cidade, país"],
  ["tie", "egalitate", "empate", "empate"],
  ["win", "câștigă", "ganha", "vence"],
  ["guest", "oaspete", "visitante", "visitante"],
  ["clock", "ceas", "relógio", "relógio"],
  ["plan (for turns to come)", "plan", "plano", "plano"],
  ["curtain (between turns)", "cortină", "cortina", "cortina"],
  ["notice (of one's turn)", "notificare", "aviso", "aviso"],
  ["mail (to an address)", "e-mail", "e-mail", "e-mail"],
];

/** A word that was given up, what to say instead, and what stays allowed: a stock phrase, a message, a key. */
export interface Retired {
  found: RegExp;
  say: string;
  /** Stock phrases, taken out of the text before it is searched. */
  but?: RegExp;
  /** Messages the word may stand in, by what else they hold. */
  unless?: RegExp;
  /** Keys the word may stand under. */
  keys?: RegExp;
}

/** Whole words, however they bend; JavaScript's own word boundary knows no accents. */
const word = (forms: string) => new RegExp(`(?<![\\p{L}])(?:${forms})(?![\\p{L}])`, "iu");
const old = (forms: string, say: string, more: Omit<Retired, "found" | "say"> = {}): Retired => ({
  found: word(forms),
  say,
  ...more,
});

const END_OF_LINE = /fim d[ae] linha|linha de comandos?/giu;
/** The game as such, its rules, its box, its table; a match is a partida. */
const THE_GAME = new RegExp(
  "jogos? (?:de tabuleiro|impressos?|em caixa|desleal)|(?:ordem|mesa) de jogo|bom jogo|(?:é|conhece|conheces|consiste) o jogo|regras do jogo|o jogo impresso",
  "giu",
);
const PORTUGUESE: readonly Retired[] = [
  old("linhas?", "rota", { but: END_OF_LINE }),
  old("percursos?", "rota"),
  old("cumprid[oa]s?|por cumprir|a cumprir", "completo"),
  old("bilhetes? (?:não )?ligad[oa]s?|lig(?:ar|ou|a) (?:um|os|o) bilhetes?", "completo"),
  old("robôs?", "bot"),
  old("festas?", "festival"),
  old("cidades? de festival", "cidade com festival"),
  old("tabuleiros?", "mapa", { but: /jogo de tabuleiro/giu }),
  old("jogos?", "partida", { but: THE_GAME, keys: /^(?:game\.tab\.play|shell\.set\.play)$/u }),
  old(
    "\\{\\w+\\} vez(?:es)?|vez \\{\\w+\\}|(?:dez|última|primeira|mais uma|nesta|desta|noutra|cada|por) vez(?:es)?",
    "turno",
    {
      but: /décima primeira vez|de cada vez|desta vez no/giu,
    },
  ),
  old("anfitri(?:ão|ã|ões|ãs)", "quem criou a mesa"),
  old("espectador(?:es|a|as)?", "quem assiste, a assistir"),
  old("em direto|ao vivo", "em tempo real"),
  old("frases (?:feitas|rápidas)", "frases prontas"),
  old("aces[oa]s?|acend\\p{L}+|iluminad[oa]s?", "destacado"),
  old("sentad[oa]s?", "ter lugar"),
  old("obrigad[oa]s?", "agradecer"),
  old("notificaç(?:ão|ões)", "aviso", { but: /“Notificações”/gu }), // what browsers call it in their settings
  old("empatad[oa]s?", "quem empata, em empate"),
  old("vizinh[oa]s?|um amigo|uma amiga", "lugar seguinte, lugar livre"),
  old("os separa|separá-los|os poderia separar", "desempate: …"),
  old("un(?:ir|e|es|em|ires|iria|iriam|id[oa]s?)", "ligar", { but: /Estados Unidos/gu }),
];

export const RETIRED: Record<Language, readonly Retired[]> = {
  en: [
    old("gr[a]ys?", "grey"),
    old("notifications?|push messages?", "notice", { but: /“Notifications”/gu }),
    old("chairs?", "seat"),
    old("lit|lights? up", "highlighted"),
    old("boards?", "map", { but: /board games?/giu }),
    old("declin(?:e|es|ed|ing)", "give up"),
    old("tickets? (?:not )?(?:joined|done|connected)|(?:join|connect)(?:s|ed)? (?:its|a|your) tickets?", "completed"),
    old("takes? (?:a|the|\\{card\\}|\\{n\\})(?: \\p{L}+)? ?(?:cards? )?from the (?:terrain )?deck", "draw"),
  ],
  ro: [
    old("lini(?:e|a|i|ile|ilor|ei)", "rută", { but: /capăt(?:ul)? de linie|lini[ae] de comandă/giu }),
    old("ocup(?:ă|i|a|at|ată|ate|area|are|ând)", "revendică", {
      unless: /(?<!\p{L})loc(?:ul|uri|urile|ului|urilor)?(?!\p{L})/iu,
    }),
    old("trase(?:u|e) dubl[ue]", "rută dublă"),
    old("drum(?:ul|uri)? (?:neîntrerupt|continuu)|cel mai lung drum", "cel mai lung traseu"),
    old("ne?îndeplinit[ăe]?|îndeplin\\p{L}*", "realizat"),
    old("(?:bilet\\p{L}*) (?:ne)?(?:unit|unite|legat|legate)|leagă biletele", "realizat"),
    old("bilet\\p{L}* obișnuit\\p{L}*|celor obișnuite", "normal"),
    old("scaun\\p{L}*", "loc"),
    old("relief\\p{L}*", "teren"),
    old("robot\\p{L}*|roboți\\p{L}*", "bot"),
    old("stați(?:e|a|i|ile|ilor|ei)", "gară"),
    old("la fund(?:ul)?", "la baza pachetului"),
    old("tabl(?:ă|a|ei)(?: de joc)?", "hartă"),
    old("rândul \\{n\\}|\\{n\\} (?:de )?rând(?:uri)?|rânduri|(?:primul|ultimul|un) rând", "tură"),
    old("locul \\{(?:place|n)\\} de la vedere|pe locul \\{place\\}|locul \\{place\\}: ", "poziția"),
    old("neconectat[ăe]?|plecat[ăe]?", "fără conexiune", { but: /au plecat/giu }),
    old("fără legătură|legătura s-a", "conexiune"),
    old("expresi(?:e|i|a|ile)|vorbe gata", "fraze gata făcute"),
    old("aprins[ăe]?|aprind[ăe]|luminat[ăe]?", "evidențiat"),
    old("în direct", "în timp real"),
    old("hotărâr\\p{L}*|hotărăș\\p{L}*|hotărăsc", "decizie, decide"),
    old("la schimb", "prin draft"),
    old("vedere[a]? text", "modul text"),
    old("vecin\\p{L}*|un prieten", "locul următor, loc liber"),
    old("cel(?:ui)? (?:cu|care)|cei (?:care|încă|din)", "cine …"),
    old("singur", "chiar tu", { but: /un(?:ui|ul)? singur|de unul singur|o? ?singur lucru/giu }),
    old("i-ar (?:putea )?despărți", "departajare: …"),
    old("mesaj\\p{L}*", "e-mail", { keys: /^(?!shell\.call\.|said\.mail|said\.no_mail)/u }),
    old("sac(?:ul|ii|i)? de poștă|săculeț\\p{L}*", "sac poștal"),
  ],
  "pt-PT": [
    ...PORTUGUESE,
    old("baralhos?", "monte"),
    old("tir(?:ar|a|as|o|am|e|es|ou|aste|ares|arem|ad[oa]s?)", "biscar, escolher, levar, sortear"),
    old("à vista", "cartas abertas", { but: /à vista de todos/giu }),
    old("vag(?:ão|ões)", "comboio", { keys: /^art\.wagon\./u }),
    old("cartas? de comboio|(?:uma|duas) de comboio", "carta de carruagem"),
    old("(?:ficar|fica|ficas|ficaste|ficares) (?:exatamente )?com|com que (?:ficas|ficaste)", "guardar"),
    old("caminho mais longo|caminho contínuo|rota mais longa", "maior rota contínua"),
    old("a dobrar|dobr(?:ar|a|as|ad[oa]s?)", "duplicar"),
    old("(?:copi\\p{L}+|pela mesma|esta|a) ligação(?: copiada)?", "link", {
      unless: /caiu|perdeu|serviço|sem ligação/iu,
    }),
    old("anul(?:ar|a|as|ado|ada)|voltar atrás", "desfazer"),
    old("(?:no|o|todo o) registo", "histórico", { unless: /guarda|verifica|transf/iu }),
    old("vence", "ganha"),
    old("você|vocês", "tu"),
    old("malotes?|malas? postais?", "saco de correio"),
  ],
  "pt-BR": [
    ...PORTUGUESE,
    old("tir(?:ar|a|as|o|am|e|es|ou|ad[oa]s?)", "comprar, pegar"),
    old("ajustes?", "configurações"),
    old("guard(?:ar|e|ou|ado) (?:\\p{L}+ )?bilhetes?|bilhetes? que (?:vai guardar|você guardou)", "ficar com"),
    old("pontos dobrados|a dobrar", "em dobro"),
    old("você mesm[oa]", "você"),
    old("marque", "conquiste", { but: /marque (?:a|as|o|os|uma) /giu }),
    old("sacos? de correio|malas? postais?", "malote"),
    old("comboios?", "vagão, trem"),
    old("ligaç(?:ão|ões)", "conexão", { but: /tem ligação com/giu }),
  ],
};

/** Ways of putting a name into a sentence that only fit some names. */
export const GENDERED: Partial<Record<Language, readonly RegExp[]>> = (() => {
  const name = "\\{(?:name|names|seat|who|winner|other|winners|host|friend)\\}";
  const portuguese = [
    new RegExp(`(?<![\\p{L}])(?:o|os|as|do|da|dos|das|ao|à|pelo|pela|no|na) ${name}`, "iu"),
    new RegExp(
      `${name} (?:já |não |ainda )*(?:é|está|foi|ficou|estava|anda|fica) \\p{L}+(?:ado|ido|ada|ida|sto|sta)(?![\\p{L}])`,
      "iu",
    ),
  ];
  return {
    ro: [
      new RegExp(`(?<![\\p{L}])(?:lui|pe) ${name}`, "iu"),
      new RegExp(
        `${name} (?:nu )?(?:e|este|era|a fost|a rămas|pare) (?:deja |încă )?\\p{L}+(?:at|ut|it|ată|ută|ită|tor|toare)(?![\\p{L}])`,
        "iu",
      ),
    ],
    "pt-PT": portuguese,
    "pt-BR": portuguese,
  };
})();

/** What is counted, where a number stands before it: such a message bends with the number. */
export const COUNTED: Record<Language, RegExp> = {
  en: /\{(?!a\}|b\}|colour\})\w+\} (?:more )?(?:points?|trains?|cards?|tickets?|turns?|tracks?|seats?|players?|stations?|locomotives?|spaces?|seconds?|minutes?|hours?|days?|tables?|people|letters|moves|games)\b/iu,
  ro: /\{\w+\} (?:de )?(?:punct(?:e)?|vago(?:n|ane)|carte|cărți|bilete?|tur[ăe]|rut[ăe]|locuri|jucători?|gar[ăi]|gări|locomotiv[ăe]|spați[iu]|secund[ăe]|minute?|or[ăe]|zile?|mese|mas[ăe]|mutări|jocuri|caractere)(?![\p{L}])/iu,
  "pt-PT":
    /\{\w+\} (?:de )?(?:pontos?|comboios?|cartas?|bilhetes?|turnos?|rotas?|lugares|jogador(?:es)?|estaç(?:ão|ões)|locomotivas?|espaços?|segundos?|minutos?|horas?|dias?|mesas?|pessoas?|letras?|jogadas?|partidas?)(?![\p{L}])/iu,
  "pt-BR":
    /\{\w+\} (?:de )?(?:pontos?|vag(?:ão|ões)|cartas?|bilhetes?|turnos?|rotas?|lugares|jogador(?:es)?|estaç(?:ão|ões)|locomotivas?|espaços?|segundos?|minutos?|horas?|dias?|mesas?|pessoas?|letras?|jogadas?|partidas?)(?![\p{L}])/iu,
};
