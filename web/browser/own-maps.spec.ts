/** A map of the operator's own: its board drawn from its file, and a game on it like on any other. */
import { expect } from "./base.ts";
import { test } from "./isle.ts";
import { Clicks } from "./clicks.ts";
import { decide } from "./policy.ts";
import { answered, begun, byId } from "./screen.ts";

for (const [device, viewport] of [
  ["a laptop", { width: 1280, height: 800 }],
  ["a telephone", { width: 390, height: 844 }],
] as const)
  test(`some moves on it on ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto("/");
    await byId(page, "map-tiny").check({ force: true });
    await expect(page.getByText("The Little Isle").first()).toBeVisible();
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/own-front-${viewport.width}.png` });
    await expect(byId(page, "opponents-2")).toBeChecked();
    await expect(byId(page, "opponents-3")).toHaveCount(0); // three play at most
    await byId(page, "play-now").click();
    let sight = await begun(page);
    await expect(page.locator("[data-track]")).toHaveCount(15);
    await expect(page.locator("[data-place]")).toHaveCount(8);
    const clicks = new Clicks(page, new Set());
    for (let deeds = 0; deeds < 12; deeds++) {
      await clicks.do(decide(sight, new Set()), sight);
      sight = await answered(page, sight.asked);
    }
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/own-${viewport.width}.png` });
  });

test("its rules are told by the mechanics it uses", async ({ page }) => {
  await page.goto("/rules/tiny");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("The Little Isle");
  await expect(page.getByText("Tunnels").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Festivals" })).toHaveCount(0);
});
