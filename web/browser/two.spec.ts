/** Two friends and somebody who watches: a private link, one table, three browsers. */
import { readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import type { TableWire } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { ask, type BrowserContext, expect, ME, OPEN, type Page, prepare, test } from "./base.ts";
import { answered, begun, byId, look } from "./screen.ts";
import { Service } from "./service.ts";

async function guest(
  browser: Browser,
  complaints: string[],
  lang: string,
  phone = false,
): Promise<{ context: BrowserContext; page: Page }> {
  const viewport = phone ? { width: 390, height: 844 } : { width: 1280, height: 800 };
  const context = await browser.newContext({
    baseURL: process.env.BRANCHLINE_URL!,
    locale: lang,
    viewport,
    hasTouch: phone,
    reducedMotion: "reduce",
  });
  await prepare(context, complaints);
  return { context, page: await context.newPage() };
}

/** A phrase as the page says it in a language. */
const phrase = (lang: string, id = "good_luck"): string =>
  (
    JSON.parse(readFileSync(new URL(`../src/i18n/game/${lang}.json`, import.meta.url), "utf8")) as Record<
      string,
      string
    >
  )[`game.phrase.${id}`]!;

async function rename(page: Page, name: string): Promise<void> {
  const field = page.locator("form", { has: page.locator('input[maxlength="24"]') });
  await field.locator("input").fill(name);
  await field.getByRole("button").click();
  await expect(field.locator('[role="status"].good')).toHaveText(/\S/);
}

/** Keeps tickets, or draws two cards. */
async function turn(page: Page): Promise<void> {
  const sight = await look(page);
  if (sight.scene === "ticket-choice") {
    await byId(page, "suggest").click();
    return byId(page, "keep").click();
  }
  await byId(page, "draw-deck").click();
  await answered(page, sight.asked);
  await byId(page, "draw-deck").click();
}

test("two friends play by a private link while a third looks on", async ({ browser, complaints }) => {
  const [ana, ben, eve] = [
    await guest(browser, complaints, "en-GB"),
    await guest(browser, complaints, "ro-RO"),
    await guest(browser, complaints, "pt-PT"),
  ];

  await ana.page.goto("/");
  await byId(ana.page, "with-friends").click();
  await byId(ana.page, "map-europe").check({ force: true });
  await ana.page.getByRole("button", { name: "Remove seat 3" }).click();
  await byId(ana.page, "create").click();
  await expect(ana.page.getByRole("img", { name: "QR code of the link to this table" })).toBeVisible();
  const drawn = await ana.page
    .getByRole("img", { name: /QR code/ })
    .evaluate((code: HTMLImageElement) => code.decode().then(() => code.naturalWidth));
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
  await byId(ana.page, "colour-4").check({ force: true });
  await expect(byId(ben.page, "colour-4")).toBeDisabled(); // hers now
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

  // One phrase, each in their own language; who looks elsewhere sees that something was said.
  await ana.page.locator("#tab-chat").click();
  await ana.page.getByRole("button", { name: "Good luck!" }).click();
  await expect(ana.page.getByRole("log", { name: "Chat" })).toContainText("Good luck!");
  for (const one of [ben, eve]) {
    await expect(byId(one.page, "unread")).toContainText("1");
    await one.page.locator("#tab-chat").click();
    await expect(byId(one.page, "unread")).toHaveCount(0);
  }
  await expect(byId(ana.page, "unread")).toHaveCount(0);
  await expect(ben.page.locator(".lines[role=log]")).toContainText(phrase("ro"));
  await expect(eve.page.locator(".lines[role=log]")).toContainText(phrase("pt-PT"));
  await ben.page.locator('input[maxlength="200"]').fill("Salut, Ana! Ții minte Zürich?");
  await ben.page.keyboard.press("Enter");
  await expect(ana.page.getByRole("log", { name: "Chat" })).toContainText("Salut, Ana! Ții minte Zürich?");

  // What spectators say is theirs: the line after it comes, it does not.
  const [hers, his, theirs] = [ana, ben, eve].map((one) => one.page.locator(".lines[role=log]"));
  await eve.page.locator('input[maxlength="200"]').fill("Aposto na Ana");
  await eve.page.keyboard.press("Enter");
  await expect(theirs!).toContainText("A assistir");
  await expect(theirs!).toContainText("Aposto na Ana");
  await ana.page.getByRole("button", { name: "Thank you!" }).click();
  for (const [log, lang] of [
    [hers!, "en"],
    [his!, "ro"],
    [theirs!, "pt-PT"],
  ] as const)
    await expect(log).toContainText(phrase(lang, "thanks"));
  for (const log of [hers!, his!]) await expect(log).not.toContainText("Aposto");

  // Who looks on sees the table and no hand, no ticket, nothing to press.
  await expect(eve.page.locator('[data-tour="hand"]')).toHaveCount(0);
  await expect(eve.page.locator('[data-tour="players"]')).toContainText("Benoît");
  await expect(eve.page.locator('[data-tour="tickets"]')).toHaveCount(0);
  expect((await look(eve.page)).buttons).toEqual([]);
  const table = link.split("/t/")[1]!;
  const told = await eve.page.request.get(`/api/tables/${table}/history`);
  expect(JSON.stringify(await told.json())).not.toMatch(/"tickets":\["/);

  // Bots play it out; the next game keeps both seated and begins when both have come; who looked on goes along.
  for (const one of [ana, ben]) await ask(one.page, `/tables/${table}/leave`, {});
  for (const one of [ana, ben, eve]) await expect(byId(one.page, "end-show")).toBeVisible({ timeout: 60_000 });
  for (const one of [ana, ben, eve]) await byId(one.page, "show-end").click();
  await eve.page.getByRole("button", { name: phrase("pt-PT", "good_game") }).click(); // now all talk with all
  await expect(hers!).toContainText(phrase("en", "good_game"));
  await expect(his!).toContainText(phrase("ro", "good_game"));
  for (const log of [hers!, his!]) await expect(log).not.toContainText("Aposto");
  for (const one of [ana, ben, eve]) await byId(one.page, "show-end").click();
  await byId(ana.page, "rematch").click();
  await expect(byId(ana.page, "start")).toBeDisabled(); // his chair is kept
  await expect(ana.page.locator('[data-testid^="free-"]')).toBeVisible();
  await byId(ben.page, "to-rematch").click();
  await byId(eve.page, "to-rematch").click();
  await Promise.all([begun(ana.page), begun(ben.page)]);
  await expect(eve.page.locator('[data-tour="players"]')).toContainText("Benoît");
  expect((await look(eve.page)).buttons).toEqual([]);
  const again = await ask<TableWire>(ana.page, `/tables/${ana.page.url().split("/t/")[1]!}`);
  expect(again.id).not.toBe(table);
  expect(again.seats.find((seat) => seat.you)!.colour).toBe(4);

  for (const { context } of [ana, ben, eve]) await context.close();
  expect(complaints).toEqual([]);
});

/** A service of its own, and friends at a table without a clock, past their tickets; the first, Ben, is on turn. */
async function atTable(
  browser: Browser,
  complaints: string[],
  grace: number,
  names: string[],
  story: (pages: Page[], table: string, service: Service) => Promise<void>,
): Promise<void> {
  const service = await new Service({}, ["--grace", String(grace)]).start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const friends = await Promise.all(names.map((_, seat) => guest(browser, complaints, "en-GB", seat === 0)));
  const pages = friends.map((one) => one.page);
  try {
    for (const [seat, page] of pages.entries()) {
      await ask(page, "/me");
      await ask(page, "/me", { name: names[seat] });
    }
    const host = pages.at(-1)!;
    const { id } = await ask<TableWire>(host, "/tables", {
      map: "europe",
      seats: [...names.slice(1).map(() => OPEN), ME],
      order: "fixed",
      seed: 7,
    });
    for (const page of pages.slice(0, -1)) await ask(page, `/tables/${id}/sit`, {});
    await ask(host, `/tables/${id}/start`, {});
    await host.clock.install(); // so that half a minute can go by there
    for (const page of pages) await page.goto(`/t/${id}`);
    await Promise.all(pages.map(async (page) => (await begun(page), await turn(page))));
    await begun(pages[0]!);
    await story(pages, id, service);
  } finally {
    for (const { context } of friends) await context.close();
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line))).toEqual([]);
}

test("those who wait vote for a bot, and who comes back is told", async ({ browser, complaints }) => {
  await atTable(browser, complaints, 2, ["Ben", "Ana"], async ([ben, ana], id) => {
    await ben!.goto("about:blank");
    await expect(byId(ana!, "waiting-0")).toContainText("Ben");
    await byId(ana!, "ask-bot").click();
    await begun(ana!); // nobody else waits: the bot has moved

    await ben!.goto(`/t/${id}`);
    await expect(byId(ben!, "meanwhile")).toContainText("Ana");
    await expect(byId(ben!, "meanwhile").locator("li").first()).toBeVisible();
    expect(await faults(ben!, "all", false)).toEqual([]);
    await byId(ben!, "meanwhile-close").click();
    await expect(byId(ben!, "meanwhile")).toHaveCount(0);
    await turn(ana!);
    await begun(ben!); // the seat is his again
    await expect(byId(ana!, "waiting-0")).toHaveCount(0);
  });
});

test("a vote outlives a power cut, and so does what was decided", async ({ browser, complaints }) => {
  await atTable(browser, complaints, 6, ["Ben", "Cleo", "Ana"], async ([ben, cleo, ana], id, service) => {
    await ben!.goto("about:blank");
    await byId(ana!, "ask-bot").click();
    await expect(byId(cleo!, "vote-bot")).toContainText("Ana");
    await service.kill();
    service.sql("UPDATE tables SET updated = updated - 60"); // half a minute without a move, and more
    await service.start();
    await expect(byId(cleo!, "vote-bot").getByTestId("agree")).toBeVisible(); // asked again, by the page itself
    expect(await faults(cleo!, "all", false)).toEqual([]);
    await expect(byId(ana!, "waiting-0")).toContainText("Ben");
    await ana!.clock.fastForward(31_000);
    await byId(ana!, "nudge").click();
    await expect(byId(ana!, "waiting-0").getByRole("status")).toHaveText("Nudged.");
    expect(await faults(ana!, "all", false)).toEqual([]);
    expect((await ask<TableWire>(ana!, `/tables/${id}`)).seats[0]!.proxied).toBe(false); // one of two is not all
    await byId(cleo!, "agree").click();
    await begun(cleo!); // the bot has moved
    await service.kill();
    await service.start();
    expect((await ask<TableWire>(ana!, `/tables/${id}`)).seats[0]!.proxied).toBe(true);
    await ben!.goto(`/t/${id}`);
    await expect(byId(ben!, "meanwhile")).toContainText("Ana");
    await expect(byId(ben!, "meanwhile")).toContainText("Cleo");
  });
});
