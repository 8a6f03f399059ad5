/** True of every screen, light and dark, narrow and wide: no fault that axe finds (WCAG 2.2 AA), no scrolling sideways. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page, test } from "./base.ts";
import { leaveWords, PAGES, TABLES, worldOf } from "./screens.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What the theme and the width can change; everything else is looked at once for each screen. */
const BY_LOOK = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"];
const WIDTHS = [1280, 390, 320];

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs axe in the page; the drawing of the board, which has no look of its own to check, only in the whole runs. */
async function faults(page: Page, whole: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const options: RunOptions = { runOnly: whole ? { type: "tag", values: TAGS } : { type: "rule", values: BY_LOOK }, resultTypes: ["violations"] };
  const { violations } = await page.evaluate(
    ([told, skip]) => (window as unknown as { axe: { run: (where: object, told: object) => Promise<AxeResults> } }).axe.run(skip ? { exclude: [[".board svg"]] } : { include: [["html"]] }, told as object),
    [options, !whole] as const,
  );
  return violations.flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")} (${node.any[0]?.message ?? node.none[0]?.message ?? fault.help})`));
}

/** Whatever sticks out at the side of the window. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const over = document.documentElement.scrollWidth - innerWidth;
    return over > 0 ? [`sideways by ${over} px`] : [];
  });

const half = Math.ceil(Object.keys(TABLES).length / 2);
const groups = { pages: PAGES, tables: pick(0, half), "more tables": pick(half, 99) };
function pick(from: number, to: number): typeof TABLES {
  return Object.fromEntries(Object.entries(TABLES).slice(from, to));
}

for (const [group, screens] of Object.entries(groups)) {
  test(`every screen is sound: ${group}`, async ({ page }) => {
    const world = await worldOf(page);
    const found: string[] = [];
    for (const [name, open] of Object.entries(screens)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(page, world);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        const faulty = await sideways(page);
        for (const theme of ["light", "dark"] as const) {
          await page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
          faulty.push(...(await faults(page, theme === "light" && width === 1280)).map((fault) => `${theme}: ${fault}`));
        }
        found.push(...faulty.map((fault) => `${name} ${width} ${fault}`));
      }
      await leaveWords(page);
    }
    expect(found).toEqual([]);
  });
}

test("axe does find a fault where there is one", async ({ page }) => {
  await page.goto("/about");
  await page.locator("main h1").evaluate((title) => title.insertAdjacentHTML("afterend", '<p style="color: #bbb; background: #ddd">grey on grey</p><img src="/favicon.svg">'));
  expect((await faults(page, true)).map((fault) => fault.split(":")[0])).toEqual(expect.arrayContaining(["color-contrast", "image-alt"]));
});
