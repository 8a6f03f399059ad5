// Draws the boards: reads the map files and the geography, writes public/boards/<map>.json.
// Usage: node tools/boards.mjs [map …]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { buildBoard } from "./board/build.mjs";
import { BOARDS } from "./board/config.mjs";
import { geography } from "./board/geo.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(here("../public/boards"), { recursive: true });
const wanted = process.argv.slice(2);
for (const map of wanted.length ? wanted : Object.keys(BOARDS)) {
  const began = Date.now();
  const facts = JSON.parse(readFileSync(here(`../../branchline/maps/${map}.json`), "utf8"));
  const { art, clashes } = buildBoard(facts, BOARDS[map], geography);
  const text = JSON.stringify(art);
  writeFileSync(here(`../public/boards/${map}.json`), text);
  const small = (brotliCompressSync(text).length / 1000).toFixed(1);
  console.log(`${map}: ${(text.length / 1000).toFixed(0)} kB, ${small} kB packed, ${Date.now() - began} ms`);
  for (const clash of clashes) console.log(`  ${clash}`);
  if (clashes.length) process.exitCode = 1;
}
