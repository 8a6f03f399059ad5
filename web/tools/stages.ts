/**
 * Which words a newcomer's first minute needs, found in the sources: the keys that the code names which is there before
 * anything is opened. A screen that is opened later is brought by `later(import(…))`, and the rest of the words with it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));
const LATER = /\blater\(\s*import\("[^"]+"\)|\btypeof import\("[^"]+"\)|\bimport type [^;]+;/g; // and types are no code
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
const GLOB = /import\.meta\.glob(?:<[^(]*>)?\(\s*"(\.[^"]+)"/g;
/** A key, or the beginning of one that is put together: `game.status.your_turn`, `common.seat.` of `common.seat.${look}`. */
const KEY = /["'`]([a-z]\w*\.[\w.-]*)(["'`]|\$\{)/g;

/** The sources that one brings with it at once, or without being opened. */
function next(file: string, text: string): string[] {
  const here = text.replaceAll(LATER, "");
  const named = [...here.matchAll(IMPORT)].map((found) => join(dirname(file), found[1]!));
  const globbed = [...here.matchAll(GLOB)].flatMap((found) => matching(join(dirname(file), found[1]!)));
  return [...named, ...globbed].filter((path) => /\.(svelte|ts)$/.test(path) && existsSync(join(SRC, path)));
}

/** The files of a pattern like `mechanics/<any>/table.ts`, written with a star. */
function matching(pattern: string): string[] {
  const whole = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`);
  return readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => whole.test(path));
}

/** The sources of the first minute. */
export function early(): string[] {
  const seen = new Set<string>();
  const open = ["main.ts"];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...next(file, readFileSync(join(SRC, file), "utf8")));
  }
  return [...seen].map((file) => relative("", file)).sort();
}

/** Whether a key is named by the sources of the first minute. */
export function needed(files = early()): (key: string) => boolean {
  const [whole, begun] = [new Set<string>(), new Set<string>()];
  for (const file of files) {
    for (const [, key, end] of readFileSync(join(SRC, file), "utf8").matchAll(KEY))
      (end === "${" || key!.endsWith(".") ? begun : whole).add(key!);
  }
  const beginnings = [...begun];
  return (key) => whole.has(key) || beginnings.some((one) => key.startsWith(one));
}
