/** True of every screen, light and dark, narrow and wide: no fault that axe finds (WCAG 2.2 AA), no scrolling sideways. */
import { faults } from "./axe.ts";
import { expect, type Page, test } from "./base.ts";
import { depth } from "./screen.ts";
import { PAGES, TABLES, worldOf } from "./screens.ts";

// The page of a game put aside asks why; a link out of a mail that says nothing ends nothing.
test.use({ forgiven: [/status of (409|404.*mail.stop)/] });
interface Look {
  width: number;
  theme: "light" | "dark";
  rules: "all" | "colours" | "look";
}
/** Every rule on every screen in every look, boards included: minutes, so by `make axe` and not in every run. */
const EVERYTHING = process.env.AXE === "all";
const ALL_LOOKS: Look[] = [320, 390, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((theme) => ({ width, theme, rules: "all" as const })),
);
/** What the width can break is looked at in each width, what the theme can break in both, wide and narrow. */
const LOOKS: Look[] = EVERYTHING
  ? ALL_LOOKS
  : [
      { width: 1280, theme: "light", rules: "all" },
      { width: 1280, theme: "dark", rules: "colours" },
      { width: 390, theme: "dark", rules: "look" },
      { width: 320, theme: "light", rules: "look" },
    ];
const WITH_BOARD = new Set(["turn", "replay"]); // the same drawing everywhere

/** Whatever sticks out at the side of the window. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const over = document.documentElement.scrollWidth - innerWidth;
    return over > 0 ? [`sideways by ${over} px`] : [];
  });

/** The faults that stay: what is seen while a bot's move is being drawn, or while the window changes, is looked at again. */
async function lasting(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const first = await look();
  if (!first.length) return [];
  await page.waitForTimeout(700);
  return look();
}

const third = Math.ceil(Object.keys(TABLES).length / 3);
const groups = {
  pages: PAGES,
  tables: pick(0, third),
  "more tables": pick(third, 2 * third),
  "yet more tables": pick(2 * third, 99),
};
function pick(from: number, to: number): typeof TABLES {
  return Object.fromEntries(Object.entries(TABLES).slice(from, to));
}

for (const [group, screens] of Object.entries(groups)) {
  test(`every screen is sound: ${group}`, async ({ page }) => {
    if (EVERYTHING) test.setTimeout(900_000);
    const world = await worldOf(page);
    const found: string[] = [];
    for (const [name, open] of Object.entries(screens)) {
      await open(page, world);
      let deep = 0;
      for (const { width, theme, rules } of LOOKS) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme: theme }); // what has no script follows the system
        await page.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
        const board = EVERYTHING || WITH_BOARD.has(name);
        const look = async () => [...(await sideways(page)), ...(await faults(page, rules, board))];
        found.push(...(await lasting(page, look)).map((fault) => `${name} ${width} ${theme} ${fault}`));
        if (width === 1280) deep = await depth(page);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(() => depth(page), `${name}: a small screen's panel is gone`).toBe(deep);
    }
    expect(found).toEqual([]);
  });
}

test("axe does find a fault where there is one", async ({ page }) => {
  await page.goto("/about");
  await page
    .locator("main h1")
    .evaluate((title) =>
      title.insertAdjacentHTML(
        "afterend",
        '<p style="color: #bbb; background: #ddd">grey on grey</p><img src="/favicon.svg">',
      ),
    );
  expect((await faults(page, "all", true)).map((fault) => fault.split(":")[0])).toEqual(
    expect.arrayContaining(["color-contrast", "image-alt"]),
  );
});
