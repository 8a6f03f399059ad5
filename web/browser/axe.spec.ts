/** No fault that axe finds on any screen, light and dark, narrow and wide (WCAG 2.2 AA). */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "./base.ts";
import { leaveWords, PAGES, TABLES, worldOf } from "./screens.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What the theme and the width can change; everything else is looked at once for each screen. */
const BY_LOOK = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"];
const WIDTHS = [1280, 390, 320];

async function faults(page: Page, whole: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (whole ? axe.withTags(TAGS) : axe.withRules(BY_LOOK)).analyze();
  return violations.flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")} (${node.any[0]?.message ?? node.none[0]?.message ?? fault.help})`));
}

for (const [group, screens] of Object.entries({ pages: PAGES, tables: TABLES })) {
  test(`axe finds nothing: ${group}`, async ({ page }) => {
    const world = await worldOf(page);
    const found: string[] = [];
    for (const [name, open] of Object.entries(screens)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(page, world);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        for (const theme of ["light", "dark"] as const) {
          await page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
          found.push(...(await faults(page, theme === "light" && width !== 390)).map((fault) => `${name} ${width} ${theme}: ${fault}`));
        }
      }
      await leaveWords(page);
    }
    expect(found).toEqual([]);
  });
}
