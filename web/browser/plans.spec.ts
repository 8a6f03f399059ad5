/** Plans: written on the page while somebody else has to choose, kept through a power cut, played when the turn comes. */
import type { Browser } from "@playwright/test";
import type { TableWire } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { ask, type BrowserContext, expect, ME, OPEN, type Page, prepare, test } from "./base.ts";
import { answered, begun, byId, clickTrack, look } from "./screen.ts";
import { Service } from "./service.ts";

async function guest(
  browser: Browser,
  url: string,
  complaints: string[],
  phone: boolean,
): Promise<{ context: BrowserContext; page: Page }> {
  const viewport = phone ? { width: 390, height: 844 } : { width: 1280, height: 800 };
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-GB",
    viewport,
    hasTouch: phone,
    reducedMotion: "reduce",
  });
  await prepare(context, complaints);
  return { context, page: await context.newPage() };
}

async function keepTickets(page: Page): Promise<void> {
  await begun(page);
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
}

/** Two cards from the deck. */
async function draw(page: Page): Promise<void> {
  const { asked } = await begun(page);
  await byId(page, "draw-deck").click();
  await answered(page, asked);
  await byId(page, "draw-deck").click();
}

/** A service of its own, with Ana who waits and Ben who begins, in a game of days. */
async function together(
  browser: Browser,
  complaints: string[],
  phone: boolean,
  story: (ana: Page, ben: Page, service: Service, table: string) => Promise<void>,
): Promise<void> {
  const service = await new Service().start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const [ana, ben] = [
    await guest(browser, service.url, complaints, phone),
    await guest(browser, service.url, complaints, false),
  ];
  try {
    for (const one of [ana, ben]) await ask(one.page, "/me");
    const clock = { kind: "days", pool: 600, increment: 10, days: 2 };
    const { id } = await ask<TableWire>(ana.page, "/tables", {
      map: "europe",
      seats: [OPEN, ME],
      order: "fixed",
      clock,
      seed: 7,
    });
    await ask(ben.page, `/tables/${id}/sit`, {});
    await ask(ana.page, `/tables/${id}/start`, {});
    for (const one of [ana, ben]) await one.page.goto(`/t/${id}`);
    await Promise.all([keepTickets(ana.page), keepTickets(ben.page)]);
    await begun(ben.page);
    await story(ana.page, ben.page, service, id);
  } finally {
    for (const one of [ana, ben]) await one.context.close();
    await service.stop();
    process.env.BRANCHLINE_URL = shared;
  }
  expect(complaints.filter((line) => !/WebSocket|ERR_CONNECTION/.test(line))).toEqual([]);
}

test("a plan from the board is kept through a power cut and played when the turn comes", async ({
  browser,
  complaints,
}) => {
  await together(browser, complaints, false, async (ana, ben, service, table) => {
    await byId(ana, "plan").click();
    const panel = byId(ana, "plan-panel");
    await expect(panel).toBeVisible();

    // A draw from the list, then a track that is pointed at on the board; the track is the dearer wish.
    await byId(ana, "plan-draw").click();
    await byId(ana, "plan-add").click();
    const far = (await look(ana)).tracks.find(
      (track) => track.length === 6 && track.kind.includes("tunnel") === false,
    )!;
    await clickTrack(ana, far.id);
    await expect(byId(ana, "plan-track")).toHaveValue(far.id);
    await byId(ana, "plan-add").click();
    const wishes = byId(ana, "plan-list").locator("li");
    await expect(wishes).toHaveCount(2);
    await wishes
      .nth(1)
      .getByRole("button", { name: /^Move up/ })
      .focus();
    await ana.keyboard.press("Enter");
    await expect(wishes.first()).toContainText(far.ends);
    await expect(wishes.nth(1)).toContainText("if that is not possible");
    expect(await faults(ana, "all", false)).toEqual([]);
    await byId(ana, "plan-save").click();
    await expect(panel.getByRole("status")).toContainText("Saved");

    // Nobody else is told of it.
    expect((await ask<TableWire>(ben, `/tables/${table}`)).plan).toBeNull();
    await expect(byId(ben, "plan-result")).toHaveCount(0);

    await service.kill();
    await service.start();
    await ana.reload();
    await expect(byId(ana, "plan")).toContainText("2");
    await draw(ben);
    await expect(byId(ana, "plan-result")).toContainText("Your plan was played: Draw");
    await begun(ben); // it is Ben's turn again at once
    expect((await look(ana)).ready).toBe(false);
    await byId(ana, "plan-result").getByRole("button", { name: "Close" }).click();
    await expect(byId(ana, "plan-result")).toHaveCount(0);
  });
});

test("a plan written on a phone can be dropped, and where nothing fits the player is asked", async ({
  browser,
  complaints,
}) => {
  await together(browser, complaints, true, async (ana, ben) => {
    await byId(ana, "plan").tap();
    await byId(ana, "plan-draw").tap();
    await byId(ana, "plan-add").tap();
    expect(await faults(ana, "all", false)).toEqual([]);
    await byId(ana, "plan-save").tap();
    await byId(ana, "plan-drop").tap();
    await expect(byId(ana, "plan-panel")).toHaveCount(0);
    await draw(ben);
    await draw(ana); // by hand

    await begun(ben);
    await byId(ana, "plan").tap();
    const long = byId(ana, "plan-track").locator("option", { hasText: "(8 " });
    await byId(ana, "plan-track").selectOption(await long.getAttribute("value"));
    await byId(ana, "plan-add").tap();
    await byId(ana, "plan-save").tap();
    await expect(byId(ana, "plan-drop")).toBeVisible();
    await draw(ben);
    await expect(byId(ana, "plan-result")).toContainText("Nothing of your plan was possible");
    expect((await begun(ana)).buttons).toContain("draw-deck");
  });
});
