/**
 * The teaching texts, one module a language for each of two: `virtual:rules/<language>` and `virtual:lessons/<language>`.
 * The core's stand in src/learn/content, those of a mechanic or a map in its own folder, learn/<language>.json.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { Lessons, RuleBook, Teaching } from "../src/learn/content.ts";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));
const read = <T>(path: string) => JSON.parse(readFileSync(join(SRC, path), "utf8")) as T;

/** One of the two parts of what each folder of `parent` teaches, by its name. */
function taught<Part extends keyof Teaching>(
  parent: string,
  part: Part,
  language: string,
): Record<string, Teaching[Part]> {
  const names = readdirSync(join(SRC, parent)).sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = join(parent, name, "learn", `${language}.json`);
      return existsSync(join(SRC, file)) ? [[name, read<Teaching>(file)[part]]] : [];
    }),
  );
}

export const rules = (language: string): RuleBook => ({
  core: read(`learn/content/rules.${language}.json`),
  mechanics: taught("mechanics", "rules", language),
  maps: taught("maps", "rules", language),
});

export const lessons = (language: string): Lessons => ({
  tutorial: read(`learn/content/tutorial.${language}.json`),
  mechanics: taught("mechanics", "lesson", language),
  maps: taught("maps", "lesson", language),
});

const MODULES: Record<string, (language: string) => unknown> = { "virtual:rules/": rules, "virtual:lessons/": lessons };

export function teaching(): Plugin {
  const module = (id: string) => Object.keys(MODULES).find((name) => id.startsWith(name));
  return {
    name: "branchline-teaching",
    resolveId: (id) => (module(id) ? `\0${id}` : undefined),
    load: (id) => {
      const name = id.startsWith("\0") ? module(id.slice(1)) : undefined;
      return name && `export default ${JSON.stringify(MODULES[name]!(id.slice(name.length + 1)))}`;
    },
  };
}
