/** When a game is over: the deal is checked, the game is looked at again, the next one is set up. */
import { expect, ask, test } from "./base.ts";
import { byId } from "./screen.ts";
import { finished } from "./screens.ts";

test("the fair deal, the replay and the rematch", async ({ page }) => {
  await ask(page, "/me");
  const id = await finished(page, "iberia");

  await page.goto(`/fair/${id}`);
  await expect(byId(page, "fair-result")).toContainText("Every check passed");

  await page.goto(`/replay/${id}#move=10`);
  const place = byId(page, "replay-place");
  await expect(place).toContainText("10 /");
  for (const control of [place, byId(page, "replay-play"), byId(page, "replay-scrub")])
    await expect(control).toBeInViewport({ ratio: 1 }); // on a laptop, unscrolled
  await page.keyboard.press("ArrowRight");
  await expect(place).toContainText("11 /");
  await expect(page).toHaveURL(/#move=11$/);
  await page.getByRole("button", { name: "Next claim" }).click();
  await expect(byId(page, "replay-words")).toContainText("claims");
  await page.goBack();
  await page.goto(`/replay/${id}#move=11`);
  await expect(place).toContainText("11 /");
  await page.getByLabel("Hands").selectOption({ index: 1 });
  await expect(page.getByText(/cards? unseen/).first()).toBeVisible();

  await page.goto(`/t/${id}`);
  await byId(page, "rematch").click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page.locator('[data-testid="game"][data-ready="true"]')).toBeVisible();
});
