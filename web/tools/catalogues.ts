/**
 * Catalogues: src/i18n/<area>/<language>.json, the words of each mechanic and of each map (src/mechanics, src/maps), and
 * those that the terminal and the service read too (branchline/words, branchline/mechanics), merged to one module a
 * language, `virtual:catalogue/<language>`.
 * A key that one language lacks, a plural form it needs, a placeholder that differs, or a key the code asks for and
 * nobody wrote stops the build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

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

export function catalogues(): Plugin {
  const name = "virtual:catalogue/";
  return {
    name: "branchline-catalogues",
    buildStart() {
      const wrong = faults();
      if (wrong.length && !process.env.VITEST) this.error(`the catalogues are not whole:\n${wrong.join("\n")}`);
    },
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    load: (id) =>
      id.startsWith(`\0${name}`) ? `export default ${JSON.stringify(catalogue(id.slice(name.length + 1)))}` : undefined,
  };
}
