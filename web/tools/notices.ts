/** Puts NOTICES.md into the page as /notices.txt, and refuses to build a page that holds what it does not name. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rollup } from "vite";

const NOTICES = fileURLToPath(new URL("../../NOTICES.md", import.meta.url));

/** The package of a file under node_modules, or nothing. */
function packageOf(file: string): string | undefined {
  return file.replaceAll("\\", "/").match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
}

/** The packages in a bundle. */
function packagesIn(bundle: Rollup.OutputBundle): string[] {
  const files = Object.values(bundle).flatMap((part) =>
    part.type === "chunk" ? Object.keys(part.modules) : part.originalFileNames,
  );
  return files.map(packageOf).filter((name) => name !== undefined);
}

const inWorkers = new Set<string>(); // these are built before the page is

export function noticesOfWorkers(): Plugin {
  return {
    name: "branchline-notices-of-workers",
    apply: "build",
    generateBundle: (_, bundle) => packagesIn(bundle).forEach((name) => inWorkers.add(name)),
  };
}

/** `BRANCHLINE_BUNDLED=FILE` writes the names of what is in the page there instead (tools/notices.py). */
export function notices(): Plugin {
  return {
    name: "branchline-notices",
    apply: "build",
    generateBundle(_, bundle) {
      const names = [...new Set([...inWorkers, ...packagesIn(bundle)])].sort();
      if (process.env.BRANCHLINE_BUNDLED) return writeFileSync(process.env.BRANCHLINE_BUNDLED, JSON.stringify(names));
      const source = readFileSync(NOTICES, "utf8");
      const missing = names.filter((name) => !source.includes(`\n### ${name}\n`));
      if (missing.length) this.error(`NOTICES.md does not name ${missing.join(", ")}: run "make notices"`);
      this.emitFile({ type: "asset", fileName: "notices.txt", source });
    },
  };
}
