/** Two friends and somebody who watches: a private link, one table, three browsers. */
import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { type BrowserContext, expect, type Page, prepare, test } from "./base.ts";
import { answered, begun, byId, look } from "./screen.ts";

async function guest(browser: Browser, complaints: string[], lang: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: process.env.BRANCHLINE_URL!, locale: lang, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  await prepare(context, complaints);
  return { context, page: await context.newPage() };
}

/** "Good luck!" as the page says it in a language. */
const phrase = (lang: string): string =>
  (JSON.parse(readFileSync(new URL(`../src/i18n/game/${lang}.json`, import.meta.url), "utf8")) as Record<string, string>)["game.phrase.good_luck"]!;

async function rename(page: Page, name: string): Promise<void> {
  const field = page.locator("form", { has: page.locator('input[maxlength="24"]') });
  await field.locator("input").fill(name);
  await field.getByRole("button").click();
  await expect(field.locator('[role="status"].good')).toHaveText(/\S/);
}

/** Keeps tickets, or draws two cards. */
async function turn(page: Page): Promise<void> {
  let sight = await look(page);
  if (sight.scene === "ticket-choice") {
    await byId(page, "suggest").click();
    return byId(page, "keep").click();
  }
  await byId(page, "draw-deck").click();
  sight = await answered(page, sight.asked);
  await byId(page, "draw-deck").click();
}

test("two friends play by a private link while a third looks on", async ({ browser, complaints }) => {
  const [ana, ben, eve] = [await guest(browser, complaints, "en-GB"), await guest(browser, complaints, "ro-RO"), await guest(browser, complaints, "pt-PT")];

  await ana.page.goto("/");
  await byId(ana.page, "with-friends").click();
  await byId(ana.page, "map-europe").check({ force: true });
  await ana.page.getByRole("button", { name: "Remove seat 3" }).click();
  await byId(ana.page, "create").click();
  await expect(ana.page.getByRole("img", { name: "QR code of the link to this table" })).toBeVisible();
  const drawn = await ana.page.getByRole("img", { name: /QR code/ }).evaluate((code: HTMLImageElement) => code.decode().then(() => code.naturalWidth));
  expect(drawn).toBeGreaterThan(0);
  await rename(ana.page, "Ana");
  await expect(byId(ana.page, "start")).toBeDisabled();
  const link = await byId(ana.page, "link").inputValue();

  await ben.page.goto(link);
  await rename(ben.page, "Benoît");
  await byId(ben.page, "sit").click();
  await expect(ana.page.getByText("Benoît")).toBeVisible();
  await eve.page.goto(link);
  await expect(eve.page.getByText("Benoît")).toBeVisible();
  await byId(ana.page, "start").click();

  await Promise.all([begun(ana.page), begun(ben.page)]); // both choose their first tickets at once
  await expect(eve.page.locator("[data-track]").first()).toBeAttached();
  await Promise.all([turn(ana.page), turn(ben.page)]);
  for (let i = 0; i < 4; i++) {
    const ready = '[data-testid="game"][data-ready="true"]';
    const player = await Promise.race([ana, ben].map(async (one) => (await one.page.waitForSelector(ready), one)));
    await turn(player.page);
    await player.page.waitForSelector('[data-testid="game"][data-ready="false"]');
  }

  // One phrase, each in their own language.
  for (const one of [ana, ben, eve]) await one.page.locator("#tab-chat").click();
  await ana.page.getByRole("button", { name: "Good luck!" }).click();
  await expect(ana.page.getByRole("log", { name: "Chat" })).toContainText("Good luck!");
  await expect(ben.page.locator(".lines[role=log]")).toContainText(phrase("ro"));
  await expect(eve.page.locator(".lines[role=log]")).toContainText(phrase("pt-PT"));
  await ben.page.locator('input[maxlength="200"]').fill("Salut, Ana! Ții minte Zürich?");
  await ben.page.keyboard.press("Enter");
  await expect(ana.page.getByRole("log", { name: "Chat" })).toContainText("Salut, Ana! Ții minte Zürich?");

  // Who looks on sees the table and no hand, no ticket, nothing to press.
  await expect(eve.page.locator('[data-tour="hand"]')).toHaveCount(0);
  await expect(eve.page.locator('[data-tour="players"]')).toContainText("Benoît");
  await expect(eve.page.locator('[data-tour="tickets"]')).toHaveCount(0);
  expect((await look(eve.page)).buttons).toEqual([]);
  const table = link.split("/t/")[1]!;
  const told = await eve.page.request.get(`/api/tables/${table}/history`);
  expect(JSON.stringify(await told.json())).not.toMatch(/"tickets":\["/);

  for (const { context } of [ana, ben, eve]) await context.close();
  expect(complaints).toEqual([]);
});
