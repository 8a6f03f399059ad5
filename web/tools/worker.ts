/** Builds the service worker to /sw.js, after the page: it is told which files were built. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const SOURCE = fileURLToPath(new URL("../src/worker/worker.ts", import.meta.url));
/** What the page needs to open with no network: not the notices, nor what only a home screen asks for. */
const SHELL =
  /^(index\.html|favicon\.svg|site\.webmanifest|(assets|boards)\/.*\.(js|css|woff2|json|svg)|icons\/icon.*)$/;

/** Name and content of every file of the shell, as `BUILD` in src/worker/shell.ts. */
function shellOf(folder: string, entry: string) {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const files = names.filter((name) => SHELL.test(name) && statSync(join(folder, name)).isFile()).sort();
  const digest = createHash("sha256");
  for (const name of files) digest.update(name).update(readFileSync(join(folder, name)));
  return { version: digest.digest("hex").slice(0, 16), entry: `/${entry}`, files: files.map((name) => `/${name}`) };
}

export function worker(): Plugin {
  let folder = "";
  let entry = "";
  return {
    name: "branchline-worker",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    generateBundle(_, bundle) {
      entry = Object.values(bundle).find((part) => part.type === "chunk" && part.isEntry)!.fileName;
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: "warn",
        define: { BUILD: JSON.stringify(shellOf(folder, entry)) },
        build: {
          outDir: folder,
          emptyOutDir: false,
          copyPublicDir: false,
          target: "es2022",
          lib: { entry: SOURCE, formats: ["iife"], name: "worker", fileName: () => "sw.js" },
        },
      });
    },
  };
}
