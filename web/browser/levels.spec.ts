/** Against whom: a level is chosen by its face, and the face is at the seat, also on the next visit. */
import { expect, test } from "./base.ts";
import { answered, begun, byId } from "./screen.ts";

test("a level is chosen by its face, plays, and is remembered", async ({ page }) => {
  await page.goto("/");
  const face = page.locator("label", { has: byId(page, "level-conductor") });
  await page.evaluate(() => document.fonts.ready); // until then every line may yet change its height
  const before = await face.boundingBox();
  await face.click();
  await expect(page.getByText("Completes its tickets the cheapest way")).toBeVisible();
  expect(await face.boundingBox(), "nothing jumps").toEqual(before);
  await byId(page, "play-now").click();
  const { asked } = await begun(page);
  await byId(page, "suggest").click(); // beside an open scene the players are one row of names
  await byId(page, "keep").click();
  await answered(page, asked);
  await expect(page.locator('[data-face="conductor"]')).toHaveCount(2);
  await page.goto("/");
  await expect(byId(page, "level-conductor")).toBeChecked();
  await page.goto("/new");
  await expect(byId(page, "chair-3")).toHaveValue("conductor");
});
