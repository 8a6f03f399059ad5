/** A mechanic is a folder: the page's own code names none of them, nor does one name another. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inOrder, MECHANICS } from "../src/mechanics/index.ts";

const SRC = join(import.meta.dirname, "../src");
const PACKAGE = join(import.meta.dirname, "../../branchline/mechanics");

/** The words that belong to a mechanic, in code, keys and English sentences; the other languages have the same keys. */
const WORDS: Record<(typeof MECHANICS)[number], RegExp> = {
  tunnels: /tunnel/i,
  ferries: /\bferr(?:y|ies)/i,
  stations: /station(?!master)(?<!way[ _]station)/i, // a level of bots, and places of some maps
  terrain: /terrain|desert|jungle|mountain|doubled|to_double/i,
  festivals: /festival/i,
  drafts: /draft|\bpack\b/i,
  mail: /\bbags?\b|Bag[A-Z]|mail_carry/i, // letters to visitors are mail too
};
/** Written from the server's messages; the list; what maps say of themselves, and mechanics in sentences where their rules meet. */
const FREE = /^(?:wire\.ts|mechanics\/index\.ts|maps\/.*|mechanics\/.*\.json)$/;

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:ts|svelte|css)$|\ben\.json$/.test(file) && !FREE.test(file))
  .sort();
const named = (file: string) => {
  const text = readFileSync(join(SRC, file), "utf8");
  return MECHANICS.filter((name) => !file.startsWith(`mechanics/${name}/`) && WORDS[name].test(text));
};

describe("mechanics", () => {
  it("are those of the package, in the same order, each with a folder", () => {
    const list = /^MECHANICS = \((.*?)\)/ms.exec(readFileSync(join(PACKAGE, "__init__.py"), "utf8"))![1]!;
    expect([...list.matchAll(/"(\w+)"/g)].map((found) => found[1])).toEqual([...MECHANICS]);
    for (const name of MECHANICS) expect(existsSync(join(SRC, "mechanics", name)), name).toBe(true);
  });

  it("are asked in the order of the list, and not if they are not on it", () => {
    expect(inOrder({ "./nobody/a.ts": 0, "./drafts/a.ts": 1, "./tunnels/a.ts": 2 })).toEqual([2, 1]);
  });

  it("are named nowhere but in their own folders", () => {
    const found = files.map((file) => [file, named(file)] as const).filter(([, names]) => names.length);
    expect(Object.fromEntries(found)).toEqual({});
  });
});
