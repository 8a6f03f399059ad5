/** axe, run in the page: faults against WCAG 2.2 AA that a machine can find. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";

const COLOURS = ["color-contrast", "link-in-text-block"];
/** Which rules: all of them, those a theme can break, or those a theme or a width can break. */
const RULES: Record<"all" | "colours" | "look", RunOptions["runOnly"]> = {
  all: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
  colours: { type: "rule", values: COLOURS },
  look: { type: "rule", values: [...COLOURS, "target-size", "scrollable-region-focusable"] },
};
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs axe in the page, with the drawing of the board or without. */
export async function faults(page: Page, rules: keyof typeof RULES, board: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const options: RunOptions = { runOnly: RULES[rules], resultTypes: ["violations"] };
  const { violations } = await page.evaluate(
    ([told, skip]) =>
      (window as unknown as { axe: { run: (where: object, told: object) => Promise<AxeResults> } }).axe.run(
        skip ? { exclude: [[".board svg"]] } : { include: [["html"]] },
        told as object,
      ),
    [options, !board] as const,
  );
  return violations.flatMap((fault) =>
    fault.nodes.map(
      (node) =>
        `${fault.id}: ${node.target.join(" ")} (${node.any[0]?.message ?? node.none[0]?.message ?? fault.help})`,
    ),
  );
}
