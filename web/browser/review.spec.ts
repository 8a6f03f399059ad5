/** The review of a finished game, as somebody who has just played meets it: asked for, looked through, and tried again. */
import type { ReviewWire, TableWire } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { BOT, expect, ME, type Page } from "./base.ts";
import { test } from "./isle.ts";
import { byId } from "./screen.ts";

async function ask<T>(page: Page, url: string, path: string, body?: unknown): Promise<T> {
  const reply = body
    ? await page.request.post(`${url}/api${path}`, { data: body, headers: { origin: url } })
    : await page.request.get(`${url}/api${path}`);
  expect(reply.ok(), await reply.text()).toBe(true);
  return (await reply.json()) as T;
}

/** A game on a small map that is over: the guest gets up and a bot plays on. */
async function finished(page: Page, url: string): Promise<string> {
  await ask(page, url, "/me");
  const wish = { map: "tiny", seats: [ME, BOT], order: "fixed", start: true, seed: 7 };
  const { id } = await ask<TableWire>(page, url, "/tables", wish);
  await ask(page, url, `/tables/${id}/leave`, {});
  await expect
    .poll(async () => (await ask<TableWire>(page, url, `/tables/${id}`)).state, { timeout: 60_000, intervals: [200] })
    .toBe("over");
  return id;
}

test("a game is reviewed, looked through and tried again", async ({ page, service }) => {
  test.setTimeout(300_000);
  const id = await finished(page, service.url);
  await page.goto(`/replay/${id}`);
  await byId(page, "review").click();
  await expect(byId(page, "review-lever")).toBeVisible({ timeout: 240_000 });
  await expect(byId(page, "tickets-told")).toBeVisible({ timeout: 240_000 });

  // what is shown is what the service told
  const review = await ask<ReviewWire>(page, service.url, `/tables/${id}/review/told`);
  await page.getByLabel("Only what cost something").uncheck();
  const mine = review.moves.filter(({ seat, verdict }) => seat === 0 && verdict !== null);
  await expect(byId(page, "decisions").locator("tbody tr")).toHaveCount(mine.length);

  // the lever by keys: the words beside it follow
  const lever = byId(page, "review-lever");
  await lever.focus();
  await page.keyboard.press("Home");
  await expect(byId(page, "review-now")).toContainText("After move 0 of");
  await page.keyboard.press("ArrowRight");
  await expect(lever).toHaveAttribute("aria-valuetext", /After move 1 of/u);
  await expect(page).toHaveURL(/#move=1$/u);

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    expect(await faults(page, "all", false)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/review-${viewport.width}.png`, fullPage: true });
  }

  // two clicks: the position once more, against a bot
  await byId(page, "try-again").click();
  await expect(page).toHaveURL(/\/t\//u);
  const again = await ask<TableWire>(page, service.url, `/tables/${new URL(page.url()).pathname.slice(3)}`);
  expect([again.state, again.fixed_deal, again.you]).toEqual(["playing", true, review.moves[0]!.seat]);
});

test("a game that goes on is not reviewed", async ({ page, service }) => {
  await ask(page, service.url, "/me");
  const wish = { map: "tiny", seats: [ME, BOT], order: "fixed", start: true };
  const { id } = await ask<TableWire>(page, service.url, "/tables", wish);
  await page.goto(`/review/${id}`);
  await expect(page.getByText("A game is reviewed when it is over.")).toBeVisible();
});
