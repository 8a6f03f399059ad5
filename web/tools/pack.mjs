/** Compresses what was built, so that the service sends the small form without work. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = process.env.BRANCHLINE_PAGE ?? fileURLToPath(new URL("../../branchline/server/page/", import.meta.url));
const KINDS = new Set([".js", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest"]);
const script = { raw: 0, br: 0 };

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  const file = join(folder, name);
  if (!KINDS.has(extname(file)) || !statSync(file).isFile()) continue;
  const text = readFileSync(file);
  const br = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
  if (extname(file) === ".js") {
    script.raw += text.length;
    script.br += br.length;
  }
  if (name.startsWith("boards/")) console.log(`${name}: ${(br.length / 1000).toFixed(1)} kB compressed`);
}
console.log(`script: ${(script.raw / 1000).toFixed(1)} kB, ${(script.br / 1000).toFixed(1)} kB compressed`);
