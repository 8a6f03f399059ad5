/** A whole game without a pointer, from the front page to the score. */
import { expect, test } from "./base.ts";
import { Keys } from "./keys.ts";
import { decide } from "./policy.ts";
import { answered, begun, byId } from "./screen.ts";

test("a whole game by keyboard alone", async ({ page }) => {
  await page.goto("/");
  await expect(byId(page, "play-now")).toBeVisible();
  const keys = new Keys(page);
  await keys.press('[data-testid="play-now"]');
  let sight = await begun(page);
  for (let deeds = 0; !sight.over; deeds++) {
    expect(deeds, "the game goes on for ever").toBeLessThan(400);
    await keys.do(decide(sight, new Set(deeds === 20 ? ["tickets drawn"] : [])));
    sight = await answered(page, sight.asked);
  }
  await expect(byId(page, "end-show").getByRole("heading", { name: /wins with|share the victory/ })).toBeVisible();
  await keys.press('[data-testid="replay"]');
  await expect(page.getByTestId("replay-words")).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByTestId("replay-scrub")).toHaveAttribute("aria-valuetext", /./);
});

test("single keys can be switched off, help is one key away, and focus is always seen", async ({ page }) => {
  await page.goto("/settings");
  const keys = new Keys(page);
  await keys.press('[data-testid="set-shortcuts"]', "Space");
  await page.goto("/");
  await keys.press('[data-testid="play-now"]');
  let sight = await begun(page);
  await keys.do({ do: "keep" });
  sight = await answered(page, sight.asked);
  await page.keyboard.press("d");
  await page.keyboard.press("?");
  await expect(byId(page, "dialog-help")).toBeHidden();
  await expect(page.locator('[data-testid="game"]')).toHaveAttribute("data-asked", String(sight.asked));
  const unseen: string[] = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const fault = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const style = getComputedStyle(focused);
      const ring = focused.querySelector(":scope > .focus");
      const seen =
        style.outlineStyle !== "none" ||
        style.boxShadow !== "none" ||
        (ring && getComputedStyle(ring).visibility !== "hidden");
      return seen ? null : focused.outerHTML.slice(0, 120);
    });
    if (fault) unseen.push(fault);
  }
  expect(unseen).toEqual([]);
});
