/** A laptop of 1280 × 800: what one chooses from, and who plays, stand in one sight. */
import type { Locator } from "@playwright/test";
import { ask, BOT, expect, ME, sitAt, test } from "./base.ts";
import { answered, begun, byId } from "./screen.ts";
import { finished } from "./screens.ts";

const whole = (part: Locator) => expect(part).toBeInViewport({ ratio: 0.99 });
/** What stands there is there to its last letter. */
const uncut = (part: Locator) =>
  expect.poll(() => part.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);

test("the front page: maps, bots, opponents and Play", async ({ page }) => {
  await page.goto("/");
  for (const id of ["play-now", "opponents-4", "with-friends", "pass-and-play"]) await whole(byId(page, id));
  await whole(page.getByRole("link", { name: "Learn in four minutes" }));
  for (const map of ["usa", "europe", "iberia", "africa", "carpathians"])
    await whole(page.locator("label", { has: byId(page, `map-${map}`) }));
});

test("five players, a ticket, and the line to write on", async ({ page }) => {
  await sitAt(page, { map: "europe", seed: 7, seats: [ME, BOT, BOT, BOT, BOT] });
  const { asked } = await begun(page);
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  await answered(page, asked);
  for (const seat of [0, 1, 2, 3, 4]) {
    await whole(page.locator(`[data-tour="players"] [data-fly="seat-${seat}"]`));
    await whole(byId(page, `last-${seat}`));
  }
  await uncut(page.locator('[data-tour="players"] .name'));
  await uncut(page.locator('[data-testid^="last-"]'));
  await whole(page.locator('[data-tour="tickets"] li').first());
  await page.locator("#tab-chat").click();
  await whole(page.getByRole("textbox", { name: "Message" }));
  await whole(page.getByRole("button", { name: "Hello!" }));
});

test("at the end the whole map", async ({ page }) => {
  await ask(page, "/me");
  await page.goto(`/t/${await finished(page, "europe", 5)}`);
  await expect(byId(page, "end-show")).toBeVisible();
  await whole(page.locator('[data-testid="map"] svg[role=group]'));
});
