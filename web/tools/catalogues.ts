/**
 * Catalogues: src/i18n/<area>/<language>.json, the words of each mechanic and of each map (src/mechanics, src/maps), and
 * those that the terminal and the service read too (branchline/words, branchline/mechanics), merged to two modules a
 * language: `virtual:catalogue/<language>` with what the first minute needs, `virtual:words/<language>` with the rest.
 * A key that one language lacks, a plural form it needs, a placeholder that differs, or a key the code asks for and
 * nobody wrote stops the build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { needed } from "./stages.ts";

export const LANGUAGES = ["en", "ro", "pt-PT", "pt-BR"] as const;
export type Message = string | Record<string, string>;
export type Catalogue = Record<string, Message>;

const SRC = fileURLToPath(new URL("../src/", import.meta.url));
const I18N = join(SRC, "i18n");
const PACKAGE = fileURLToPath(new URL("../../branchline/", import.meta.url));

export function areas(): string[] {
  return readdirSync(I18N, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();
}

/** The folders of words inside the folders of `parent`, one for each mechanic or map that has any. */
function wordsIn(parent: string): string[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => join(parent, e.name, "words"))
    .filter(existsSync)
    .sort();
}

/** The folders whose words are not an area's: what the page shares with the terminal and the service, mechanics, maps. */
export function folders(): string[] {
  const parents = [join(PACKAGE, "mechanics"), join(SRC, "mechanics"), join(SRC, "maps")];
  return [join(PACKAGE, "words"), ...parents.flatMap(wordsIn)];
}

export function catalogue(language: string): Catalogue {
  const merged: Catalogue = {};
  const add = (file: string, area = "") => {
    if (!existsSync(file)) return; // every key of English is then reported as lacking
    for (const [key, message] of Object.entries(JSON.parse(readFileSync(file, "utf8")) as Catalogue)) {
      if (area && !key.startsWith(`${area}.`))
        throw new Error(`${area}/${language}.json: ${key} does not begin with ${area}.`);
      if (key in merged) throw new Error(`${file}: ${key} stands in another catalogue too`);
      merged[key] = message;
    }
  };
  for (const folder of folders()) add(join(folder, `${language}.json`));
  for (const area of areas()) add(join(I18N, area, `${language}.json`), area);
  return merged;
}

/** The plural forms a language has, of the numbers a game can show. */
export function forms(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1001 }, (_, n) => rules.select(n)))].sort();
}

/** The parameters that a text names: `cards` and `locos` of "{cards:card.colour + locos:card.loco}". */
export function placeholders(text: string): string {
  const terms = [...text.matchAll(/\{([^{}]+)\}/g)].flatMap((found) => found[1]!.split(" + "));
  return [...new Set(terms.map((term) => term.split(":")[0]))].sort().join(" ");
}

/** What is wrong with the catalogues, one line a fault. */
export function faults(): string[] {
  const found: string[] = [];
  const english = catalogue("en");
  for (const language of LANGUAGES) {
    const own = catalogue(language);
    for (const key of Object.keys(english)) if (!(key in own)) found.push(`${language} lacks ${key}`);
    for (const [key, message] of Object.entries(own)) {
      const model = english[key];
      if (model === undefined) found.push(`${language} has ${key}, which English lacks`);
      else if (typeof model !== typeof message)
        found.push(`${language} ${key}: a plural in one language, none in the other`);
      else if (typeof message === "object") {
        for (const form of forms(language))
          if (!(form in message)) found.push(`${language} ${key} lacks the form "${form}"`);
      } else if (placeholders(message) !== placeholders(model as string))
        found.push(`${language} ${key}: placeholders differ`);
      if (language === "ro" && /[şţŞŢ]/.test(JSON.stringify(message)))
        found.push(`ro ${key}: cedilla in place of comma`);
    }
  }
  for (const key of asked()) if (!(key in english)) found.push(`the code asks for ${key}, which no catalogue has`);
  return found;
}

/** The keys written out in the sources. */
export function asked(): Set<string> {
  const keys = new Set<string>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    if (!/\.(svelte|ts)$/.test(file)) continue;
    const text = readFileSync(join(SRC, file), "utf8");
    for (const match of text.matchAll(/\btn?\(\s*["']([\w.-]+)["']/g)) keys.add(match[1] as string);
  }
  return keys;
}

/** The keys that the terminal and the service read too: events, refusals, what is due. They are put together from data. */
function shared(): Set<string> {
  const own = folders().filter((folder) => folder.startsWith(PACKAGE));
  return new Set(
    own.flatMap((folder) => Object.keys(JSON.parse(readFileSync(join(folder, "en.json"), "utf8")) as Catalogue)),
  );
}

/** What is told of puzzles and reviews: nobody meets one in the first minute. */
const LATE = /^(?:puzzle|reason|review)\./;

/** A catalogue in two: what the first minute needs, and the rest. */
export function stages(language: string): [first: Catalogue, rest: Catalogue] {
  const [told, asked] = [shared(), needed()];
  const entries = Object.entries(catalogue(language));
  const early = ([key]: [string, Message]) => (told.has(key) && !LATE.test(key)) || asked(key);
  return [Object.fromEntries(entries.filter(early)), Object.fromEntries(entries.filter((one) => !early(one)))];
}

/** Tests put a component on the page by itself, and the words it needs with it: all are in the first part there. */
const parts = (language: string): [Catalogue, Catalogue] =>
  process.env.VITEST ? [catalogue(language), {}] : stages(language);

export function catalogues(): Plugin {
  const names = ["virtual:catalogue/", "virtual:words/"];
  return {
    name: "branchline-catalogues",
    buildStart() {
      const wrong = faults();
      if (wrong.length && !process.env.VITEST) this.error(`the catalogues are not whole:\n${wrong.join("\n")}`);
    },
    resolveId: (id) => (names.some((name) => id.startsWith(name)) ? `\0${id}` : undefined),
    load: (id) => {
      const part = names.findIndex((name) => id.startsWith(`\0${name}`));
      return part < 0 ? undefined : `export default ${JSON.stringify(parts(id.slice(names[part]!.length + 1))[part])}`;
    },
  };
}
