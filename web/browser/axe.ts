/** axe, run in the page: faults against WCAG 2.2 AA that a machine can find. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What the theme and the width can change; everything else is looked at once for each screen. */
const BY_LOOK = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"];
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs axe in the page: all rules, or those of the look; with the drawing of the board, or without. */
export async function faults(page: Page, whole: boolean, board: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const options: RunOptions = { runOnly: whole ? { type: "tag", values: TAGS } : { type: "rule", values: BY_LOOK }, resultTypes: ["violations"] };
  const { violations } = await page.evaluate(
    ([told, skip]) => (window as unknown as { axe: { run: (where: object, told: object) => Promise<AxeResults> } }).axe.run(skip ? { exclude: [[".board svg"]] } : { include: [["html"]] }, told as object),
    [options, !board] as const,
  );
  return violations.flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")} (${node.any[0]?.message ?? node.none[0]?.message ?? fault.help})`));
}
