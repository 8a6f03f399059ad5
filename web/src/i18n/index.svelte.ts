/**
 * Words in the reader's language. `t` with a key and its parameters, and `tn` with a key and a number, where a number bends the words.
 * Those of the first minute come first; the rest comes with whatever is opened by `later` (tools/stages.ts tells the two apart).
 */
import { untrack } from "svelte";

export const LANGUAGES = { en: "English", ro: "Română", "pt-PT": "Português", "pt-BR": "Português (Brasil)" } as const;
export type Lang = keyof typeof LANGUAGES;
type Message = string | Record<string, string>;
type Params = Record<string, string | number>;

type Catalogues = Record<Lang, () => Promise<{ default: Record<string, Message> }>>;

const FIRST: Catalogues = {
  en: () => import("virtual:catalogue/en"),
  ro: () => import("virtual:catalogue/ro"),
  "pt-PT": () => import("virtual:catalogue/pt-PT"),
  "pt-BR": () => import("virtual:catalogue/pt-BR"),
};
const REST: Catalogues = {
  en: () => import("virtual:words/en"),
  ro: () => import("virtual:words/ro"),
  "pt-PT": () => import("virtual:words/pt-PT"),
  "pt-BR": () => import("virtual:words/pt-BR"),
};

/** English is British here: dates, and lists without a last comma. */
const region = (code: Lang) => (code === "en" ? "en-GB" : code);

class Language {
  code = $state<Lang>("en");
  messages = $state.raw<Record<string, Message>>({});
  /** Apart from the others, so that what is on the screen is not drawn anew when they come. */
  rest = $state.raw<Record<string, Message>>({});
  plurals = $derived(new Intl.PluralRules(this.code));
  numbers = $derived(new Intl.NumberFormat(this.code));
  lists = $derived(new Intl.ListFormat(region(this.code), { type: "conjunction" }));
}
export const lang = new Language();

/** The language that was chosen, or the first the browser asks for that we speak. */
export function preferred(): Lang {
  const chosen = localStorage.getItem("lang");
  for (const wish of [chosen ?? "", ...navigator.languages]) {
    if (wish in LANGUAGES) return wish as Lang;
    const base = wish.slice(0, 2).toLowerCase();
    if (base === "pt") return wish.toLowerCase() === "pt-br" ? "pt-BR" : "pt-PT";
    if (base === "ro" || base === "en") return base;
  }
  return "en";
}

let all = false; // whether the rest was asked for

export async function setLang(code: Lang, remember = true): Promise<void> {
  const [first, rest] = await Promise.all([FIRST[code](), all ? REST[code]() : null]);
  lang.messages = first.default;
  lang.rest = rest?.default ?? {};
  lang.code = code;
  document.documentElement.lang = code;
  if (remember) localStorage.setItem("lang", code);
}

/** The rest of the words, in the language that is spoken when they are there. */
export async function allWords(): Promise<void> {
  all = true;
  for (let code: Lang | null = null; code !== untrack(() => lang.code);) {
    code = untrack(() => lang.code);
    const { default: rest } = await REST[code]();
    if (code === untrack(() => lang.code)) lang.rest = rest;
  }
}

/** A part of the page that is opened later, and the words it needs. */
export async function later<Part>(part: Promise<Part>): Promise<Part> {
  await allWords();
  return part;
}

const messageOf = (key: string): Message | undefined => lang.messages[key] ?? lang.rest[key];
/** Whether there are words for it. */
export const knows = (key: string): boolean => messageOf(key) !== undefined;

const fill = (text: string, params: Params) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === "number" ? lang.numbers.format(value) : value;
  });

export function t(key: string, params: Params = {}): string {
  const message = messageOf(key);
  if (message === undefined) return key;
  return fill(typeof message === "string" ? message : (message.other ?? key), params);
}

/** The form of words a number takes. Unicode gives Brazil the singular for 0; Brazilians write "0 pontos". */
export const form = (n: number): string => (n === 0 && lang.code === "pt-BR" ? "other" : lang.plurals.select(n));

/** The words for a number of things; `{n}` stands for the number. */
export function tn(key: string, n: number, params: Params = {}): string {
  const message = messageOf(key);
  if (message === undefined) return key;
  const text = typeof message === "string" ? message : (message[form(n)] ?? message.other ?? key);
  return fill(text, { ...params, n });
}

/** What the server told, in the reader's language where it is meant for people (`code`), else in its own words. */
export function said(told: { reason: string; code?: string; n?: number | null }): string {
  const key = `said.${told.code}`;
  if (!told.code || !knows(key)) return told.reason;
  return told.n == null ? t(key) : tn(key, told.n);
}

export const num = (n: number) => lang.numbers.format(n);
export const when = (seconds: number) =>
  new Intl.DateTimeFormat(region(lang.code), { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(seconds * 1000),
  );
/** "a, b and c" in the reader's language. */
export const list = (words: string[]) => lang.lists.format(words);
